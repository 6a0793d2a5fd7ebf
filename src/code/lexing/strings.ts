import type { RegexReader } from './regex-literals.ts'
import type { StringForm } from './string-forms.ts'

/** Where a string constant ends, and the code that stands inside it. */
export interface StringSpan {
  readonly end: number
  /** Spans of the code inside, ascending. */
  readonly holes: readonly (readonly [start: number, end: number])[]
  /** The form, when the closing mark is missing and the string runs to the end of the text. */
  readonly unclosed?: StringForm
}

/** Holes in holes in strings are read to this depth; deeper ones are part of their string. */
const deepest = 6

/** What stands before a pattern literal in the code of a hole, as far as the two characters before it tell. */
const beforeRegex = /[(,=:[!&|?{;]\s?$/

/** Longest prefix of a string: `u8R`, `$@`. */
const longestPrefix = 3
const prefixCharacter = /[\w$@]/

/**
 * Finds string constants in one text.
 *
 * Remembers up to where a mark is known not to close, so that a line of stray quotes is not searched once for each of
 * them. A one-line string that does not close on its line is none; a multi-line one runs to the end of the text.
 */
export class StringReader {
  readonly #text: string
  readonly #forms: readonly StringForm[]
  /** Finds pattern literals in holes, where the language has them. */
  readonly #regexes: RegexReader | undefined
  /** Up to where a one-line form is known not to close. */
  readonly #unclosedUntil = new Map<StringForm, number>()
  /** Up to where the holes of a one-line form are known not to close. */
  readonly #noHolesUntil = new Map<StringForm, number>()
  /** From where on a closing mark of several lines is known to be missing. */
  readonly #missingFrom = new Map<string, number>()

  constructor(text: string, forms: readonly StringForm[], regexes?: RegexReader) {
    this.#text = text
    this.#forms = forms
    this.#regexes = regexes
  }

  /** The string that begins at `start`. */
  at(start: number, depth = 0): StringSpan | undefined {
    const char = this.#text.charAt(start)
    let prefix: string | undefined
    for (const form of this.#forms) {
      if (typeof form.open === 'string' && form.open.charAt(0) !== char) continue
      if (form.prefix !== undefined) {
        prefix ??= this.#prefixOf(start)
        if (!form.prefix.test(prefix)) continue
      }
      const span = this.#read(form, start, depth)
      if (span !== undefined) return span
    }
    return undefined
  }

  /** The rest of a multi-line string that began before the text. */
  rest(form: StringForm): StringSpan | undefined {
    return typeof form.close === 'string' ? this.#scan(form, 0, form.close, deepest) : undefined
  }

  #prefixOf(start: number): string {
    let from = start
    while (from > 0 && start - from <= longestPrefix && prefixCharacter.test(this.#text.charAt(from - 1))) from--
    return this.#text.slice(from, start)
  }

  #read(form: StringForm, start: number, depth: number): StringSpan | undefined {
    let from: number
    let close: string
    if (typeof form.open === 'string') {
      if (!this.#text.startsWith(form.open, start)) return undefined
      from = start + form.open.length
      close = form.close as string
    } else {
      form.open.lastIndex = start
      const match = form.open.exec(this.#text)
      if (match === null) return undefined
      from = start + match[0].length
      close = typeof form.close === 'string' ? form.close : form.close(match)
    }
    return this.#scan(form, from, close, depth)
  }

  #scan(form: StringForm, from: number, close: string, depth: number): StringSpan | undefined {
    if (from <= (this.#unclosedUntil.get(form) ?? -1)) return undefined
    const holes = form.holes !== undefined && depth < deepest && from > (this.#noHolesUntil.get(form) ?? 0)
    const span = this.#end(form, from, close, holes ? form.holes : undefined, depth)
    if (span !== undefined || !holes) return span
    // The braces do not close on this line: they are plain text.
    this.#noHolesUntil.set(form, lineEnd(this.#text, from))
    return this.#end(form, from, close, undefined, depth)
  }

  #end(
    form: StringForm,
    from: number,
    close: string,
    marks: StringForm['holes'],
    depth: number,
  ): StringSpan | undefined {
    const text = this.#text
    const holes: [number, number][] = []
    if (form.lines && from >= (this.#missingFrom.get(close) ?? Number.POSITIVE_INFINITY)) {
      return { end: text.length, holes, unclosed: form }
    }
    let index = from
    for (; index < text.length; index++) {
      const char = text.charAt(index)
      if (marks !== undefined && text.startsWith(marks[0], index)) {
        // `{{` is a brace where a single one opens a hole.
        if (marks[0] === '{' && text.charAt(index + 1) === '{') index++
        else {
          const end = this.#holeEnd(index + marks[0].length, marks, form.lines, depth)
          if (end === undefined) return undefined
          if (form.formats === true) this.#formattedHole(holes, index + marks[0].length, end, depth)
          else holes.push([index + marks[0].length, end])
          index = end + marks[1].length - 1
        }
      } else if (char === '\\' && form.escape === 'backslash') index += text.startsWith('\r\n', index + 1) ? 2 : 1
      else if (char === '\n' && !form.lines) break
      else if (text.startsWith(close, index)) {
        if (form.escape !== 'double' || !text.startsWith(close, index + close.length))
          return { end: index + close.length, holes }
        index += close.length
      }
    }
    if (form.lines) {
      this.#missingFrom.set(close, from)
      return { end: text.length, holes, unclosed: form }
    }
    if (marks === undefined) this.#unclosedUntil.set(form, index)
    return undefined
  }

  /** The code of a hole, and of those in the description behind it: `{value:>{width}}`. */
  #formattedHole(holes: [number, number][], from: number, end: number, depth: number): void {
    const format = this.#formatStart(from, end, depth)
    holes.push([from, format])
    for (let index = format; index < end; index++) {
      if (this.#text.charAt(index) !== '{') continue
      const close = this.#holeEnd(index + 1, ['{', '}'], true, depth)
      if (close === undefined || close > end) return
      this.#formattedHole(holes, index + 1, close, depth)
      index = close
    }
  }

  /** Where `:` or `!r` stands outside brackets and strings in the code of a hole; its end when neither does. */
  #formatStart(from: number, end: number, depth: number): number {
    let level = 0
    for (let index = from; index < end; index++) {
      const char = this.#text.charAt(index)
      if ('([{'.includes(char)) level++
      else if (')]}'.includes(char)) level--
      else if (char === '"' || char === "'") index = (this.at(index, depth + 1)?.end ?? index + 1) - 1
      else if (level > 0) continue
      else if (char === ':' && this.#text.charAt(index + 1) === ':') index++
      else if (char === ':' || (char === '!' && /^[rsa][:}]/.test(this.#text.slice(index + 1, index + 3)))) return index
    }
    return end
  }

  /** Where the code of a hole ends; the end of the text when a multi-line string is cut off inside it. */
  #holeEnd(from: number, marks: readonly [string, string], lines: boolean, depth: number): number | undefined {
    const text = this.#text
    const open = marks[0].charAt(marks[0].length - 1) === '$' ? '{' : marks[0].charAt(marks[0].length - 1)
    let level = 1
    for (let index = from; index < text.length; index++) {
      const char = text.charAt(index)
      if (char === '\n' && !lines) return undefined
      if (char === open) level++
      else if (char === marks[1]) {
        level--
        if (level === 0) return index
      } else if (char === '"' || char === "'" || char === '`') {
        const inner = this.at(index, depth + 1)
        if (inner !== undefined) index = inner.end - 1
      } else if (char === '/' && this.#regexes !== undefined && beforeRegex.test(text.slice(index - 2, index))) {
        index = Math.max(index, this.#regexes.end(index) - 1)
      }
    }
    return lines ? text.length : undefined
  }
}

/** Where the line that holds `start` ends, before its line feed and a carriage return. */
export function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  if (end < 0) return text.length
  return end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end
}
