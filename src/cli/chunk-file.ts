import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { isKnownLanguage } from '../code/languages.ts'
import { DirectEvidenceError, messageOf } from '../errors.ts'
import type { Io } from './io.ts'

/** The chunk's text, without a byte order mark, so that columns count as editors count them. */
export async function readChunkText(chunk: string, { stdin, signal }: Io): Promise<string> {
  const name = chunk === '-' ? 'stdin' : chunk
  let bytes: Uint8Array
  try {
    signal?.throwIfAborted()
    // An aborted stdin is destroyed; otherwise it would keep the process waiting for the terminal.
    if (chunk === '-') bytes = await buffer(signal === undefined ? stdin : addAbortSignal(signal, stdin))
    else bytes = await readFile(chunk, { signal })
  } catch (cause) {
    signal?.throwIfAborted()
    throw invalid(`The chunk ${name} could not be read: ${messageOf(cause)}`, name, cause)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw invalid(`The chunk ${name} is not valid UTF-8; save it as UTF-8`, name, cause)
  }
}

/** The language that a file's ending names: `gd` of `player.gd`. */
export function languageOfFile(file: string): string | undefined {
  const ending = extname(file).slice(1).toLowerCase()
  return isKnownLanguage(ending) ? ending : undefined
}

function invalid(message: string, file: string, cause: unknown): DirectEvidenceError {
  return new DirectEvidenceError('CHUNK_INVALID', message, { cause, file })
}
