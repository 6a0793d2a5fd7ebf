import { z } from 'zod'
import { DirectEvidenceError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import {
  type FusedHit,
  type Fusion,
  type FusionWeights,
  fuseLists,
  type RankedList,
  type WeightedList,
  weightsSchema,
} from './fuse.ts'
import { type Normaliser, type NormaliserName, normalisers } from './normalisers.ts'

/** Options of {@link convexCombination}. */
export interface ConvexCombinationOptions {
  /** How the scores of a list are brought to a common scale: a name, or a function of your own. Default `minMax`. */
  readonly normaliser?: NormaliserName | Normaliser
  /** Weights by list name; they are divided by their sum over the lists that are fused. Default 1 each. */
  readonly weights?: FusionWeights
}

const optionsSchema = z.strictObject({
  normaliser: z
    .union([
      z.enum(['minMax', 'zScore', 'max']),
      z.custom<Normaliser>((value) => typeof value === 'function', 'expected a function'),
    ])
    .default('minMax'),
  weights: weightsSchema.default({}),
})

/**
 * Convex combination: a list gives a record `weight / sum of weights * normalised score`.
 *
 * Unlike reciprocal rank fusion it keeps how far apart the scores of a list are. A record that a list lacks gets
 * nothing from it, which no normalised score is below. A list without hits keeps its share of the weights. O(n log n)
 * for n hits in all.
 *
 * Bruch, Gai and Ingber, "An analysis of fusion functions for hybrid retrieval", ACM Transactions on Information
 * Systems 42(1), 2023.
 *
 * @throws `OPTION_INVALID` for an unknown option, a weight that is negative or not finite, weights that are all 0, or
 * (from `fuse`) a normaliser that does not give one finite number from 0 up for every score.
 * @example
 * ```ts
 * const fusion = convexCombination({ normaliser: 'minMax', weights: { bm25: 3, embedding: 1 } })
 * fusion.fuse([
 *   { name: 'bm25', hits: [{ key: 'a', rank: 1, score: 9.1 }] },
 *   { name: 'embedding', hits: [{ key: 'b', rank: 1, score: 0.8 }] },
 * ]) // a (0.75), then b (0.25)
 * ```
 */
export function convexCombination(options: ConvexCombinationOptions = {}): Fusion {
  const { normaliser, weights } = parseOptions('convexCombination', optionsSchema, options)
  const named = typeof normaliser === 'string'
  const normalise = named ? normalisers[normaliser] : normaliser
  return {
    name: `convex(${named ? normaliser : normaliser.name || 'custom'})`,
    fuse: (lists: readonly RankedList[]): readonly FusedHit[] =>
      fuseLists(lists, weights, (list, all) => {
        const share = shareOf(list, all)
        return checked(list, normalise).map((score) => share * score)
      }),
  }
}

/** Weights are put in relation to the largest first, so that their sum cannot overflow. */
function shareOf(list: WeightedList, all: readonly WeightedList[]): number {
  let largest = 0
  for (const { weight } of all) if (weight > largest) largest = weight
  let sum = 0
  for (const { weight } of all) sum += weight / largest
  return list.weight / largest / sum
}

function checked(list: WeightedList, normalise: Normaliser): readonly number[] {
  const values = normalise(list.hits.map((hit) => hit.score))
  if (values.length === list.hits.length && values.every((value) => Number.isFinite(value) && value >= 0)) return values
  throw new DirectEvidenceError(
    'OPTION_INVALID',
    `The normaliser must give one finite number from 0 up for every score; it did not for list "${list.name}".`,
    { option: 'normaliser' },
  )
}
