import type { Json } from '../contracts.ts'

/** `strict` reads JSON as RFC 8259 has it; `repairing` also what a model makes of it, and says that it did. */
export type ReadingMode = 'strict' | 'repairing'

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

/** Full-width forms that models with a Chinese keyboard in their training use as structure. */
const fullWidth: Readonly<Record<string, string>> = {
  '\uff5b': '{',
  '\uff5d': '}',
  '\uff3b': '[',
  '\uff3d': ']',
  '\uff1a': ':',
  '\uff0c': ',',
  '\u3001': ',',
}

/** Quotation marks beside `"` that open or close a string when repairing. */
const curlyQuotes = '\u201c\u201d\u201e\u201f\uff02'

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

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
  readonly #repairing: boolean
  #at: number
  #open = 0
  #meant = false
  #repaired = false
  #doubledKey: string | undefined

  constructor(text: string, at: number, mode: ReadingMode) {
    this.#text = text
    this.#at = at
    this.#repairing = mode === 'repairing'
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
    if (!this.#repairing || !this.#leaves(opener)) return false
    this.#repaired = true
    return true
  }

  #takes(structure: string): boolean {
    this.#space()
    if (this.#structure() !== structure) return false
    this.#step()
    return true
  }

  /** The structural character here, in its usual form. */
  #structure(at: number = this.#at): string | undefined {
    const char = this.#text[at]
    return (this.#repairing && char !== undefined && fullWidth[char]) || char
  }

  #step(): void {
    if (this.#structure() !== this.#text[this.#at]) this.#repaired = true
    this.#at++
  }

  #space(): void {
    this.#at = this.#behindSpace(this.#at)
  }

  #behindSpace(from: number): number {
    let at = from
    // The no-break and the ideographic space are not worth a mark.
    while (at < this.#text.length && (this.#repairing ? ' \t\r\n\u00a0\u3000' : ' \t\r\n').includes(this.#text[at]!))
      at++
    return at
  }

  #isQuote(at: number = this.#at): boolean {
    const char = this.#text[at]
    return char === '"' || (this.#repairing && char !== undefined && curlyQuotes.includes(char))
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

  #string(role: 'key' | 'value'): string | undefined {
    const start = this.#at
    const opener = this.#text[start]!
    if (opener !== '"') this.#repaired = true
    let value = ''
    let at = start + 1
    const plain = /[^"\\\u0000-\u001f\u201c-\u201f\uff02]*/y
    for (;;) {
      plain.lastIndex = at
      const run = plain.exec(this.#text)![0]
      value += run
      at += run.length
      const char = this.#text[at]
      if (char === undefined) return undefined
      if (char === '\\') {
        const escaped = this.#escape(at)
        if (escaped === undefined) return undefined
        value += escaped.char
        at = escaped.end
        continue
      }
      if (this.#closes(opener, at, role)) {
        if (char !== '"') this.#repaired = true
        this.#at = at + 1
        return value
      }
      // A control character or a quote that closes nothing; strict JSON has other curly quotes only, as text.
      if (char < ' ' || char === '"') {
        if (!this.#repairing) return undefined
        this.#repaired = true
      }
      value += char
      at++
    }
  }

  #escape(at: number): { readonly char: string; readonly end: number } | undefined {
    const char = this.#text[at + 1]
    if (char === undefined) return undefined
    if (char === 'u') {
      const hex = this.#text.slice(at + 2, at + 6)
      return /^[\da-fA-F]{4}$/.test(hex)
        ? { char: String.fromCharCode(Number.parseInt(hex, 16)), end: at + 6 }
        : undefined
    }
    if (Object.hasOwn(escapes, char)) return { char: escapes[char]!, end: at + 2 }
    if (!this.#repairing) return undefined
    this.#repaired = true
    // `\d` is code that was not escaped again; `\'` and `\_` are marks that needed no escape.
    return { char: /[A-Za-z0-9]/.test(char) ? `\\${char}` : char, end: at + 2 }
  }

  /**
   * Whether the quote at a place ends the string. The rule for values acts only where JSON is certainly meant: in prose
   * it would run from quote to quote to the end of the text.
   */
  #closes(opener: string, at: number, role: 'key' | 'value'): boolean {
    const char = this.#text[at]!
    if (opener === '"' ? char !== '"' : !this.#isQuote(at)) return false
    if (!this.#repairing || role === 'key' || !this.#meant) return true
    const next = this.#behindSpace(at + 1)
    const structure = this.#structure(next)
    if (structure !== ',') return structure === undefined || structure === '}' || structure === ']'
    const behind = this.#behindSpace(next + 1)
    return this.#isQuote(behind) || /[-\d{}[\]tfn\uff3b\uff5b]/.test(this.#text[behind] ?? '')
  }
}
