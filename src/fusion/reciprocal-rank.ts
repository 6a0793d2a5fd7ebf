import { z } from 'zod'
import { parseOptions } from '../options.ts'
import { type FusedHit, type Fusion, type FusionWeights, fuseLists, type RankedList, weightsSchema } from './fuse.ts'

/** Options of {@link reciprocalRankFusion}. */
export interface ReciprocalRankOptions {
  /**
   * How slowly a term falls with the rank; a finite number, at least 0. Default 60, the value Cormack et al. fixed in a
   * pilot study and found to be near the best on every collection they tried.
   */
  readonly k?: number
  /** Weights by list name. Default 1 each. */
  readonly weights?: FusionWeights
}

const optionsSchema = z.strictObject({
  k: z.number().min(0).default(60),
  weights: weightsSchema.default({}),
})

/**
 * Weighted reciprocal rank fusion: a list gives a record `weight / (k + rank)`, rank from 1.
 *
 * Scores of the lists are not looked at, so lists of any scale can be fused. A list gives one term a record, at its
 * best rank; a record that a list lacks gets no term from it. A list of weight 0 gives terms of 0: its records stay in
 * the ranking. O(n log n) for n hits in all.
 *
 * Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
 * SIGIR 2009. The weights are the usual extension.
 *
 * @throws `OPTION_INVALID` for an unknown option, a `k` or weight that is negative or not finite, or weights that are
 * all 0.
 * @example
 * ```ts
 * const fusion = reciprocalRankFusion({ weights: { literal: 2 } })
 * fusion.fuse([
 *   { name: 'bm25', hits: [{ key: 'a', rank: 1, score: 9.1 }] },
 *   { name: 'literal', hits: [{ key: 'b', rank: 1, score: 3 }] },
 * ]) // b (2/61), then a (1/61)
 * ```
 */
export function reciprocalRankFusion(options: ReciprocalRankOptions = {}): Fusion {
  const { k, weights } = parseOptions('reciprocalRankFusion', optionsSchema, options)
  return {
    name: `reciprocalRank(k=${k})`,
    fuse: (lists: readonly RankedList[]): readonly FusedHit[] =>
      fuseLists(lists, weights, (list) => list.hits.map((hit) => list.weight / (k + hit.rank))),
  }
}
