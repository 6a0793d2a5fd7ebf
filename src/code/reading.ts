import { type LanguageTraits, traitsOf } from './languages.ts'
import { lex, lexWithTree, type Token } from './lexer.ts'
import type { SyntaxTree } from './trees/syntax-tree.ts'
import { matchBrackets, readUses, type Use } from './uses.ts'

/**
 * Version of everything that turns text into terms and literals. An index that was built by another version does not
 * fit the chunks of this one.
 */
export const analyzerVersion = 1

/** A line of code as it is compared: its tokens without white space and comments. */
export interface CodeLine {
  readonly key: string
  readonly start: number
  readonly end: number
}

/** A piece of code: what the tree says where there is one, what the lexer makes of it otherwise. */
export interface CodeReading {
  readonly traits: LanguageTraits
  readonly tokens: readonly Token[]
  readonly partner: Int32Array
  readonly uses: readonly Use[]
  readonly lines: readonly CodeLine[]
  /**
   * The text is a fragment or broken: the tree has errors; without a tree, a string or comment is cut off or brackets do
   * not match.
   */
  readonly partial: boolean
  /** Undefined where no grammar read the text. */
  readonly tree: SyntaxTree | undefined
}

/** A line shorter than this (without white space) is shared by chance: `return result`, `else:`, `i += 1`. */
const shortestLine = 12
/** A longer line is data or a minified bundle: nobody shares it with a page. */
const longestLine = 400
/** A line with fewer words has no statement in it. */
const fewestWords = 2

/**
 * Reads code: tokens, uses of names, lines. Linear in the text. Words, operators and chains are cut by one rule, with and
 * without a tree.
 */
export function readCode(text: string, language: string | undefined, tree?: SyntaxTree): CodeReading {
  const traits = traitsOf(language, text)
  const { tokens, cut } = tree === undefined ? lex(text, traits) : lexWithTree(text, traits, tree)
  const partner = matchBrackets(tokens)
  return {
    traits,
    tokens,
    partner,
    uses: readUses(tokens, partner, traits),
    lines: readLines(tokens),
    partial: tree === undefined ? cut || hasLoneBracket(tokens, partner) : tree.partial,
    tree,
  }
}

function hasLoneBracket(tokens: readonly Token[], partner: Int32Array): boolean {
  for (let index = 0; index < tokens.length; index++) {
    if (partner[index]! >= 0) continue
    const { kind, text } = tokens[index]!
    if (kind === 'operator' && text.length === 1 && '()[]{}'.includes(text)) return true
  }
  return false
}

function readLines(tokens: readonly Token[]): CodeLine[] {
  const lines: CodeLine[] = []
  let from = 0
  while (from < tokens.length) {
    let to = from + 1
    while (to < tokens.length && !tokens[to]!.startsLine) to++
    const line = readLine(tokens, from, to)
    if (line !== undefined) lines.push(line)
    from = to
  }
  return lines
}

function readLine(tokens: readonly Token[], from: number, to: number): CodeLine | undefined {
  let first = -1
  let last = -1
  let length = 0
  let words = 0
  for (let index = from; index < to; index++) {
    const token = tokens[index]!
    if (token.kind === 'comment') continue
    if (first < 0) first = index
    last = index
    length += token.text.length
    if (token.kind === 'word') words++
    if (length > longestLine) return undefined
  }
  if (length < shortestLine || words < fewestWords) return undefined
  // Block openers differ between the same statement in two places; they are not part of what it says.
  while (last > first && /^[;:{,]$/.test(tokens[last]!.text)) last--
  let key = ''
  let word = false
  for (let index = first; index <= last; index++) {
    const token = tokens[index]!
    if (token.kind === 'comment') continue
    const next = token.kind === 'word' || token.kind === 'number'
    key += word && next ? ` ${token.text}` : token.text
    word = next
  }
  return { key, start: tokens[first]!.start, end: tokens[last]!.end }
}
