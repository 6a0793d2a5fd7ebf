import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reciprocalRankFusion } from '../../src/fusion/reciprocal-rank.ts'
import { anyLists, ranked } from './lists.ts'
import { describeFusion, refusal } from './properties.ts'

describeFusion('reciprocal rank fusion', reciprocalRankFusion)

describe('reciprocal rank fusion', () => {
  it('gives weight / (k + rank), with k = 60 and ranks from 1', () => {
    const fused = reciprocalRankFusion({ weights: { literal: 2 } }).fuse([
      ranked('bm25', ['a', 'b']),
      ranked('literal', ['b']),
    ])
    expect(fused).toEqual([
      {
        key: 'b',
        score: 1 / 62 + 2 / 61,
        contributions: new Map([
          ['bm25', 1 / 62],
          ['literal', 2 / 61],
        ]),
      },
      { key: 'a', score: 1 / 61, contributions: new Map([['bm25', 1 / 61]]) },
    ])
  })

  it('puts the record of two lists first: absent means no term', () => {
    const fused = reciprocalRankFusion().fuse([ranked('bm25', ['p', 'q', 's']), ranked('embedding', ['t', 'u', 's'])])
    expect(fused.map((hit) => hit.key)).toEqual(['s', 'p', 't', 'q', 'u'])
  })

  it('gives one term a record and list, at its best rank: d2 leads though the other list repeats d1', () => {
    const fused = reciprocalRankFusion().fuse([ranked('bm25', ['d1', 'd1', 'd1', 'd2']), ranked('embedding', ['d2'])])
    expect(fused.map(({ key, score }) => [key, score])).toEqual([
      ['d2', 1 / 64 + 1 / 61],
      ['d1', 1 / 61],
    ])
  })

  it('does not look at scores', () => {
    const lists = [ranked('bm25', ['a', 'b'], [1, 1]), ranked('embedding', ['b'], [-7])]
    expect(reciprocalRankFusion().fuse(lists)).toEqual(
      reciprocalRankFusion().fuse([ranked('bm25', ['a', 'b'], [900, 2]), ranked('embedding', ['b'], [0])]),
    )
  })

  it('never lowers a record that gets a better rank', () => {
    fc.assert(
      fc.property(anyLists, fc.nat(), fc.integer({ min: 1, max: 12 }), (lists, pick, rank) => {
        const all = lists.flatMap((list, at) => list.hits.map((hit, index) => ({ at, index, hit })))
        fc.pre(all.length > 0)
        const chosen = all[pick % all.length]!
        const better = lists.map((list, at) => ({
          ...list,
          hits: list.hits.map((hit, index) =>
            at === chosen.at && index === chosen.index ? { ...hit, rank: Math.min(rank, hit.rank) } : hit,
          ),
        }))
        const scoreIn = (input: typeof lists): number =>
          reciprocalRankFusion()
            .fuse(input)
            .find((hit) => hit.key === chosen.hit.key)!.score
        expect(scoreIn(better)).toBeGreaterThanOrEqual(scoreIn(lists))
      }),
    )
  })

  it('takes k = 0 and refuses a k that is negative or no number', () => {
    expect(reciprocalRankFusion({ k: 0 }).fuse([ranked('bm25', ['a'])])[0]!.score).toBe(1)
    for (const k of [-1, Number.NaN, Number.POSITIVE_INFINITY, '60' as never]) {
      expect(refusal(() => reciprocalRankFusion({ k }))).toBe('k')
    }
  })
})
