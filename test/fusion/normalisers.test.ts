import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DirectEvidenceError } from '../../src/errors.ts'
import { max, minMax, normalisers, zScore } from '../../src/fusion/normalisers.ts'

const scores = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 20 })

describe('every normaliser', () => {
  for (const [name, normalise] of Object.entries(normalisers)) {
    it(`${name} gives one finite number from 0 up for every score and keeps their order`, () => {
      fc.assert(
        fc.property(scores, (input) => {
          const output = normalise(input)
          expect(output).toHaveLength(input.length)
          for (const [i, value] of output.entries()) {
            expect(Number.isFinite(value) && value >= 0).toBe(true)
            for (const [j, other] of output.entries()) if (input[i]! > input[j]!) expect(value >= other).toBe(true)
          }
        }),
      )
    })

    it(`${name} does not depend on the order of the scores`, () => {
      fc.assert(
        fc.property(scores, (input) => {
          expect(normalise(input.toReversed())).toEqual(normalise(input).toReversed())
        }),
      )
    })

    it(`${name} gives equal scores, and a single one, the constant 1`, () => {
      expect(normalise([0.8])).toEqual([1])
      expect(normalise([0.3, 0.3, 0.3, 0.3])).toEqual([1, 1, 1, 1])
      expect(normalise([0, 0])).toEqual([1, 1])
      expect(normalise([-2, -2])).toEqual([1, 1])
    })

    it(`${name} refuses scores that are not finite and takes an empty list`, () => {
      for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        expect(() => normalise([1, wrong])).toThrow(DirectEvidenceError)
      }
      expect(normalise([])).toEqual([])
    })
  }
})

describe('minMax', () => {
  it('puts the best at 1, the worst at 0 and the rest between in proportion', () => {
    expect(minMax([12, 7, 2])).toEqual([1, 0.5, 0])
  })

  it('survives a range that no double can hold', () => {
    expect(minMax([Number.MAX_VALUE, 0, -Number.MAX_VALUE])).toEqual([1, 0.5, 0])
  })
})

describe('zScore', () => {
  it('puts the worst hit one standard deviation above an absent record', () => {
    expect(zScore([3, 1])).toEqual([3, 1])
  })

  it('keeps the distances of the plain z-score', () => {
    const input = [9, 4, 4, 3]
    const mean = 5
    const deviation = Math.sqrt((16 + 1 + 1 + 4) / 4)
    const plain = input.map((score) => (score - mean) / deviation)
    const shifted = zScore(input)
    for (let i = 1; i < input.length; i++) {
      expect(shifted[0]! - shifted[i]!).toBeCloseTo(plain[0]! - plain[i]!, 12)
    }
  })
})

describe('max', () => {
  it('divides by the maximum and counts what is below 0 as 0', () => {
    expect(max([12, 6, 3, -1])).toEqual([1, 0.5, 0.25, 0])
  })

  it('counts all hits alike when no score is above 0', () => {
    expect(max([-1, -3])).toEqual([1, 1])
  })
})
