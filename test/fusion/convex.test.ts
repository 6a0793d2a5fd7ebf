import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convexCombination } from '../../src/fusion/convex.ts'
import type { NormaliserName } from '../../src/fusion/normalisers.ts'
import { anyLists, ranked } from './lists.ts'
import { describeFusion, refusal } from './properties.ts'

const names: readonly NormaliserName[] = ['minMax', 'zScore', 'max']

for (const normaliser of names) {
  describeFusion(`convex combination over ${normaliser}`, (options) => convexCombination({ normaliser, ...options }))
}

describe('convex combination', () => {
  it('adds normalised scores by weights that are divided by their sum', () => {
    const fused = convexCombination({ weights: { bm25: 3, embedding: 1 } }).fuse([
      ranked('bm25', ['a', 'b', 'c'], [12, 7, 2]),
      ranked('embedding', ['b', 'c'], [0.9, 0.1]),
    ])
    expect(fused.map(({ key, score }) => [key, score])).toEqual([
      ['a', 0.75],
      ['b', 0.625],
      ['c', 0],
    ])
  })

  it('is not moved by a common factor of the weights, however large', () => {
    const lists = [ranked('bm25', ['a', 'b', 'c'], [12, 7, 2]), ranked('embedding', ['b', 'c'], [0.9, 0.1])]
    expect(convexCombination({ weights: { bm25: 1e308, embedding: 1e308 } }).fuse(lists)).toEqual(
      convexCombination().fuse(lists),
    )
  })

  it('lets a single hit and equal scores count', () => {
    for (const normaliser of names) {
      const fused = convexCombination({ normaliser }).fuse([
        ranked('bm25', ['a'], [0.8]),
        ranked('embedding', ['b', 'c', 'd', 'e'], [0.3, 0.3, 0.3, 0.3]),
      ])
      expect(fused.map((hit) => hit.score)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5])
    }
  })

  it('counts the worst hit of a list above an absent record under zScore', () => {
    const fused = convexCombination({ normaliser: 'zScore' }).fuse([
      ranked('bm25', ['a', 'worst'], [9, 1]),
      ranked('embedding', ['b'], [0.5]),
    ])
    const worst = fused.find((hit) => hit.key === 'worst')!
    expect(worst.score).toBeGreaterThan(0)
  })

  it('never lowers a record whose score in a list rises', () => {
    fc.assert(
      fc.property(
        anyLists,
        fc.nat(),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.constantFrom('minMax', 'max'),
        (lists, pick, rise, normaliser) => {
          const small = lists.map((list) => ({
            ...list,
            hits: list.hits.map((hit, index) => ({ ...hit, rank: index + 1, score: Math.abs(hit.score) % 100 })),
          }))
          const all = small.flatMap((list, at) => list.hits.map((hit, index) => ({ at, index, hit })))
          fc.pre(all.length > 0)
          const chosen = all[pick % all.length]!
          // A record that stands twice counts at its first place only, and equal scores are a case of their own.
          fc.pre(small[chosen.at]!.hits.findIndex((hit) => hit.key === chosen.hit.key) === chosen.index)
          fc.pre(new Set(small[chosen.at]!.hits.map((hit) => hit.score)).size > 1)
          const raised = small.map((list, at) => ({
            ...list,
            hits: list.hits.map((hit, index) =>
              at === chosen.at && index === chosen.index ? { ...hit, score: hit.score + rise } : hit,
            ),
          }))
          const fusion = convexCombination({ normaliser })
          const scoreIn = (input: typeof small): number =>
            fusion.fuse(input).find((hit) => hit.key === chosen.hit.key)!.score
          expect(scoreIn(raised)).toBeGreaterThanOrEqual(scoreIn(small) - 1e-12)
        },
      ),
    )
  })

  it('takes a normaliser of the host and checks what it gives', () => {
    const lists = [ranked('bm25', ['a', 'b'], [4, 2])]
    const halves = convexCombination({ normaliser: (scores) => scores.map((score) => score / 2) })
    expect(halves.fuse(lists).map((hit) => hit.score)).toEqual([2, 1])
    for (const wrong of [[1], [1, Number.NaN], [1, -1]]) {
      expect(refusal(() => convexCombination({ normaliser: () => wrong }).fuse(lists))).toBe('normaliser')
    }
    expect(refusal(() => convexCombination({ normaliser: 'softmax' as never }))).toBe('normaliser')
  })

  it('says its normaliser in its name', () => {
    expect(convexCombination().name).toBe('convex(minMax)')
    expect(convexCombination({ normaliser: 'zScore' }).name).toBe('convex(zScore)')
  })
})
