import type { Candidate } from '../contracts.ts'
import { toJsonl } from '../corpus/write-records.ts'
import type { RetrievalResult } from '../retriever.ts'
import type { Io, Terminal } from './io.ts'

/** stdout failed otherwise than by a reader that left: a full disk, a closed descriptor. */
export class OutputError extends Error {}

/** Writes to stdout at the pace of its reader. When the reader goes away, as `| head` does, the rest is dropped. */
export class Output {
  readonly #stdout: Terminal
  readonly #signal: AbortSignal | undefined
  #readerGone = false

  constructor({ stdout, signal }: Io) {
    this.#stdout = stdout
    this.#signal = signal
    // Stays for good: a stream tells its failure after the write that failed. The write is what reports it.
    stdout.on('error', () => {})
  }

  /** @throws {OutputError} or the signal's reason. */
  async write(text: string): Promise<void> {
    const signal = this.#signal
    signal?.throwIfAborted()
    if (text === '' || this.#readerGone) return
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => reject(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#stdout.write(text, (error) => {
        signal?.removeEventListener('abort', onAbort)
        if (error === null || error === undefined) return resolve()
        this.#readerGone = isClosedPipe(error)
        if (this.#readerGone) resolve()
        else reject(new OutputError(`The output could not be written: ${error.message}`, { cause: error }))
      })
    })
  }
}

function isClosedPipe(error: Error & { code?: unknown }): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' || error.code === 'ECONNRESET'
}

/** One object, candidate by candidate: a ranking may be larger than the longest string. */
export async function writeJson(
  output: Output,
  { status, degraded }: RetrievalResult,
  candidates: readonly Candidate[],
): Promise<void> {
  await output.write(`{"status":${JSON.stringify(status)},"candidates":[`)
  for (const [index, candidate] of candidates.entries()) {
    await output.write(`${index === 0 ? '\n' : ',\n'}${toJsonl(candidate)}`)
  }
  await output.write(`${candidates.length === 0 ? '' : '\n'}],"degraded":${toJsonl(degraded)}}\n`)
}

/** One candidate a line. */
export async function writeJsonl(output: Output, candidates: readonly Candidate[]): Promise<void> {
  for (const candidate of candidates) await output.write(`${toJsonl(candidate)}\n`)
}
