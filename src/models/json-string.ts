import { behindSpace, isQuoteAt, type ReadingMode, structureAt } from './json-marks.ts'

/** A string of JSON, and where it ends. */
export interface JsonString {
  readonly value: string
  readonly end: number
  /** Whether it was written in a way that is no JSON. */
  readonly repaired: boolean
}

/** How the end of a string is told. */
export interface StringReading {
  readonly mode: ReadingMode
  /** `first-quote`, or, when repairing, `fitting-quote`: the first one behind which JSON can go on. */
  readonly ends: 'first-quote' | 'fitting-quote'
}

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

/** Reads the string whose opening quote stands at a place; undefined when it is none, or does not end. */
export function readString(text: string, start: number, reading: StringReading): JsonString | undefined {
  const { mode } = reading
  const opener = text[start]!
  const plain = /[^"\\\u0000-\u001f\u201c-\u201f\uff02]*/y
  let repaired = opener !== '"'
  let value = ''
  for (let at = start + 1; ; ) {
    plain.lastIndex = at
    const run = plain.exec(text)![0]
    value += run
    at += run.length
    const char = text[at]
    if (char === undefined) return undefined
    if (char === '\\') {
      const escaped = readEscape(text, at, mode)
      if (escaped === undefined) return undefined
      value += escaped.value
      at = escaped.end
      repaired ||= escaped.repaired
    } else if (closes(text, at, opener, reading)) {
      return { value, end: at + 1, repaired: repaired || char !== '"' }
    } else {
      // A line break or a quote that closes nothing is a repair; a curly quote is text like any other.
      if (char < ' ' || char === '"') {
        if (mode === 'strict') return undefined
        repaired = true
      }
      value += char
      at++
    }
  }
}

function readEscape(text: string, at: number, mode: ReadingMode): JsonString | undefined {
  const char = text[at + 1]
  if (char === undefined) return undefined
  if (char === 'u') {
    const hex = text.slice(at + 2, at + 6)
    if (!/^[\da-fA-F]{4}$/.test(hex)) return undefined
    return { value: String.fromCharCode(Number.parseInt(hex, 16)), end: at + 6, repaired: false }
  }
  const known = Object.hasOwn(escapes, char) ? escapes[char] : undefined
  if (known !== undefined) return { value: known, end: at + 2, repaired: false }
  if (mode === 'strict') return undefined
  // `\d` is code that was not escaped again; `\'` and `\_` are marks that needed no escape.
  return { value: /[A-Za-z0-9]/.test(char) ? `\\${char}` : char, end: at + 2, repaired: true }
}

/** Whether the character at a place ends the string: a quote of the opener's kind, and where it must, a fitting one. */
function closes(text: string, at: number, opener: string, { mode, ends }: StringReading): boolean {
  if (opener === '"' ? text[at] !== '"' : !isQuoteAt(text, at, mode)) return false
  if (ends === 'first-quote') return true
  const next = behindSpace(text, at + 1, mode)
  const structure = structureAt(text, next, mode)
  if (structure !== ',') return structure === undefined || structure === '}' || structure === ']'
  const behind = behindSpace(text, next + 1, mode)
  return isQuoteAt(text, behind, mode) || /[-\d{}[\]tfn]/.test(structureAt(text, behind, mode) ?? '')
}
