import type { EvidenceKind, Span } from '../contracts.ts'
import type { ChunkName, ChunkReading } from './chunk.ts'
import { isEveryday } from './keywords.ts'

/** A string of the chunk that can be evidence, under the key by which records list theirs. */
export interface ChunkLiteral {
  readonly key: string
  readonly kind: EvidenceKind
  /** Place of the text in the chunk. */
  readonly span: Span
  /** Base weight by kind and role, before rarity; 0 for names the chunk binds itself and everyday words. */
  readonly weight: number
  /** The identifier it is, or ends in. */
  readonly name: ChunkName | undefined
}

/** Prefixes that keep lines and string constants apart from names among the literals. */
export const linePrefix = '\n'
export const stringPrefix = '"'

/**
 * Base weights by kind: the more of the code a literal holds, the less likely it is shared by chance. A whole line
 * says most; a chain names its receiver; a lone name can be anybody's. Chosen on the development queries
 * (`bench/ranking.ts`).
 */
export const literalWeights = {
  line: 1.5,
  chain: 1.5,
  ownChain: 0.4,
  call: 1,
  member: 0.8,
  type: 1,
  constant: 1,
  annotation: 0.8,
  node: 0.5,
  name: 0.6,
  label: 0.3,
  own: 0,
  string: 0.3,
} as const

/** An everyday name keeps this share of its weight: `position` alone proves little, but it is there. */
const everydayShare = 0.3

/** The distinct literals of a chunk. */
export function literalsOf(chunk: ChunkReading): ChunkLiteral[] {
  const literals: ChunkLiteral[] = []
  for (const [key, span] of chunk.lines) {
    literals.push({ key: linePrefix + key, kind: 'line', span, weight: literalWeights.line, name: undefined })
  }
  for (const [key, span] of chunk.chains) {
    const name = chunk.names.get(key.slice(key.lastIndexOf('.') + 1))
    const root = key.slice(0, key.indexOf('.'))
    const own = chunk.declarations.names.has(root) && !chunk.declarations.imports.has(root)
    literals.push({ key, kind: 'chain', span, weight: own ? literalWeights.ownChain : literalWeights.chain, name })
  }
  for (const name of chunk.names.values()) {
    literals.push({ key: name.name, kind: kindOf(name), span: name.span, weight: weightOf(name), name })
    for (const { resolved, use } of name.uses) {
      const key = resolved.join('.')
      if (resolved.length < 2 || chunk.chains.has(key) || key === name.name) continue
      literals.push({
        key,
        kind: 'member',
        span: { start: use.start, end: use.end },
        weight: literalWeights.chain,
        name,
      })
    }
  }
  for (const [content, span] of chunk.strings) {
    literals.push({ key: stringPrefix + content, kind: 'string', span, weight: literalWeights.string, name: undefined })
  }
  return literals
}

function kindOf({ role }: ChunkName): EvidenceKind {
  switch (role) {
    case 'call':
    case 'member':
    case 'type':
    case 'annotation':
      return role
    case 'constant':
      return 'identifier'
    default:
      return 'identifier'
  }
}

function weightOf({ name, role, own }: ChunkName): number {
  if (own) return literalWeights.own
  return isEveryday(name) ? literalWeights[role] * everydayShare : literalWeights[role]
}
