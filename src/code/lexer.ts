import type { LanguageTraits } from './languages.ts'
import { commentEnd, isCutOff, isStrayCommentEnd } from './lexing/comments.ts'
import { fitOf } from './lexing/fit.ts'
import { HeredocReader } from './lexing/heredocs.ts'
import { canBeginRegex, RegexReader } from './lexing/regex-literals.ts'
import type { StringForm } from './lexing/string-forms.ts'
import { StringReader, type StringSpan } from './lexing/strings.ts'
import type { Token, TokenKind } from './lexing/token.ts'
import { asciiClassOf, isWordAt, wordEnd } from './lexing/words.ts'
import type { Region, TreeRegions } from './trees/regions.ts'

export type { Token } from './lexing/token.ts'

/** Operators of more than one character that matter for chains, arrows and assignments; longest first. */
const operators = [
  ...['===', '!==', '<=>', '...', '??=', '**=', '>>=', '<<=', '!!.', '?->'],
  ...['->', '=>', '::', '?.', '!.', '&.', ':=', '==', '!=', '<=', '>=', '&&', '||', '+=', '-=', '*=', '/=', '%=', '|='],
  ...['&=', '++', '--', '..', '**', '??', '<<', '>>', '<-', '|>'],
]
const operatorsByFirst = new Map<string, string[]>()
for (const operator of operators) {
  const first = operator.charAt(0)
  operatorsByFirst.set(first, [...(operatorsByFirst.get(first) ?? []), operator])
}

/** Strings in holes of strings are cut into tokens to this depth. */
const deepest = 6

/** Code in tokens, and whether it is a fragment. */
export interface LexedCode {
  readonly tokens: readonly Token[]
  /** A string or comment is cut off at one end of the text. */
  readonly cut: boolean
}

/**
 * Cuts code into tokens without a grammar: words, numbers, strings, comments, operators.
 *
 * Chunks are fragments. An unclosed one-line string is an operator (the lone quote) and the rest of its line is code; an
 * unclosed multi-line string or block comment runs to the end of the text, unless the text reads better as one that began
 * inside such a string. What stands before the end of a block comment that was never opened is a comment. Code inside a
 * string (`${...}` and its kin) is code. Linear in the text.
 */
export function tokenize(text: string, traits: LanguageTraits): readonly Token[] {
  return lex(text, traits).tokens
}

/** As {@link tokenize}, and says whether the text is cut off in a string or comment. */
export function lex(text: string, traits: LanguageTraits): LexedCode {
  const lexer = new Lexer(text, traits, 0, 0)
  lexer.run()
  const { unclosed } = lexer
  if (unclosed === undefined || unclosed.open !== unclosed.close) return lexer
  const inside = new Lexer(text, traits, 0, 0)
  inside.run(unclosed)
  return fitOf(text, inside.tokens) > fitOf(text, lexer.tokens) ? { tokens: inside.tokens, cut: true } : lexer
}

/** Share of a text that may lie in syntax errors before nothing of the tree is believed. */
const mostBroken = 0.3

/**
 * Cuts code into tokens as {@link lex} does, but for what is comment, string and code: that the tree decides. Where it
 * has errors the lexer does, and for the whole text where the errors are many, or where a string or comment that is cut
 * off at the edge of the text makes the tree take code for strings and strings for code.
 */
export function lexWithTree(text: string, traits: LanguageTraits, tree: TreeRegions): LexedCode {
  const alone = tree.errors ? lex(text, traits) : undefined
  if (alone !== undefined && (alone.cut || tree.broken > text.length * mostBroken)) return alone
  const guided = new Lexer(text, traits, 0, 0, tree)
  guided.run()
  return guided.crossed ? (alone ?? lex(text, traits)) : guided
}

class Lexer {
  readonly tokens: Token[] = []
  /** The form of a multi-line string that the text does not close. */
  unclosed: StringForm | undefined
  /** Whether a string or comment is cut off. */
  cut = false
  /** Whether a string or comment would run out of the part of the text that the tree leaves open. */
  crossed = false
  readonly #text: string
  readonly #traits: LanguageTraits
  /** Where the text stands in the whole: the code of a hole is read by itself. */
  readonly #offset: number
  readonly #depth: number
  readonly #strings: StringReader
  readonly #regexes: RegexReader | undefined
  readonly #heredocs: HeredocReader | undefined
  /** Ends of the texts that begin on the next line. */
  readonly #pending: number[] = []
  #index = 0
  #startsLine = true
  #blockSeen = false
  /** The last token that is no comment. */
  #before: Token | undefined
  readonly #tree: TreeRegions | undefined
  #nextRegion = 0
  #nextOpen = 0

  constructor(text: string, traits: LanguageTraits, offset: number, depth: number, tree?: TreeRegions) {
    this.#text = text
    this.#traits = traits
    this.#offset = offset
    this.#depth = depth
    this.#startsLine = depth === 0
    this.#regexes = traits.regexLiterals ? new RegexReader(text) : undefined
    this.#strings = new StringReader(text, traits.strings, this.#regexes)
    this.#heredocs = traits.heredocs ? new HeredocReader(text) : undefined
    this.#tree = tree
  }

