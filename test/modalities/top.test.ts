import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TopScores, topOf } from '../../src/modalities/top.ts'

const scores = fc.array(fc.constantFrom(0, 0.5, 1, 1.5, 2, 1e-300, 7), { maxLength: 60 })
const limit = fc.integer({ min: 1, max: 70 })

it('is the head of the full sort: score descending, then place ascending', () => {
  fc.assert(
    fc.property(scores, limit, (values, most) => {
      const sorted = values
        .map((score, place) => ({ place, score }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || a.place - b.place)
      expect(topOf(Float64Array.from(values), most, () => true)).toEqual(sorted.slice(0, most))
    }),
  )
})

it('does not depend on the order in which scores are offered', () => {
  fc.assert(
    fc.property(
      scores.chain((values) => {
        const offers = values.map((score, place) => ({ place, score }))
        return fc.tuple(fc.constant(offers), fc.shuffledSubarray(offers, { minLength: offers.length }))
      }),
      limit,
      ([given, mixed], most) => {
        const top = [given, mixed].map((offers) => {
          const best = new TopScores(most)
          for (const { place, score } of offers) best.offer(place, score)
          return best.sorted()
        })
        expect(top[1]).toEqual(top[0])
      },
    ),
  )
})

it('asks a filter before the cut, and only about places with a score', () => {
  const asked: number[] = []
  const keeps = (place: number): boolean => {
    asked.push(place)
    return place > 2
  }
  expect(topOf(Float64Array.of(9, 8, 7, 6, 0, 5), 2, keeps)).toEqual([
    { place: 3, score: 6 },
    { place: 5, score: 5 },
  ])
  expect(asked).toEqual([0, 1, 2, 3, 5])
})
