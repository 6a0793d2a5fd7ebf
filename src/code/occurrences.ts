import type { Span } from '../contracts.ts'
import type { ChunkReading } from './chunk.ts'
import { type LanguageTraits, traitsOf } from './languages.ts'
import { type Token, tokenize } from './lexer.ts'

/** A place where a text stands in a chunk's code as whole tokens. */
export interface Occurrence extends Span {
  /**
   * `code`: as code that refers to something. `own`: every part is a name the chunk binds itself. `label`: an argument
   * label or key. `string`: the text is itself a quoted string constant.
   */
  readonly as: 'code' | 'own' | 'label' | 'string'
}

const access = new Set(['.', '::', '->', '?.', '!.', '&.'])

/** How a text that is looked for is cut: it has strings but no comments, so that `//` and `#if` are what they say. */
const literal: LanguageTraits = { ...traitsOf('json', ''), name: 'literal', lineComments: [], blockComments: [] }

const cutCache = new Map<string, readonly string[]>()
const mostCachedCuts = 20_000

/** The tokens of a text that is looked for: `Color.red`, `"pressed"`, `@onready`, `->`, `#if`. */
function cut(text: string): readonly string[] {
  let tokens = cutCache.get(text)
  if (tokens === undefined) {
    tokens = tokenize(text, literal).map((token) => token.text)
    if (cutCache.size >= mostCachedCuts) cutCache.clear()
    cutCache.set(text, tokens)
  }
  return tokens
}

/** The last token of a text that is looked for. */
export function lastTokenOf(text: string): string | undefined {
  return cut(text).at(-1)
}

/**
 * Where `text` stands in the chunk's code, token by token: `AnimatedSprite` is not in `AnimatedSprite2D`, `export` not in
 * `@export`, `tf.log` not in `x.tf.log`, `Sprite` not in the node path `$Sprite`; comments and the insides of strings are
 * not code. Best first: `code` before `string`, `label` and `own`. At most `most` are returned.
 */
export function findInCode(chunk: ChunkReading, text: string, most = 8): Occurrence[] {
  const wanted = cut(text)
  const found: Occurrence[] = []
  const [first] = wanted
  if (first === undefined) return found
  const { tokens } = chunk.code
  const dotted = wanted.length > 1 && access.has(wanted[1]!)
  let proven = false
  for (const start of chunk.places.get(first) ?? []) {
    const last = matchFrom(chunk, wanted, start)
    if (last < 0) continue
    const before = tokens[start - 1]
    const joined = before !== undefined && before.end === tokens[start]!.start
    if (joined && tokens[start]!.kind === 'word' && isPartOfMark(before, chunk, dotted)) continue
    if (dotted && before !== undefined && access.has(before.text)) continue
    const as = roleAt(chunk, start, last)
    if (as === undefined) continue
    proven ||= as === 'code'
    if (found.length < mostFound) found.push({ start: tokens[start]!.start, end: tokens[last]!.end, as })
    else if (as === 'code') found[0] = { start: tokens[start]!.start, end: tokens[last]!.end, as }
    if (found.length >= most && proven) break
  }
  return found.sort((a, b) => order[a.as] - order[b.as] || a.start - b.start).slice(0, most)
}

/**
 * Where a text stands in the chunk's code as whole tokens, whatever it does there: a node's name, a name the chunk binds
 * and a label count too. Comments and the insides of strings do not.
 */
export function placeInCode(chunk: ChunkReading, text: string): Span | undefined {
  const wanted = cut(text)
  const { tokens } = chunk.code
  for (const start of wanted.length === 0 ? [] : (chunk.places.get(wanted[0]!) ?? [])) {
    const last = matchFrom(chunk, wanted, start)
    if (last < 0) continue
    const before = tokens[start - 1]
    const joined = before !== undefined && before.end === tokens[start]!.start
    if (joined && tokens[start]!.kind === 'word' && isPartOfMark(before, chunk, wanted.length > 1)) continue
    return { start: tokens[start]!.start, end: tokens[last]!.end }
  }
  return undefined
}

/** `@export` is a name of its own where a decorator is not a use of the name behind it; `#if` is one everywhere. */
function isPartOfMark(before: Token, { code }: ChunkReading, dotted: boolean): boolean {
  return before.text === '#' || (before.text === '@' && code.traits.at !== 'use' && !dotted)
}

/** Occurrences kept while none is `code` yet. */
const mostFound = 1_000

const order: Readonly<Record<Occurrence['as'], number>> = { code: 0, string: 1, label: 2, own: 3 }

/** Index of the last token of the match that begins at `start`, or -1. Comments between tokens are passed over. */
function matchFrom(chunk: ChunkReading, wanted: readonly string[], start: number): number {
  const { tokens } = chunk.code
  let at = start
  for (let index = 1; index < wanted.length; index++) {
    at++
    while (tokens[at]?.kind === 'comment') at++
    if (tokens[at]?.text !== wanted[index]) return -1
  }
  return at
}

/** What stands there; undefined for a node path, which names a node and no API. */
function roleAt(chunk: ChunkReading, start: number, last: number): Occurrence['as'] | undefined {
  const token = chunk.code.tokens[start]!
  if (token.kind === 'string') return 'string'
  if (token.kind !== 'word') return 'code'
  const use = chunk.useAt.get(start)
  if (use === undefined || use.position === 'node') return undefined
  if (use.position === 'argument') return 'label'
  const declared = chunk.declarations.names.get(token.text)
  if (use.receiver === undefined) {
    if (declared === undefined || declared.kind === 'import') return 'code'
    // A chain on a name the chunk binds is that thing's, whatever it is called.
    return 'own'
  }
  return chunk.names.get(token.text)?.own && last === start ? 'own' : 'code'
}
