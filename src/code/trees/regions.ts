import type { Span } from '../../contracts.ts'
import type { NativeNode } from './native.ts'
import { formatKinds, type NodeKinds } from './node-kinds.ts'

/** A comment or a piece of a string constant. */
export interface Region extends Span {
  readonly kind: 'comment' | 'string'
}

/** What a tree says of a text, as far as the lexer asks. */
export interface TreeRegions {
  /** Sorted, without overlap. A string with code in it comes in pieces; the code between them is in none. */
  readonly regions: readonly Region[]
  /** Sorted, without overlap, apart from the regions: where the tree says nothing and the lexer decides. */
  readonly open: readonly Span[]
  /** Characters in syntax errors. */
  readonly broken: number
  /** Whether there is an error anywhere. */
  readonly errors: boolean
}

/** A string that is being read: what of it has been given out, and where it ends. */
interface OpenString {
  cursor: number
  readonly end: number
}

/**
 * Reads comments, strings and errors off a tree. Linear in the nodes of those kinds: the search for them is native.
 */
export function readRegions(root: NativeNode, text: string, kinds: NodeKinds): TreeRegions {
  const all = [...kinds.comments, ...kinds.strings, ...kinds.holes, ...kinds.opaque, 'ERROR']
  const reader = new RegionReader(text, kinds)
  for (const node of root.findAll({ rule: { any: all.map((kind) => ({ kind })) } })) reader.take(node)
  return reader.finish()
}

class RegionReader {
  readonly #text: string
  readonly #comments: ReadonlySet<string>
  readonly #strings: ReadonlySet<string>
  readonly #holes: ReadonlySet<string>
  readonly #regions: Region[] = []
  readonly #open: Span[] = []
  readonly #stack: OpenString[] = []
  /** Up to where nodes say nothing new: they lie in a comment, an error or a text that is not looked into. */
  #coveredTo = 0
  #broken = 0
  #errors = false

  constructor(text: string, kinds: NodeKinds) {
    this.#text = text
    this.#comments = new Set(kinds.comments)
    this.#strings = new Set(kinds.strings)
    this.#holes = new Set(kinds.holes)
  }

  /** Nodes come in the order of the text, outer ones first. */
  take(node: NativeNode): void {
    const kind = node.kind()
    const range = node.range()
    const start = range.start.index
    const end = range.end.index
    if (kind === 'ERROR') this.#errors = true
    this.#closeUpTo(start)
    if (start < this.#coveredTo || end <= start) return
    const string = this.#stack.at(-1)
    // A string's cursor stands at the end of its last hole: what lies before it is code.
    const inString = string !== undefined && start >= string.cursor
    if (this.#holes.has(kind)) {
      if (inString) this.#hole(node, string)
    } else if (inString) {
      // A part of the string: an error in it, or the letters between its marks.
    } else if (this.#comments.has(kind)) this.#comment(start, end)
    else if (this.#strings.has(kind)) this.#string(kind, start, end)
    else this.#leaveOpen(start, end, kind === 'ERROR')
  }

  #leaveOpen(start: number, end: number, isError: boolean): void {
    this.#open.push({ start, end })
    this.#coveredTo = end
    if (!isError) return
    this.#errors = true
    this.#broken += end - start
  }

  finish(): TreeRegions {
    this.#closeUpTo(this.#text.length + 1)
    // Pieces of an outer string are given out when it ends, behind those of the strings in its holes.
    this.#regions.sort((a, b) => a.start - b.start)
    return { regions: this.#regions, open: this.#open, broken: this.#broken, errors: this.#errors }
  }

  #closeUpTo(start: number): void {
    for (let string = this.#stack.at(-1); string !== undefined && string.end <= start; string = this.#stack.at(-1)) {
      this.#piece(string.cursor, string.end)
      this.#stack.pop()
    }
  }

  /** Some grammars count the line feed to a line comment. */
  #comment(start: number, to: number): void {
    let end = to
    while (end > start && /[\r\n]/.test(this.#text.charAt(end - 1))) end--
    if (end > start) this.#regions.push({ kind: 'comment', start, end })
    this.#coveredTo = to
  }

  #string(kind: string, from: number, end: number): void {
    const start = plainTexts.has(kind) ? from : from + prefixLength(this.#text, from)
    const mark = this.#text.charAt(start)
    if (kind === 'get_node' && !isQuote(mark)) return
    // Some grammars let a string that nothing closes end with its line.
    if (isQuote(mark) && (end < start + 2 || this.#text.charAt(end - 1) !== mark))
      return this.#leaveOpen(from, end, true)
    this.#stack.push({ cursor: start, end })
  }

  /** The marks of a hole belong to the string; what says how a value is written does too. */
  #hole(node: NativeNode, string: OpenString): void {
    const children = node.children()
    const first = children[0]
    if (first === undefined || children.length < 2) return
    const last = children.slice(1).find((child) => formatKinds.has(child.kind())) ?? children.at(-1)!
    const start = first.range().end.index
    const end = last.range().start.index
    if (start < string.cursor || end < start) return
    this.#piece(string.cursor, start)
    string.cursor = end
  }

  #piece(start: number, end: number): void {
    if (end > start) this.#regions.push({ kind: 'string', start, end })
  }
}

/** Kinds without quotes, whose first letters are no prefix. */
const plainTexts: ReadonlySet<string> = new Set(['jsx_text', 'text', 'heredoc_body', 'nowdoc_body', 'regex'])

/** Letters and marks before the opening quote, as `r` and `$@`, are tokens of their own. */
const prefix = /[\w$@&^%]{1,3}(?=["'`#])/y

function prefixLength(text: string, start: number): number {
  prefix.lastIndex = start
  return prefix.exec(text)?.[0].length ?? 0
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'"
}
