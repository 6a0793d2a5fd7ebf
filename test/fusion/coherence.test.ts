import fc from 'fast-check'
import { expect, it } from 'vitest'
import { liftParts } from '../../src/fusion/coherence.ts'
import type { FusedHit } from '../../src/fusion/fuse.ts'

const hit = (key: string, score: number): FusedHit => ({ key, score, contributions: new Map([['bm25', score]]) })
const documentOf = (key: string): string | undefined => (key.includes('#') ? key.slice(0, key.indexOf('#')) : undefined)
const scores = (hits: readonly FusedHit[]): Record<string, number> =>
  Object.fromEntries(hits.map(({ key, score }) => [key, score]))

it('gives each part a share of the best other part of its document, and leaves the rest alone', () => {
  const lifted = liftParts(
    [hit('p#a', 1), hit('alone', 0.8), hit('p#b', 0.6), hit('q#a', 0.5), hit('p#c', 0.2)],
    documentOf,
    0.5,
  )
  expect(scores(lifted)).toEqual({ 'p#a': 1.3, 'p#b': 1.1, alone: 0.8, 'p#c': 0.7, 'q#a': 0.5 })
  expect(lifted.map(({ key }) => key)).toEqual(['p#a', 'p#b', 'alone', 'p#c', 'q#a'])
  expect([...lifted[0]!.contributions]).toEqual([
    ['bm25', 1],
    ['document', 0.3],
  ])
})

it('keeps every hit, never lowers one, and has contributions that add up', () => {
  const hits = fc.uniqueArray(
    fc.tuple(fc.constantFrom('p', 'q', ''), fc.nat(20), fc.double({ min: 0, max: 5, noNaN: true })),
    {
      selector: ([document, part]) => `${document}${part}`,
    },
  )
  fc.assert(
    fc.property(hits, fc.double({ min: 0, max: 2, noNaN: true }), (parts, share) => {
      const given = parts
        .map(([document, part, score]) => hit(document === '' ? `x${part}` : `${document}#${part}`, score))
        .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
      const lifted = liftParts(given, documentOf, share)
      expect(lifted.map(({ key }) => key).sort()).toEqual(given.map(({ key }) => key).sort())
      const before = scores(given)
      for (const [index, { key, score, contributions }] of lifted.entries()) {
        expect(score).toBeGreaterThanOrEqual(before[key]!)
        expect([...contributions.values()].reduce((sum, value) => sum + value, 0)).toBeCloseTo(score, 12)
        if (index > 0) expect(score).toBeLessThanOrEqual(lifted[index - 1]!.score)
      }
    }),
  )
})
