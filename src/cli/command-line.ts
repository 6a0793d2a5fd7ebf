import { DirectEvidenceError } from '../errors.ts'
import { exitCodes, isInputError } from './exit-codes.ts'
import { generalHelp, readVersion, retrieveHelp } from './help.ts'
import type { Io } from './io.ts'
import { describeError, Messages } from './messages.ts'
import { Output, OutputError } from './output.ts'
import { parseRequest } from './request.ts'
import { retrieve } from './retrieve.ts'
import { usageError } from './usage.ts'

/**
 * The command line `direct-evidence`.
 *
 * @param argv The words after the program's name.
 * @returns The exit code; never throws. All output has been taken by its stream when this resolves.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const messages = new Messages(io)
  try {
    return await run(argv, io, messages)
  } catch (error) {
    messages.endProgress()
    if (io.signal?.aborted === true) return exitCodes.interrupted
    return report(error, messages)
  } finally {
    messages.endProgress()
    await messages.written()
  }
}

async function run([command, ...words]: readonly string[], io: Io, messages: Messages): Promise<number> {
  if (command === 'retrieve') {
    const request = parseRequest(words)
    if (request === 'help') return say(retrieveHelp, io)
    if (request.quiet) messages.silence()
    return retrieve(request, io, messages)
  }
  if (command === '--help' || command === '-h') return say(generalHelp, io)
  if (command === '--version' || command === '-V') return say(`${await readVersion()}\n`, io)
  if (command === undefined) throw usageError('Name a command, such as retrieve', undefined, '')
  if (command.startsWith('-')) throw usageError(`Unknown option \`${command}\` before the command`, command, '')
  throw usageError(`Unknown command \`${command}\``, undefined, '')
}

async function say(text: string, io: Io): Promise<number> {
  await new Output(io).write(text)
  return 0
}

/** One line for what the user can mend; the stack for what only we can. */
function report(error: unknown, messages: Messages): number {
  if (DirectEvidenceError.isInstance(error) && isInputError(error.code)) {
    messages.tell(`direct-evidence: ${describeError(error)}`)
    return exitCodes.badInput
  }
  if (error instanceof OutputError) {
    messages.tell(`direct-evidence: ${error.message}`)
    return exitCodes.internal
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  messages.tell('direct-evidence: internal error; please report it with these lines')
  for (const line of stack.split('\n')) messages.tell(line)
  return exitCodes.internal
}
