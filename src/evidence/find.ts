import type { ChunkLiteral } from '../code/literals.ts'
import type { ChunkQuery, Evidence, IndexedRecord } from '../contracts.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import type { Probe } from '../corpus/probes.ts'
import { literalStrengths, readField } from '../corpus/reading.ts'
import { indexOfSorted } from '../corpus/sorted.ts'

/** How much a literal proves by where the record states it, in the order of {@link literalStrengths}. */
const strengthShares: readonly number[] = literalStrengths.map(
  (strength) => ({ prose: 0.7, string: 0.7, code: 1, symbol: 1, line: 1, subject: 1 })[strength],
)

/**
 * Every literal that stands in the chunk and in the record, with both spans, strongest first. Both spans give the same
 * text, or the pair is left out. Weight is kind and role, times where the record states it, times rarity in the
 * record's collection (0 to 1).
 */
export function findEvidence(
  query: ChunkQuery,
  entry: IndexedRecord,
  probes: readonly Probe[],
  knowledge: CorpusKnowledge,
): Evidence[] {
  const { literals, paths } = entry.reading
  const { statistics } = knowledge
  const found: Evidence[] = []
  for (const { id, literal } of probes) {
    const at = indexOfSorted(literals.ids, id)
    if (at < 0) continue
    const field = paths[literals.paths[at]!]!
    const evidence = spansOf(query.chunkText, literal, entry, field, literals.starts[at]!, literals.ends[at]!)
    if (evidence === undefined) continue
    const rarity = statistics.rarityShare(entry.collection, statistics.having(entry.collection, id))
    found.push({ ...evidence, weight: round(literal.weight * strengthShares[literals.strengths[at]!]! * rarity) })
  }
  found.sort((a, b) => b.weight - a.weight || a.chunk.start - b.chunk.start || a.chunk.end - b.chunk.end)
  return withoutRepeats(found)
}

/** A name and the chain it ends often rest on the same two places; the stronger says it all. Expects the strongest first. */
function withoutRepeats(found: readonly Evidence[]): Evidence[] {
  const seen = new Set<string>()
  return found.filter(({ text, field, record }) => {
    const place = `${field} ${record.start} ${record.end} ${text}`
    return !seen.has(place) && seen.add(place)
  })
}

function spansOf(
  chunkText: string,
  { span, kind, name }: ChunkLiteral,
  entry: IndexedRecord,
  field: string,
  start: number,
  end: number,
): Omit<Evidence, 'weight'> | undefined {
  const stated = readField(entry.record, field)
  if (stated === undefined) return undefined
  const text = chunkText.slice(span.start, span.end)
  if (stated.slice(start, end) === text) return { text, kind, chunk: span, field, record: { start, end } }
  // `position.clamp` and `Vector2.clamp`, `A::b` and `A.b`: the last name is what both texts have.
  if (name === undefined) return undefined
  const last = name.name
  if (chunkText.slice(span.end - last.length, span.end) !== last || stated.slice(end - last.length, end) !== last)
    return undefined
  return {
    text: last,
    kind: 'member',
    chunk: { start: span.end - last.length, end: span.end },
    field,
    record: { start: end - last.length, end },
  }
}

/** Weights are compared and shown; four decimals keep both free of floating-point dust. */
export function round(weight: number): number {
  return Math.round(weight * 10_000) / 10_000
}

/**
 * The weight of a list of evidence: what lies inside stronger evidence does not count again, so a shared line is not
 * also counted as its chains and names. Expects the strongest first.
 */
export function weigh(evidence: readonly Pick<Evidence, 'text' | 'weight'>[]): number {
  const counted = new Set<string>()
  let total = 0
  for (const { text, weight } of evidence) {
    const names = text.match(namesIn) ?? [text]
    const fresh = names.filter((name) => !counted.has(name)).length
    total += (weight * fresh) / names.length
    for (const name of names) counted.add(name)
  }
  return round(total)
}

const namesIn = /[\p{L}\p{Pc}][\p{L}\p{M}\p{N}\p{Pc}]*/gu
