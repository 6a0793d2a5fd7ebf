import type { LanguageTraits } from './languages.ts'

export type TokenKind = 'word' | 'number' | 'string' | 'comment' | 'operator'

/** A piece of code; white space is between tokens, never in one. Spans are UTF-16 code units. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly start: number
  readonly end: number
  /** Whether a line feed stands between this token and the one before it. */
  readonly startsLine: boolean
}

/** Operators of more than one character that matter for chains, arrows and assignments; longest first. */
const operators = ['===', '!==', '<=>', '...', '??=', '**=', '>>=', '<<=', '->', '=>', '::', '?.', '!.', '&.', ':=', '==', '!=', '<=', '>=', '&&', '||', '+=', '-=', '*=', '/=', '%=', '|=', '&=', '++', '--', '..', '**', '??', '<<', '>>']
const operatorsByFirst = new Map<string, string[]>()
for (const operator of operators) {
  const first = operator.charAt(0)
  operatorsByFirst.set(first, [...(operatorsByFirst.get(first) ?? []), operator])
}

const directive = /#\s*(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error|line|region|endregion|nullable|import)\b|#!?\[/y
const wordBeyondAscii = /[\p{L}\p{M}\p{N}\p{Pc}]/u
const spaceBeyondAscii = /\s/u

/** 1: letter or underscore, 2: digit, 3: white space, 0: other. */
const asciiClass = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code)
  if (/[A-Za-z_]/.test(char)) asciiClass[code] = 1
  else if (/[0-9]/.test(char)) asciiClass[code] = 2
  else if (code <= 32) asciiClass[code] = 3
}

/** Whether the character at `index` can be part of an identifier; letters of every script can. */
export function isWordAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (code < 128) return asciiClass[code] === 1 || asciiClass[code] === 2
  if (Number.isNaN(code)) return false
  return wordBeyondAscii.test(characterAt(text, index))
}

function characterAt(text: string, index: number): string {
  const code = text.charCodeAt(index)
  if (code >= 0xdc00 && code <= 0xdfff && index > 0) return text.slice(index - 1, index + 1)
  return code >= 0xd800 && code <= 0xdbff ? text.slice(index, index + 2) : text.charAt(index)
}

/**
 * Cuts code into tokens without a grammar: words, numbers, strings, comments, operators.
 *
 * An unclosed single-line string is an operator (the lone quote) and the rest of its line is code, because chunks are
 * fragments; an unclosed multi-line string or block comment runs to the end of the text. Linear in the text.
 */
export function tokenize(text: string, traits: LanguageTraits): Token[] {
  const tokens: Token[] = []
  let index = 0
  let startsLine = true
  // Per mark: where the line ends on which it is known not to close. Keeps a line of stray quotes linear.
  const unclosedUntil = new Map<string, number>()
  const push = (kind: TokenKind, end: number): void => {
    tokens.push({ kind, text: text.slice(index, end), start: index, end, startsLine })
    startsLine = false
    index = end
  }
  while (index < text.length) {
    const code = text.charCodeAt(index)
    const kind = code < 128 ? asciiClass[code] : undefined
    if (kind === 3 || (kind === undefined && spaceBeyondAscii.test(text.charAt(index)))) {
      if (code === 10 || code === 0x2028 || code === 0x2029) startsLine = true
      index++
    } else if (kind === 1 || (kind === undefined && wordBeyondAscii.test(characterAt(text, index)))) {
      push('word', wordEnd(text, index))
    } else if (kind === 2) {
      push('number', numberEnd(text, index))
    } else {
      const comment = commentEnd(text, index, traits, startsLine)
      if (comment > 0) push('comment', comment)
      else {
        const string = stringEnd(text, index, traits, tokens.at(-1), unclosedUntil)
        if (string > 0) push('string', string)
        else push('operator', operatorEnd(text, index))
      }
    }
  }
  return tokens
}

