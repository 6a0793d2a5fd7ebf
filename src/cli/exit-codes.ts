import type { ErrorCode } from '../errors.ts'
import type { RetrievalResult } from '../retriever.ts'

/** What the process says when it ends; part of the interface, told in `--help`. */
export const exitCodes = {
  evidence: 0,
  noDirectEvidence: 1,
  badInput: 2,
  undecided: 3,
  /** EX_SOFTWARE of sysexits.h. */
  internal: 70,
  /** 128 and SIGINT, as shells count. */
  interrupted: 130,
} as const

const statusCodes: Readonly<Record<RetrievalResult['status'], number>> = {
  evidence: exitCodes.evidence,
  'no-direct-evidence': exitCodes.noDirectEvidence,
  undecided: exitCodes.undecided,
}

/** Errors that the user can mend: an option, a file, a record. */
const inputErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'OPTION_INVALID',
  'CHUNK_INVALID',
  'CORPUS_UNREADABLE',
  'RECORD_INVALID',
  'RECORD_DUPLICATE',
  'COLLECTION_UNKNOWN',
  'TRACE_UNWRITABLE',
])

export function exitCodeOf(status: RetrievalResult['status']): number {
  return statusCodes[status]
}

export function isInputError(code: ErrorCode): boolean {
  return inputErrors.has(code)
}
