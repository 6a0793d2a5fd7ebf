import { onAbort } from './on-abort.ts'

/**
 * Waits for work, but no longer than until the signal is aborted: then it rejects with the signal's reason, also when
 * the work does not look at the signal. The work itself goes on; a late failure of it is nobody's concern.
 */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work
  let abort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
  })
  const stop = onAbort(signal, () => abort())
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    stop()
  }
}
