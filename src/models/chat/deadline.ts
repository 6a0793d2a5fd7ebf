import { unlessAborted } from '../../abortable.ts'
import { onAbort } from '../../on-abort.ts'

/** The longest time a timer can wait; a longer one would fire at once. */
export const longestTimeoutMs: number = 2 ** 31 - 1

/** When work ends at the latest. */
export interface Deadline {
  readonly timeoutMs: number
  /** Aborted ones end the work with their reason. */
  readonly signals: readonly (AbortSignal | undefined)[]
  /** What the work rejects with when its time is over; asked at that moment. */
  readonly expired: () => Error
}

/**
 * Runs work that ends with its time or with the first aborted signal, also when the work looks at neither. The work
 * gets a signal that says so. No timer and no listener is left when it ends.
 *
 * `AbortSignal.any` and `AbortSignal.timeout` would be shorter, but keep their listeners on a signal that lives long.
 */
export async function withDeadline<Result>(
  { timeoutMs, signals, expired }: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const watched = signals.filter((signal) => signal !== undefined)
  for (const signal of watched) signal.throwIfAborted()
  const controller = new AbortController()
  const { signal: ended } = controller
  const stops = watched.map((signal) => onAbort(signal, () => controller.abort(signal.reason)))
  const timer = setTimeout(() => controller.abort(expired()), Math.min(timeoutMs, longestTimeoutMs))
  try {
    return await unlessAborted(work(ended), ended)
  } catch (error) {
    // Work that looks at the signal may reject first, with an error of its own making.
    throw ended.aborted ? ended.reason : error
  } finally {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
