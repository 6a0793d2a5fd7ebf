import { readChunk } from '../../code/chunk.ts'
import { fold, partsOf } from '../../code/parts.ts'
import type { ChunkQuery } from '../../contracts.ts'
import type { GroundedProfile } from './grounding.ts'

/** What a profile says is searched with these weights: its literals as calls of the code are, its words as prose is. */
const literalWeight = 1
const wordWeight = 0.5

/**
 * The query that a grounded profile makes, alone or beside the chunk. Words of the intent are search terms only: they are
 * no names, so that no evidence or symbol lookup ever rests on them.
 */
export function profileQuery(
  query: ChunkQuery,
  profile: GroundedProfile,
  mode: 'profile' | 'profile+chunk',
): ChunkQuery {
  const literals = groundedLiterals(profile)
  const own = literals.join('\n')
  const reading = mode === 'profile' ? readChunk(own, query.language) : query.reading
  const terms = new Map(reading.terms)
  for (const literal of literals) {
    for (const [term, weight] of readChunk(literal, query.language).terms) raise(terms, term, literalWeight * weight)
  }
  for (const word of profile.words) {
    raise(terms, fold(word), wordWeight)
    for (const part of partsOf(word)) raise(terms, part, wordWeight / 2)
  }
  const text = mode === 'profile' ? own : query.chunkText
  // Spans point into the beginning; the words behind it are for embedders, which read plain text.
  return { ...query, chunkText: [text, profile.words.join(' ')].join('\n'), reading: { ...reading, terms } }
}

/** The strings of a profile that the chunk has. */
export function groundedLiterals({ literals, signals }: GroundedProfile): string[] {
  const texts = [
    ...literals.flatMap(({ text, grounded }) => (grounded ? text : [])),
    ...signals.flatMap(({ from, grounded }) => (grounded ? from : [])),
  ]
  return [...new Set(texts)]
}

function raise(terms: Map<string, number>, term: string, weight: number): void {
  if (weight > (terms.get(term) ?? 0)) terms.set(term, weight)
}
