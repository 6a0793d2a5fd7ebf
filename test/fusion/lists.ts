import fc from 'fast-check'
import type { RankedHit, RankedList } from '../../src/fusion/fuse.ts'

/** A ranked list as a modality gives it: keys best first, ranks from 1, scores falling unless given. */
export function ranked(name: string, keys: readonly string[], scores?: readonly number[]): RankedList {
  return { name, hits: keys.map((key, index) => ({ key, rank: index + 1, score: scores?.[index] ?? 1 / (index + 1) })) }
}

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '__proto__', 'constructor')

const hit: fc.Arbitrary<RankedHit> = fc.record({
  key,
  rank: fc.integer({ min: 1, max: 12 }),
  score: fc.double({ noNaN: true, noDefaultInfinity: true }),
})

/** Lists with different names; keys may repeat within a list and ranks may be equal. */
export const anyLists: fc.Arbitrary<RankedList[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('bm25', 'embedding', 'literal', 'trigram'),
    hits: fc.array(hit, { maxLength: 12 }),
  }),
  { selector: (list) => list.name },
)

/** The same lists in another order, with their hits in another order. */
export function reordered(lists: readonly RankedList[]): fc.Arbitrary<RankedList[]> {
  const inner = lists.map((list) =>
    fc
      .shuffledSubarray([...list.hits], { minLength: list.hits.length, maxLength: list.hits.length })
      .map((hits) => ({ name: list.name, hits })),
  )
  return fc.tuple(...inner).chain((all) => fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }))
}
