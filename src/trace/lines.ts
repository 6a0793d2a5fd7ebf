/** A place in a text as editors name it, both from 1; columns count UTF-16 code units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Finds places in one text; a line ends with `\n`, `\r\n` or `\r`. */
export class Lines {
  readonly #starts: number[] = [0]
  readonly #length: number

  constructor(text: string) {
    this.#length = text.length
    for (const end of text.matchAll(/\r\n|\n|\r/g)) this.#starts.push(end.index + end[0].length)
  }

  /** Lines with something in them or after them: a line end at the very end begins no further line. */
  get count(): number {
    return this.#starts.length - (this.#starts.at(-1) === this.#length ? 1 : 0)
  }

  /** The place of an offset; undefined when the text has no such offset. O(log lines). */
  at(offset: number): Place | undefined {
    if (!Number.isInteger(offset) || offset < 0 || offset > this.#length) return undefined
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1 }
  }
}
