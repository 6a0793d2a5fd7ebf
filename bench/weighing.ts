/** What the rules of acceptance look at, for every candidate of a retrieval: the validator that notes it and decides as ever. */
import type { ChunkQuery, IndexedRecord } from '../src/contracts.ts'
import type { CorpusKnowledge } from '../src/corpus/knowledge.ts'
import { type Probe, probesOf } from '../src/corpus/probes.ts'
import { literalStrengths } from '../src/corpus/reading.ts'
import { indexOfSorted } from '../src/corpus/sorted.ts'
import { contradictionsOf, numberedTypesOf } from '../src/evidence/contradictions.ts'
import { Coverage } from '../src/evidence/coverage.ts'
import { findEvidence, weigh } from '../src/evidence/find.ts'
import { literalValidator, type Outcome, type Validator } from '../src/index.ts'

/** All evidence of one candidate in figures; a verdict shows the strongest pieces only. */
export interface Weighed {
  /** About one API name, and so judged by that name first. */
  readonly named: boolean
  readonly weight: number
  /** Weight over all that the chunk has to share with the collection. */
  readonly covered: number
  /** Weight of whole lines. */
  readonly lines: number
  /** Rarity share of the rarest qualified name that the record lists and the chunk uses; 0 when it lists none. */
  readonly rarestSymbol: number
  /** It speaks of `Vector3` where the chunk has `Vector2`, and is never accepted. */
  readonly contradicted: boolean
  readonly outcome: Outcome
}

export interface Weigher {
  readonly validator: Validator
  /** By record, for the retrieval that ran last. */
  readonly weighed: ReadonlyMap<string, Weighed>
}

export function createWeigher(): Weigher {
  const inner = literalValidator()
  const weighed = new Map<string, Weighed>()
  const validator: Validator = {
    name: inner.name,
    async validate(query, entries, options) {
      const verdicts = await inner.validate(query, entries, options)
      const weigh = figuresOf(query, options.knowledge)
      weighed.clear()
      for (const [index, entry] of entries.entries())
        weighed.set(entry.id, { ...weigh(entry), outcome: verdicts[index]!.outcome })
      return verdicts
    },
  }
  return { validator, weighed }
}

function figuresOf(query: ChunkQuery, knowledge: CorpusKnowledge): (entry: IndexedRecord) => Omit<Weighed, 'outcome'> {
  const probes = probesOf(query.reading, knowledge)
  const types = numberedTypesOf(query.reading, knowledge)
  const possible = new Map<string, number>()
  return (entry) => {
    const { collection, reading } = entry
    const most = possible.get(collection) ?? new Coverage(query, collection, probes, knowledge).possible
    possible.set(collection, most)
    const evidence = findEvidence(query, entry, probes, knowledge)
    const weight = weigh(evidence)
    return {
      named: reading.subject !== undefined,
      weight,
      covered: most > 0 ? weight / most : 0,
      lines: weigh(evidence.filter(({ kind }) => kind === 'line')),
      rarestSymbol: rarestSymbolOf(entry, probes, knowledge),
      contradicted: contradictionsOf(types, reading.literals.ids).length > 0,
    }
  }
}

/** As `Coverage.tellingSymbol` chooses, but for every rarity, so that any line can be drawn afterwards. */
function rarestSymbolOf(
  { collection, reading }: IndexedRecord,
  probes: readonly Probe[],
  { statistics }: CorpusKnowledge,
): number {
  let rarest = 0
  for (const { id, literal } of probes) {
    if (literal.weight < 0.8 || literal.kind === 'line' || !literal.key.includes('.')) continue
    const at = indexOfSorted(reading.literals.ids, id)
    if (at < 0) continue
    const strength = literalStrengths[reading.literals.strengths[at]!]!
    if (strength !== 'symbol' && strength !== 'subject') continue
    rarest = Math.max(rarest, statistics.rarityShare(collection, statistics.having(collection, id)))
  }
  return rarest
}
