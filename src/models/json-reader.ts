import type { Json } from '../contracts.ts'
import { behindSpace, isQuoteAt, type ReadingMode, structureAt } from './json-marks.ts'
import { readString } from './json-string.ts'

/** A JSON value that begins at some place of a text, or how far the reading came. */
export type JsonRead =
  | {
      readonly ok: true
      readonly value: Json
      /** Behind the value. */
      readonly end: number
      /** A key that stands twice in one object; the value holds the last, but nobody can say which was meant. */
      readonly doubledKey: string | undefined
      /** Whether something was read that is no JSON. */
      readonly repaired: boolean
    }
  | {
      readonly ok: false
      /** Where it went wrong. */
      readonly at: number
      /** Containers that were open there. */
      readonly open: number
      /** Whether it certainly was meant as JSON: a key and its colon were read, or more levels than anybody means. */
      readonly meant: boolean
    }

/** More levels than any reply needs, few enough for every stack. */
const deepest = 100

const closerOf: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

const words: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/**
 * Reads the JSON value at a place of a text, which may go on behind it. Never throws. `JSON.parse` would do for the
 * values, but keeps silent about a key that stands twice, and cannot say where a value ends.
 *
 * The repairs are narrow, and none of them makes up a value or an end: quotation marks and punctuation of other forms, a
 * comma before a closing bracket, line breaks and unknown escapes in strings, and quotes within a string, which ends at
 * the first quote that JSON can follow.
 */
export function readJson(text: string, at: number, mode: ReadingMode): JsonRead {
  return new JsonReader(text, at, mode).read()
}

class JsonReader {
  readonly #text: string
  readonly #mode: ReadingMode
  #at: number
  #open = 0
  #meant = false
  #repaired = false
  #doubledKey: string | undefined

  constructor(text: string, at: number, mode: ReadingMode) {
    this.#text = text
    this.#at = at
    this.#mode = mode
  }

  read(): JsonRead {
    const value = this.#value()
    if (value === undefined) return { ok: false, at: this.#at, open: this.#open, meant: this.#meant }
    return { ok: true, value, end: this.#at, doubledKey: this.#doubledKey, repaired: this.#repaired }
  }

  /** Every reading method gives undefined when it fails, and leaves the place where it did. */
  #value(): Json | undefined {
    this.#space()
    const char = this.#structure()
    if (char === '{' || char === '[') {
      if (this.#open === deepest) {
        this.#meant = true
        return undefined
      }
      return char === '{' ? this.#object() : this.#array()
    }
    if (this.#isQuote()) return this.#string('value')
    for (const [word, value] of words) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    return this.#number()
  }

  #object(): Json | undefined {
    const value: Record<string, Json> = {}
    this.#enter()
    if (this.#leaves('{')) return value
    for (;;) {
      this.#space()
      if (!this.#isQuote()) return undefined
      const key = this.#string('key')
      if (key === undefined || !this.#takes(':')) return undefined
      this.#meant = true
      const item = this.#value()
      if (item === undefined) return undefined
      if (Object.hasOwn(value, key)) this.#doubledKey ??= key
      // Defined, not assigned: assigning to `__proto__` would not make a key.
      Object.defineProperty(value, key, { value: item, enumerable: true, configurable: true, writable: true })
      if (this.#leaves('{')) return value
      if (!this.#takes(',')) return undefined
      if (this.#trailingComma('{')) return value
    }
  }

  #array(): Json | undefined {
    const value: Json[] = []
    this.#enter()
    if (this.#leaves('[')) return value
    for (;;) {
      const item = this.#value()
      if (item === undefined) return undefined
      value.push(item)
      if (this.#leaves('[')) return value
      if (!this.#takes(',')) return undefined
      if (this.#trailingComma('[')) return value
    }
  }

  #enter(): void {
    this.#open++
    this.#step()
  }

  #leaves(opener: '{' | '['): boolean {
    if (!this.#takes(closerOf[opener]!)) return false
    this.#open--
    return true
  }

  #trailingComma(opener: '{' | '['): boolean {
    if (this.#mode === 'strict' || !this.#leaves(opener)) return false
    this.#repaired = true
    return true
  }

  #takes(structure: string): boolean {
    this.#space()
    if (this.#structure() !== structure) return false
    this.#step()
    return true
  }

  #structure(): string | undefined {
    return structureAt(this.#text, this.#at, this.#mode)
  }

  #step(): void {
    if (this.#structure() !== this.#text[this.#at]) this.#repaired = true
    this.#at++
  }

  #space(): void {
    this.#at = behindSpace(this.#text, this.#at, this.#mode)
  }

  #isQuote(): boolean {
    return isQuoteAt(this.#text, this.#at, this.#mode)
  }

  #number(): number | undefined {
    const pattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
    pattern.lastIndex = this.#at
    const digits = pattern.exec(this.#text)?.[0]
    const value = Number(digits)
    if (digits === undefined || !Number.isFinite(value)) return undefined
    this.#at += digits.length
    return value
  }

  /**
   * A quote within a string is looked for only in a value, and only where JSON is certainly meant: in prose the search
   * would run from quote to quote to the end of the text.
   */
  #string(role: 'key' | 'value'): string | undefined {
    const fitting = this.#mode === 'repairing' && role === 'value' && this.#meant
    const ends = fitting ? 'fitting-quote' : 'first-quote'
    const read = readString(this.#text, this.#at, { mode: this.#mode, ends })
    if (read === undefined) return undefined
    this.#at = read.end
    this.#repaired ||= read.repaired
    return read.value
  }
}
