/**
 * Lets many readers in together, or one writer alone. Writers go in the order of their calls, and a reader that comes
 * after a writer waits for it: what a search sees does not change while it runs, and nobody waits for ever.
 */
export class Gate {
  /** Settles when the last writer so far is done. */
  #written: Promise<void> = Promise.resolve()
  readonly #readers = new Set<Promise<unknown>>()

  /** Runs `task` while no writer does. Rejects with the signal's reason when aborted while waiting. */
  async read<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    for (let before: Promise<void> | undefined; before !== this.#written; ) {
      before = this.#written
      await unlessAborted(before, signal)
    }
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
    const before = this.#written
    const writing = (async () => {
      await before
      await Promise.allSettled(this.#readers)
      signal?.throwIfAborted()
      return task()
    })()
    this.#written = writing.then(ignore, ignore)
    return unlessAborted(writing, signal)
  }
}

function ignore(): void {}

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work
  let abort = ignore
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
  })
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
