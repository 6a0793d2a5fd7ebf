import { unlessAborted } from '../../abortable.ts'

/**
 * Lets many readers in together, or one writer alone. Writers go in the order of their calls, and a reader that comes
 * after a writer waits for it: what a search sees does not change while it runs, and nobody waits for ever.
 */
export class Gate {
  /** Writers at work or waiting. */
  #writers = 0
  /** Settles when the last writer so far is done. */
  #written: Promise<void> = Promise.resolve()
  readonly #readers = new Set<Promise<unknown>>()

  /** Runs `task` while no writer does. Rejects with the signal's reason when aborted while waiting. */
  async read<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    while (this.#writers > 0) await unlessAborted(this.#written, signal)
    const reading = task()
    this.#readers.add(reading)
    try {
      return await reading
    } finally {
      this.#readers.delete(reading)
    }
  }

  /** Runs `task` when every writer before it and every reader inside is done; it never starts once aborted. */
  write<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    this.#writers++
    const before = this.#written
    const writing = (async () => {
      await before
      await Promise.allSettled(this.#readers)
      signal?.throwIfAborted()
      return task()
    })()
    const leave = (): void => {
      this.#writers--
    }
    this.#written = writing.then(leave, leave)
    return unlessAborted(writing, signal)
  }
}
