import type { DirectEvidenceError } from '../errors.ts'
import { printable } from '../trace/printable.ts'
import type { Io, Terminal } from './io.ts'

/** Long enough for any sentence of the library; what records add to it must not fill the screen. */
const longestMessage = 1_000
/** On a terminal, where a line is rewritten: fast enough to be seen moving. */
const terminalPaceMs = 100
/** Into a file or pipe, where every line stays: work that is over sooner says nothing. */
const filePaceMs = 2_000

/**
 * All that is said on stderr. Progress is one line that is rewritten on a terminal, and a line every two seconds
 * elsewhere. Text from files is data: it is shown escaped and on one line.
 */
export class Messages {
  readonly #stderr: Terminal
  readonly #rewrites: boolean
  #quiet = false
  #progress = ''
  #shown = ''
  #timer: NodeJS.Timeout | undefined
  #pending = 0
  #whenWritten: (() => void) | undefined

  constructor({ stderr, env }: Io) {
    this.#stderr = stderr
    this.#rewrites = stderr.isTTY === true && env.TERM !== 'dumb'
    // Nobody reads it: nothing is lost that could be told elsewhere.
    stderr.on('error', () => {})
  }

  /** From now on without progress and notes. */
  silence(): void {
    this.#quiet = true
  }

  /** How far the work has come. */
  progress(text: string): void {
    if (this.#quiet) return
    this.#progress = text
    this.#timer ??= setInterval(() => this.#show(), this.#rewrites ? terminalPaceMs : filePaceMs).unref()
  }

  /** Ends the progress, and takes its line away. */
  endProgress(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#clear()
    this.#shown = ''
  }

  /** Something good to know. */
  note(text: string): void {
    if (!this.#quiet) this.tell(text)
  }

  /** Something that must be known. */
  tell(text: string): void {
    this.#clear()
    this.#write(`${printable(text, longestMessage)}\n`)
  }

  /** Resolves when the stream has taken, or refused, all that was said. */
  async written(): Promise<void> {
    if (this.#pending > 0) await new Promise<void>((resolve) => (this.#whenWritten = resolve))
  }

  #write(text: string): void {
    this.#pending++
    this.#stderr.write(text, () => {
      this.#pending--
      if (this.#pending === 0) this.#whenWritten?.()
    })
  }

  #show(): void {
    const text = this.#progress
    if (text === this.#shown) return
    this.#clear()
    this.#shown = text
    this.#write(this.#rewrites ? printable(text, this.#width() - 1) : `${text}\n`)
  }

  /** Some terminals do not know how wide they are and say 0. */
  #width(): number {
    const { columns = 0 } = this.#stderr
    return columns > 1 ? columns : 80
  }

  #clear(): void {
    if (this.#rewrites && this.#shown !== '') this.#write('\r\x1b[2K')
    if (this.#rewrites) this.#shown = ''
  }
}

/** `file:line: what is wrong`, as compilers write it and editors jump to it. */
export function describeError({ message, details: { file, line } }: DirectEvidenceError): string {
  if (file === undefined || line === undefined) return message
  return `${file}:${line}: ${message.replace(` (${file}:${line})`, '')}`
}
