import { DirectEvidenceError } from '../errors.ts'

/** How a command was called wrongly, with the way to its help. */
export function usageError(message: string, option?: string, command = 'retrieve'): DirectEvidenceError {
  const help = command === '' ? 'direct-evidence --help' : `direct-evidence ${command} --help`
  return new DirectEvidenceError('OPTION_INVALID', `${message}. See: ${help}`, option === undefined ? {} : { option })
}