/** End of the word at `start`. A `$` inside a word belongs to it (JavaScript, Java); a leading one does not. */
export function wordEnd(text: string, start: number): number {
  let end = start
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code < 128) {
      const kind = asciiClass[code]
      if (kind !== 1 && kind !== 2 && !(code === 36 && end > start && isWordAt(text, end + 1))) break
    } else if (!wordBeyondAscii.test(characterAt(text, end))) break
    end++
  }
  return Math.max(end, start + 1)
}

function numberEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length) {
    if (isWordAt(text, end)) end++
    else if (text.charCodeAt(end) === 46 && asciiClass[text.charCodeAt(end + 1)] === 2) end += 2
    else break
  }
  return end
}

function operatorEnd(text: string, start: number): number {
  for (const operator of operatorsByFirst.get(text.charAt(start)) ?? []) {
    if (text.startsWith(operator, start)) return start + operator.length
  }
  const code = text.charCodeAt(start)
  return start + (code >= 0xd800 && code <= 0xdbff && start + 1 < text.length ? 2 : 1)
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

function closeOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/** End of the comment that begins at `start`, or 0. */
function commentEnd(text: string, start: number, traits: LanguageTraits, startsLine: boolean): number {
  const char = text.charAt(start)
  const next = text.charAt(start + 1)
  if (char === '#' && traits.hash) {
    directive.lastIndex = start
    if (traits.slash && directive.test(text)) return 0
    // Where `#` may also be something else (private members, colours), a comment has a space or a line before it.
    if (traits.slash && !startsLine && text.charAt(start - 1) !== ' ' && text.charAt(start - 1) !== '\t') return 0
    return lineEnd(text, start)
  }
  if (char === '/' && traits.slash) {
    if (next === '/' && text.charAt(start - 1) !== ':') return lineEnd(text, start)
    if (next === '*') return closeOf(text, '*/', start + 2)
  }
  if (char === '-' && next === '-' && traits.dash) {
    return text.startsWith('--[[', start) ? closeOf(text, ']]', start + 4) : lineEnd(text, start)
  }
  if (char === '<' && text.startsWith('<!--', start)) return closeOf(text, '-->', start + 4)
  return 0
}

/** Prefix words that make the string after them raw: a backslash is an ordinary character there. */
const rawPrefix = /^(?:r|R|br|rb|Rb|rB|BR|fr|rf|@)$/

/** End of the string that begins at `start`, or 0. */
function stringEnd(
  text: string,
  start: number,
  traits: LanguageTraits,
  before: Token | undefined,
  unclosedUntil: Map<string, number>,
): number {
  const quote = text.charAt(start)
  if (quote !== '"' && quote !== "'" && !(quote === '`' && traits.backticks)) return 0
  const raw = before !== undefined && before.end === start && rawPrefix.test(before.text)
  const triple = quote.repeat(3)
  if (traits.tripleQuotes && quote !== '`' && text.startsWith(triple, start)) {
    return quotedEnd(text, start + 3, triple, raw, true) || text.length
  }
  if (quote === '`') return quotedEnd(text, start + 1, quote, false, true) || text.length
  if (start < (unclosedUntil.get(quote) ?? 0)) return 0
  const end = quotedEnd(text, start + 1, quote, raw, false)
  if (end === 0) unclosedUntil.set(quote, lineEnd(text, start))
  if (quote === "'" && !traits.singleQuotes) {
    // A character literal is short; anything longer is a lifetime, an apostrophe or two of them.
    return end > 0 && end - start <= 12 && (text.charAt(start + 1) === '\\' || end - start <= 4) ? end : 0
  }
  return end
}

/** Position behind the closing mark, or 0 when it is not there (for one-line strings: not on this line). */
function quotedEnd(text: string, from: number, mark: string, raw: boolean, multiline: boolean): number {
  for (let index = from; index < text.length; index++) {
    const char = text.charAt(index)
    if (char === '\\') {
      if (!raw || text.startsWith(mark, index + 1)) index++
    } else if (char === '\n' && !multiline) {
      return 0
    } else if (text.startsWith(mark, index)) {
      return index + mark.length
    }
  }
  return 0
}
