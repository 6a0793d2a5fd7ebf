import { Buffer, isUtf8 } from 'node:buffer'

/** One line of a text file, or why it cannot be read. Counted from 1, as an editor counts. */
export type Line = { readonly number: number } & ({ readonly text: string } | { readonly fault: string })

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** The mark that some editors put at the start of a UTF-8 file. */
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf)
/** A buffer that grew beyond this for one long line is given back after it. */
const keptBytes = 1 << 20

/**
 * Cuts bytes into lines. Only a line feed ends a line (U+2028, U+2029 and U+0085 do not), a carriage return before it is
 * dropped, and so is a byte order mark at the very start. The last line may lack its line feed. Memory is bounded by the
 * largest chunk plus `maxLineBytes`: of a longer line only the fault is kept.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<Line> {
  const partial = new PartialLine(maxLineBytes)
  let number = 0
  for await (const chunk of chunks) {
    let from = 0
    // No byte of a longer UTF-8 sequence equals a line feed, so lines are cut before they are decoded.
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      yield partial.finish(chunk.subarray(from, end), ++number)
      from = end + 1
    }
    partial.push(chunk.subarray(from))
  }
  if (partial.length > 0) yield partial.finish(new Uint8Array(), ++number)
}

/** The beginning of a line whose end has not come yet. */
class PartialLine {
  readonly #maxBytes: number
  #bytes = new Uint8Array(1024)
  /** Bytes seen; more than are kept when the line is too long. */
  length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  push(piece: Uint8Array): void {
    const length = this.length + piece.length
    if (length <= this.#maxBytes) {
      if (length > this.#bytes.length) this.#grow(length)
      this.#bytes.set(piece, this.length)
    }
    this.length = length
  }

  finish(piece: Uint8Array, number: number): Line {
    const whole = this.length === 0 && piece.length <= this.#maxBytes
    if (!whole) this.push(piece)
    const { length } = this
    const bytes = whole ? piece : this.#bytes.subarray(0, length)
    const line = length > this.#maxBytes ? { number, fault: tooLong(length, this.#maxBytes) } : decode(bytes, number)
    this.length = 0
    if (this.#bytes.length > keptBytes) this.#bytes = new Uint8Array(1024)
    return line
  }

  /** At least doubles, so that a line which comes byte by byte is copied a constant number of times. */
  #grow(length: number): void {
    const grown = new Uint8Array(Math.min(Math.max(length, 2 * this.#bytes.length), this.#maxBytes))
    grown.set(this.#bytes.subarray(0, this.length))
    this.#bytes = grown
  }
}

function tooLong(length: number, maxBytes: number): string {
  return `it has ${length} bytes, more than the ${maxBytes} that \`maxLineBytes\` allows; raise it or check the line ends`
}

function decode(line: Uint8Array, number: number): Line {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength)
  if (!isUtf8(bytes)) return { number, fault: 'it is not valid UTF-8; save the file as UTF-8' }
  const start = number === 1 && bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length
  return { number, text: bytes.toString('utf8', start, end) }
}