  /** Reads the whole text; `inside` is the form of a string that it begins in. */
  run(inside?: StringForm): void {
    const text = this.#text
    const rest = inside === undefined ? undefined : this.#strings.rest(inside)
    if (rest !== undefined) this.#pushString(rest)
    while (this.#index < text.length) {
      if (this.#tree !== undefined && this.#readRegion(this.#tree.regions)) continue
      const code = text.charCodeAt(this.#index)
      const kind = asciiClassOf(code)
      if (kind === 'space' || (kind === 'beyond' && /\s/.test(text.charAt(this.#index)))) this.#space(code)
      else if (kind === 'letter' || (kind === 'beyond' && isWordAt(text, this.#index)))
        this.#push('word', wordEnd(text, this.#index))
      else if (kind === 'digit') this.#push('number', this.#numberEnd())
      else this.#mark()
    }
  }

  #push(kind: TokenKind, end: number): void {
    const start = this.#index
    const token: Token = {
      kind,
      text: this.#text.slice(start, end),
      start: start + this.#offset,
      end: end + this.#offset,
      startsLine: this.#startsLine,
    }
    this.tokens.push(token)
    if (kind !== 'comment') this.#before = token
    this.#startsLine = false
    this.#index = end
  }

  /** Takes over what the tree says stands here. */
  #readRegion(regions: readonly Region[]): boolean {
    const region = regions[this.#nextRegion]
    if (region === undefined || region.start > this.#index) return false
    this.#nextRegion++
    if (region.start < this.#index) this.crossed = true
    if (region.end > this.#index) this.#push(region.kind, region.end)
    return true
  }

  /** Where the part of the text ends in which the lexer finds strings and comments by itself; 0 when it does not. */
  #openTo(): number {
    if (this.#tree === undefined) return this.#text.length
    const { open } = this.#tree
    while (this.#nextOpen < open.length && open[this.#nextOpen]!.end <= this.#index) this.#nextOpen++
    const span = open[this.#nextOpen]
    return span !== undefined && span.start <= this.#index ? span.end : 0
  }

  #space(code: number): void {
    this.#index++
    if (code !== 10 && code !== 0x2028 && code !== 0x2029) return
    // A backslash at the end of a line joins it with the next.
    const last = this.tokens.at(-1)
    this.#startsLine = !(last?.text === '\\' && /^\r?\n$/.test(this.#text.slice(last.end - this.#offset, this.#index)))
    while (this.#pending.length > 0) {
      const end = this.#pending.shift()!
      while (this.#index < end && /\s/.test(this.#text.charAt(this.#index))) this.#index++
      if (this.#index < end) this.#push('string', end)
    }
  }

  /** Anything that begins with neither a letter nor a digit. */
  #mark(): void {
    const text = this.#text
    const index = this.#index
    const char = text.charAt(index)
    const openTo = this.#openTo()
    if (openTo > 0) {
      const comment = commentEnd(text, index, this.#traits)
      if (comment > 0) {
        this.#blockSeen ||= text.startsWith('/*', index)
        this.cut ||= comment === text.length && isCutOff(text, index, this.#traits)
        return this.#push('comment', this.#within(comment, openTo))
      }
      if (!this.#blockSeen && isStrayCommentEnd(text, index, this.#traits)) return this.#closeStrayComment()
      const string = this.#strings.at(index)
      if (string !== undefined) {
        this.#within(string.end, openTo)
        return this.#pushString(string)
      }
      if (char === '/' && this.#regexes !== undefined && canBeginRegex(this.#before)) {
        const end = this.#regexes.end(index)
        if (end > 0) return this.#push('string', this.#within(end, openTo))
      }
      if (char === '"' || char === "'") this.cut ||= this.#traits.strings.some(({ open }) => open === char)
    }
    if (char === '#' && this.#traits.hashNames && asciiClassOf(text.charCodeAt(index + 1)) === 'letter') {
      return this.#push('word', wordEnd(text, index + 1))
    }
    if (char === '<' && openTo > 0 && this.#heredocs !== undefined) {
      const end = this.#heredocs.at(index)
      if (end !== undefined) this.#pending.push(end)
    }
    this.#push('operator', this.#operatorEnd())
  }

  #within(end: number, openTo: number): number {
    if (end > openTo) this.crossed = true
    return end
  }

  /** A string in its pieces, with the code of its holes between them. */
  #pushString(span: StringSpan): void {
    if (span.unclosed !== undefined) {
      this.unclosed = span.unclosed
      this.cut = true
    }
    for (const [start, end] of this.#depth < deepest ? span.holes : []) {
      this.#push('string', start)
      const hole = new Lexer(this.#text.slice(start, end), this.#traits, start + this.#offset, this.#depth + 1)
      hole.run()
      for (const token of hole.tokens) this.tokens.push(token)
      this.#index = end
      this.#startsLine = hole.#startsLine
    }
    if (this.#index < span.end) this.#push('string', span.end)
  }

  /** Makes one comment of all that stands before the end of a block comment. */
  #closeStrayComment(): void {
    const first = this.tokens[0]
    const end = this.#index + 2
    this.tokens.length = 0
    this.cut = true
    this.#index = first === undefined ? this.#index : first.start - this.#offset
    this.#startsLine = true
    this.#blockSeen = true
    this.#before = undefined
    this.#push('comment', end)
  }

  #numberEnd(): number {
    const text = this.#text
    let end = this.#index + 1
    while (end < text.length) {
      if (isWordAt(text, end)) end++
      else if (text.charCodeAt(end) === 46 && asciiClassOf(text.charCodeAt(end + 1)) === 'digit') end += 2
      // C++ parts long numbers with quotes.
      else if (
        text.charAt(end) === "'" &&
        this.#traits.quotedDigits &&
        asciiClassOf(text.charCodeAt(end + 1)) === 'digit'
      )
        end += 2
      else break
    }
    return end
  }

  #operatorEnd(): number {
    const start = this.#index
    for (const operator of operatorsByFirst.get(this.#text.charAt(start)) ?? []) {
      if (this.#text.startsWith(operator, start)) return start + operator.length
    }
    const code = this.#text.codePointAt(start) ?? 0
    return start + (code > 0xffff ? 2 : 1)
  }
}
