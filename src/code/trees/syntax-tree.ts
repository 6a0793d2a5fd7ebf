import type { Span } from '../../contracts.ts'
import { messageOf } from '../../errors.ts'
import type { NativeNode } from './native.ts'
import type { NodeKinds } from './node-kinds.ts'
import { type Region, readRegions, type TreeRegions } from './regions.ts'
import { costOf, type PatternFault, type TreePattern, type TreeShape } from './tree-pattern.ts'

/** Visits of a node that one pattern may cost on one chunk: half a second at the very worst. */
const mostCost = 8_000_000
/** Nodes that are walked to find out how large a tree is; two microseconds each. */
const mostWalked = 30_000

/** Where a pattern matches; a fault when it does not fit the grammar; `too-costly` when the search would take too long. */
export type Found = readonly Span[] | PatternFault | 'too-costly'

/** The tree of a text: what is comment, string and code in it, and where a pattern matches. */
export class SyntaxTree implements TreeRegions {
  /** Name of the grammar: `gdscript`. */
  readonly grammar: string
  readonly regions: readonly Region[]
  readonly open: readonly Span[]
  readonly broken: number
  readonly errors: boolean
  /** Whether the text does not parse as a whole: something in it is wrong, or missing. */
  readonly partial: boolean
  readonly #root: NativeNode
  readonly #text: string
  readonly #found = new Map<TreePattern, Found>()
  #shape: TreeShape | undefined

  constructor(grammar: string, root: NativeNode, text: string, kinds: NodeKinds) {
    this.grammar = grammar
    this.#root = root
    this.#text = text
    const { regions, open, broken, errors } = readRegions(root, text, kinds)
    this.regions = regions
    this.open = open
    this.broken = broken
    this.errors = errors
    this.partial = errors || isSomethingMissing(root, text)
  }

  /** Where a pattern matches, in the order of the text, without the blanks at the ends of a match. */
  find(pattern: TreePattern): Found {
    let found = this.#found.get(pattern)
    if (found === undefined) this.#found.set(pattern, (found = this.#search(pattern)))
    return found
  }

  #search(pattern: TreePattern): Found {
    if (!this.#isAffordable(pattern)) return 'too-costly'
    const { rule, constraints, utils } = pattern
    try {
      const spans = this.#root.findAll({ rule, constraints, utils }).map((node) => {
        const { start, end } = node.range()
        return trimmed(this.#text, start.index, end.index)
      })
      return spans.sort((a, b) => a.start - b.start || a.end - b.end)
    } catch (error) {
      return { fault: oneLine(messageOf(error)) }
    }
  }

  /** Told from the length of the text where that is enough; else the tree is walked, once. */
  #isAffordable(pattern: TreePattern): boolean {
    const { length } = this.#text
    const worst: TreeShape = { nodes: length, depth: length, width: length, characters: length }
    if (costOf(pattern, worst) <= mostCost) return true
    this.#shape ??= shapeOf(this.#root, length)
    return costOf(pattern, this.#shape) <= mostCost
  }
}

/** Some nodes end with the line feed behind them. */
function trimmed(text: string, from: number, to: number): Span {
  let start = from
  let end = to
  while (end > start && text.charAt(end - 1).trim() === '') end--
  while (start < end && text.charAt(start).trim() === '') start++
  return { start, end }
}

/** What native code says of a fault takes several lines. */
export function oneLine(message: string): string {
  return message
    .replace(/\s*\|->\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * A leaf without text. Leaves are looked for first: the text of an inner node is as long as all below it, and in a deep
 * tree (`a + b + c ...`) to take each one's would be quadratic.
 */
const emptyLeaf = { rule: { all: [{ not: { has: { pattern: '$_' } } }, { regex: '^$' }] } }

/** A mark that the grammar put in to make sense of the text is a leaf without text. */
function isSomethingMissing(root: NativeNode, text: string): boolean {
  return text.trim() !== '' && root.findAll(emptyLeaf).some((node) => node.children().length === 0)
}

/** A tree that is not walked to its end: nothing beyond the length of the text is affordable on it. */
const endless: TreeShape = {
  nodes: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  width: Number.POSITIVE_INFINITY,
  characters: Number.POSITIVE_INFINITY,
}

function shapeOf(root: NativeNode, characters: number): TreeShape {
  let nodes = 0
  let depth = 0
  let width = 0
  for (let level: NativeNode[] = [root]; level.length > 0; depth++) {
    const below: NativeNode[] = []
    for (const node of level) {
      const children = node.children()
      width = Math.max(width, children.length)
      for (const child of children) below.push(child)
    }
    nodes += level.length
    if (nodes + below.length > mostWalked) return endless
    level = below
  }
  return { nodes, depth, width, characters }
}
