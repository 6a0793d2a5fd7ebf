import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DirectEvidenceError } from '../../src/errors.ts'
import type { Fusion, FusionWeights } from '../../src/fusion/fuse.ts'
import { anyLists, ranked, reordered } from './lists.ts'

/** What holds for every method of fusion. */
export function describeFusion(name: string, create: (options?: { weights?: FusionWeights }) => Fusion): void {
  const weights = { bm25: 0.7, embedding: 0.3, literal: 2, trigram: 0 }

  /** No list at all, or one with a weight above 0: else the call is refused. */
  const fusable = anyLists.filter((lists) => lists.length === 0 || lists.some((list) => list.name !== 'trigram'))

  describe(`${name}, as every fusion`, () => {
    it('gives every record of every list once, best first, ties by key', () => {
      fc.assert(
        fc.property(fusable, (lists) => {
          const fused = create({ weights }).fuse(lists)
          const keys = new Set(lists.flatMap((list) => list.hits.map((hit) => hit.key)))
          expect(new Set(fused.map((hit) => hit.key))).toEqual(keys)
          expect(fused).toHaveLength(keys.size)
          for (let i = 1; i < fused.length; i++) {
            const [better, worse] = [fused[i - 1]!, fused[i]!]
            expect(better.score > worse.score || (better.score === worse.score && better.key < worse.key)).toBe(true)
          }
        }),
      )
    })

    it('has contributions that add up to the score, one for each list that has the record', () => {
      fc.assert(
        fc.property(fusable, (lists) => {
          for (const hit of create({ weights }).fuse(lists)) {
            let sum = 0
            for (const value of hit.contributions.values()) {
              expect(value >= 0).toBe(true)
              sum += value
            }
            expect(sum).toBe(hit.score)
            const names = lists.filter((list) => list.hits.some(({ key }) => key === hit.key)).map((list) => list.name)
            expect([...hit.contributions.keys()]).toEqual(names.sort())
          }
        }),
      )
    })

    it('gives the same for the lists and their hits in any order', () => {
      fc.assert(
        fc.property(
          fusable.chain((lists) => fc.tuple(fc.constant(lists), reordered(lists))),
          ([lists, others]) => {
            expect(create({ weights }).fuse(others)).toEqual(create({ weights }).fuse(lists))
          },
        ),
      )
    })

    it('counts a record once a list, at its best rank', () => {
      fc.assert(
        fc.property(fusable, (lists) => {
          const repeated = lists.map((list) => ({
            ...list,
            hits: list.hits.flatMap((hit) => [{ ...hit, rank: hit.rank + 20, score: 99 }, hit]),
          }))
          expect(create({ weights }).fuse(repeated)).toEqual(create({ weights }).fuse(lists))
        }),
      )
    })

    it('makes one hit with three contributions of a record that three lists found', () => {
      const lists = ['bm25', 'embedding', 'trigram'].map((list) => ranked(list, ['r1']))
      const fused = create().fuse(lists)
      expect(fused).toHaveLength(1)
      expect([...fused[0]!.contributions.keys()]).toEqual(['bm25', 'embedding', 'trigram'])
    })

    it('keeps the records of a list of weight 0, with nothing contributed', () => {
      const fused = create({ weights: { trigram: 0 } }).fuse([ranked('bm25', ['a']), ranked('trigram', ['b', 'a'])])
      expect(fused.map((hit) => hit.key)).toEqual(['a', 'b'])
      expect(fused[1]).toEqual({ key: 'b', score: 0, contributions: new Map([['trigram', 0]]) })
    })

    it('gives nothing for no lists and for lists without hits', () => {
      expect(create().fuse([])).toEqual([])
      expect(create().fuse([ranked('bm25', [])])).toEqual([])
    })

    it('refuses weights that mean nothing, by name', () => {
      for (const weight of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(refusal(() => create({ weights: { bm25: weight } }))).toBe('weights.bm25')
      }
      expect(refusal(() => create({ weights: { bm25: 0, embedding: 0 } }))).toBe('weights')
      const onlyZero = create({ weights: { bm25: 0, embedding: 1 } })
      expect(refusal(() => onlyZero.fuse([ranked('bm25', ['a'])]))).toBe('weights')
    })

    it('refuses unknown options, two lists of one name, and hits without a proper rank or score', () => {
      expect(refusal(() => create({ wieghts: {} } as never))).toBe('wieghts')
      expect(refusal(() => create().fuse([ranked('bm25', ['a']), ranked('bm25', ['b'])]))).toBe('lists.bm25')
      for (const rank of [0, -1, 1.5, Number.NaN]) {
        const lists = [{ name: 'bm25', hits: [{ key: 'a', rank, score: 1 }] }]
        expect(refusal(() => create().fuse(lists))).toBe('lists.bm25.rank')
      }
      expect(refusal(() => create().fuse([ranked('bm25', ['a'], [Number.NaN])]))).toBe('lists.bm25.score')
    })

    it('reads own properties only, whatever the host did to Object.prototype', () => {
      const lists = [ranked('bm25', ['__proto__', 'constructor'])]
      const clean = create({ weights: { embedding: 1 } }).fuse(lists)
      const option = { value: () => 0, enumerable: true, configurable: true, writable: true }
      Object.defineProperty(Object.prototype, 'bm25', option)
      let fused: ReturnType<Fusion['fuse']>
      try {
        fused = create({ weights: { embedding: 1 } }).fuse(lists)
      } finally {
        Reflect.deleteProperty(Object.prototype, 'bm25')
      }
      expect(fused).toEqual(clean)
      expect(fused.map((hit) => hit.key)).toEqual(['__proto__', 'constructor'])
    })
  })
}

/** The option that an OPTION_INVALID error names. */
export function refusal(run: () => unknown): string | undefined {
  try {
    run()
  } catch (error) {
    if (DirectEvidenceError.isInstance(error) && error.code === 'OPTION_INVALID') return error.details.option
    throw error
  }
  return undefined
}
