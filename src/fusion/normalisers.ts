import { DirectEvidenceError } from '../errors.ts'

/**
 * Brings the scores of one list to a scale on which lists can be added.
 *
 * Takes the scores of the hits of one list, in any order; gives one number a score, in the same order. Every number is
 * finite and at least 0, because a record that is absent from the list contributes 0: a hit must never count less than
 * an absent record. A higher score never gets a lower number, and the order of the scores does not matter.
 */
export type Normaliser = (scores: readonly number[]) => readonly number[]

/**
 * What a hit is worth when its list does not tell its hits apart: all scores equal, or a single hit. It is the top of
 * the range of {@link minMax} and {@link max}, so a list with one hit still speaks with its whole weight, and the
 * bottom of the range of {@link zScore}, where a hit among equals stands out from nothing.
 */
const equalScores = 1

/**
 * Min-max: `(s - min) / (max - min)`.
 *
 * Range 0 to 1: the best hit gets 1 and the worst 0, the same as an absent record. Equal scores all get 1. Bruch et
 * al. 2023 (see {@link convexCombination}) find it a good choice for lexical and semantic scores. O(n).
 *
 * @throws `OPTION_INVALID` for a score that is NaN or infinite.
 * @example
 * ```ts
 * minMax([12, 7, 2]) // [1, 0.5, 0]
 * minMax([0.3, 0.3]) // [1, 1]
 * ```
 */
export function minMax(scores: readonly number[]): number[] {
  return positions(scores) ?? scores.map(() => equalScores)
}

/**
 * Z-score, shifted so that absence is the lowest value: `(s - min) / σ + 1`, with σ the population standard deviation.
 *
 * The plain z-score `(s - mean) / σ` puts half of the hits below 0, and an absent record, at 0, above them. Here an
 * absent record is taken to stand one standard deviation below the worst hit, and that place is called 0; the mean
 * cancels out. Differences between hits are those of the plain z-score. Range 1 to `1 + n / √(n - 1)` for n hits; equal
 * scores all get 1. O(n log n), because σ is summed in sorted order to be the same for every order of the hits.
 *
 * The z-score as a normaliser for fusion: Renda and Straccia, "Web metasearch: rank vs. score based rank aggregation
 * methods", SAC 2003. The shift is ours.
 *
 * @throws `OPTION_INVALID` for a score that is NaN or infinite.
 * @example
 * ```ts
 * zScore([3, 1]) // [3, 1]: σ is 1
 * zScore([0.3, 0.3]) // [1, 1]
 * ```
 */
export function zScore(scores: readonly number[]): number[] {
  // A z-score does not change with the scale, so it is computed on positions in 0..1, where no square can overflow.
  const unit = positions(scores)
  if (unit === undefined) return scores.map(() => equalScores)
  const ascending = unit.toSorted((a, b) => a - b)
  const mean = ascending.reduce((sum, value) => sum + value, 0) / ascending.length
  const variance = ascending.reduce((sum, value) => sum + (value - mean) ** 2, 0) / ascending.length
  const deviation = Math.sqrt(variance)
  return unit.map((value) => value / deviation + 1)
}

/**
 * Division by the maximum: `s / max`. (Some libraries call this min-max; it is not.)
 *
 * Range 0 to 1. Right for scores that have a true zero, such as BM25: half the score is worth half. A score below 0
 * counts as 0; when no score is above 0 there is nothing to divide by and all get 1. Equal positive scores get 1. O(n).
 *
 * Lee, "Analyses of multiple evidence combination", SIGIR 1997, describes it beside min-max.
 *
 * @throws `OPTION_INVALID` for a score that is NaN or infinite.
 * @example
 * ```ts
 * max([12, 6, 3]) // [1, 0.5, 0.25]
 * ```
 */
export function max(scores: readonly number[]): number[] {
  checkFinite(scores)
  const top = highest(scores)
  if (!(top > 0)) return scores.map(() => equalScores)
  return scores.map((score) => Math.max(score, 0) / top)
}

/** The normalisers by name. */
export const normalisers: { readonly minMax: Normaliser; readonly zScore: Normaliser; readonly max: Normaliser } = {
  minMax,
  zScore,
  max,
}

/** A key of `normalisers`. */
export type NormaliserName = keyof typeof normalisers

/** Where each score stands between the lowest (0) and the highest (1); undefined when they do not differ. */
function positions(scores: readonly number[]): number[] | undefined {
  checkFinite(scores)
  const top = highest(scores)
  const bottom = -highest(scores.map((score) => -score))
  if (!(top > bottom)) return undefined
  const range = top - bottom
  if (Number.isFinite(range)) return scores.map((score) => (score - bottom) / range)
  // The range of two finite numbers can be infinite; that of their halves cannot.
  return scores.map((score) => (score / 2 - bottom / 2) / (top / 2 - bottom / 2))
}

/** A loop, because `Math.max(...scores)` overflows the stack on a long list. */
function highest(scores: readonly number[]): number {
  let top = Number.NEGATIVE_INFINITY
  for (const score of scores) if (score > top) top = score
  return top
}

function checkFinite(scores: readonly number[]): void {
  const wrong = scores.findIndex((score) => !Number.isFinite(score))
  if (wrong === -1) return
  throw new DirectEvidenceError(
    'OPTION_INVALID',
    `A score to normalise is ${scores[wrong]} (at index ${wrong}); every score must be a finite number.`,
    { option: `scores.${wrong}` },
  )
}
