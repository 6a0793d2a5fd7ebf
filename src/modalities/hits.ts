import type { Hit, IndexedRecord, Json } from '../contracts.ts'
import type { Scored } from './top.ts'

/** Ranked hits of one collection from its best places; `why` is given the index among them. */
export function hitsOf(
  scored: readonly Scored[],
  records: readonly IndexedRecord[],
  why: (index: number) => Readonly<Record<string, Json>>,
): Hit[] {
  return scored.map(({ place, score }, index) => {
    const { collection, id } = records[place]!
    return { collection, id, rank: index + 1, score, why: why(index) }
  })
}
