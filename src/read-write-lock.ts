import { unlessAborted } from './abortable.ts'

/**
 * Lets many readers in together, or one writer alone, in the order of their calls: a reader waits for the writers before
 * it and holds back those after it. What a search sees does not change while it runs, and nobody waits for ever.
 */
export class ReadWriteLock {
  /** Settles when the last writer so far is done. */
  #written: Promise<void> = Promise.resolve()
  readonly #readers = new Set<Promise<void>>()

  /** Runs `task` when every writer before it is done. Rejects with the signal's reason when aborted while waiting. */
  async read<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const before = this.#written
    const reading = before.then(() => {
      signal?.throwIfAborted()
      return task()
    })
    const left = reading.then(ignore, ignore)
    this.#readers.add(left)
    void left.then(() => this.#readers.delete(left))
    await unlessAborted(before, signal)
    return reading
  }

  /** Runs `task` when everybody before it is done; it never starts once aborted. */
  async write<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const writing = Promise.all([this.#written, ...this.#readers]).then(() => {
      signal?.throwIfAborted()
      return task()
    })
    this.#written = writing.then(ignore, ignore)
    return unlessAborted(writing, signal)
  }
}

function ignore(): void {}
