/**
 * Every error code of the library and what it says in general. The message of a thrown error is more precise:
 * it names the record, line, option or model at fault and what to do about it.
 */
export const errorCodes = {
  OPTION_INVALID: 'An option is unknown or has a value outside its range.',
  CHUNK_INVALID: 'The chunk is not a string.',
  CORPUS_UNREADABLE: 'A corpus file or stream could not be read.',
  RECORD_INVALID: 'A record is not valid JSON or does not fit the schema of its collection.',
  RECORD_DUPLICATE: 'Two records share one collection and id.',
  COLLECTION_UNKNOWN: 'A record or an option names a collection that was never defined.',
  COLLECTION_INVALID: 'The definition of a collection contradicts itself.',
  RECORD_UNKNOWN: 'No record of the corpus has that collection and id.',
  MODALITY_UNKNOWN: 'The strategy of this retriever has no modality of that name.',
  DEPENDENCY_MISSING: 'An optional package is needed for what was asked and is not installed.',
  GRAMMAR_UNUSABLE:
    'A grammar does not load here, or the languages of this process were fixed before it was asked for.',
  EMBEDDER_INVALID: 'An embedder broke its contract: wrong count, wrong width, or not numbers.',
  EMBEDDER_MISMATCH: 'An index was built by another embedder than the one in use.',
  MODEL_FAILED: 'A chat model could not be reached, refused the request or threw.',
  MODEL_RATE_LIMITED: 'A chat model is asked more often than it allows.',
  MODEL_TIMEOUT: 'A chat model did not answer within its time.',
  MODEL_REPLY_INVALID: 'A chat model answered with something else than text.',
  MODEL_REPLY_TRUNCATED: 'The reply of a chat model was cut off at its limit of tokens.',
  TRACE_UNWRITABLE: 'The trace could not be written.',
  CLOSED: 'The retriever was closed.',
} as const

/** A key of {@link errorCodes}; stable across minor versions. */
export type ErrorCode = keyof typeof errorCodes

const marker: unique symbol = Symbol.for('direct-evidence.error') as never

/** Where and about what an error speaks; every part is optional. */
export interface ErrorDetails {
  readonly cause?: unknown
  readonly file?: string
  /** 1-based line of `file`. */
  readonly line?: number
  readonly collection?: string
  readonly id?: string
  readonly option?: string
  /** Id of the chat model. */
  readonly model?: string
  /** HTTP status, or the one that the server names in its reply. */
  readonly status?: number
}

/** What a caught value says: the message of an error, or the value as text. */
export function messageOf(caught: unknown): string {
  return caught instanceof Error ? caught.message : String(caught)
}

/**
 * The one error class of the library.
 *
 * Use {@link DirectEvidenceError.isInstance} rather than `instanceof`: it also works when two copies of the package
 * are loaded.
 *
 * @example
 * ```ts
 * import { DirectEvidenceError, parallel } from 'direct-evidence'
 *
 * try {
 *   parallel({ bm25: { limit: -1 } })
 * } catch (error) {
 *   if (!DirectEvidenceError.isInstance(error)) throw error
 *   console.log(error.code, error.details.option) // OPTION_INVALID bm25.limit
 * }
 * ```
 */
export class DirectEvidenceError extends Error {
  override readonly name = 'DirectEvidenceError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : {})
    this.code = code
    this.details = details
    Object.defineProperty(this, marker, { value: true })
  }

  /** Whether a caught value is an error of this library, of this or of another loaded copy. */
  static isInstance(value: unknown): value is DirectEvidenceError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true
  }
}
