/**
 * Many readers or one writer. Searches read side by side; a change of the records waits for the searches before it
 * and holds back those after it, so that every search sees one generation of the corpus.
 */
export class ReadWriteLock {
  /** Settles when the last writer is done. */
  #written: Promise<unknown> = Promise.resolve()
  readonly #readers = new Set<Promise<unknown>>()

  async read<T>(work: () => Promise<T>): Promise<T> {
    const reading = this.#written.then(work)
    const settled = reading.catch(() => undefined)
    this.#readers.add(settled)
    try {
      return await reading
    } finally {
      this.#readers.delete(settled)
    }
  }

  async write<T>(work: () => Promise<T>): Promise<T> {
    const readers = [...this.#readers]
    const writing = Promise.all([this.#written, ...readers]).then(work)
    this.#written = writing.catch(() => undefined)
    return writing
  }
}
