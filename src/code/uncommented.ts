import type { Token } from './lexer.ts'

/** Tokens without comments, as the rules of chains and declarations see them. */
export interface Uncommented {
  readonly tokens: readonly Token[]
  readonly partner: Int32Array
  /** Index of each token among all tokens. */
  readonly places: Int32Array
}

/** Leaves the comments out; a token behind a comment that began a line begins it instead. Linear. */
export function withoutComments(tokens: readonly Token[], partner: Int32Array): Uncommented {
  const kept: Token[] = []
  const places: number[] = []
  const moved = new Int32Array(tokens.length).fill(-1)
  let startsLine = false
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    startsLine ||= token.startsLine
    if (token.kind === 'comment') continue
    moved[index] = kept.length
    kept.push(startsLine && !token.startsLine ? { ...token, startsLine: true } : token)
    places.push(index)
    startsLine = false
  }
  const partners = new Int32Array(kept.length)
  for (let at = 0; at < kept.length; at++) {
    const other = partner[places[at]!]!
    partners[at] = other < 0 ? -1 : moved[other]!
  }
  return { tokens: kept, partner: partners, places: Int32Array.from(places) }
}
