import { z } from 'zod'
import { DirectEvidenceError } from '../errors.ts'

/** One hit of a ranked list. */
export interface RankedHit {
  /** The record; the same record has the same key in every list (see `keyOf`). */
  readonly key: string
  /** Place in the list, from 1. Equal ranks are allowed. */
  readonly rank: number
  /** The list's own score, any finite number, higher is better. */
  readonly score: number
}

/**
 * What one modality found. The order of `hits` does not matter, `rank` says it. A key may stand more than once; it
 * counts once, at its best rank (and with the higher score where ranks are equal).
 */
export interface RankedList {
  /** Unique among the lists that are fused together. */
  readonly name: string
  readonly hits: readonly RankedHit[]
}

/** One record of the fused ranking. */
export interface FusedHit {
  readonly key: string
  /** The sum of `contributions`, added in their order; at least 0. */
  readonly score: number
  /** By list name, ascending: what each list that has the record gave. A list without the record gave nothing. */
  readonly contributions: ReadonlyMap<string, number>
}

/** Makes one ranking of several. Pure: the same lists give the same ranking, in whatever order they come. */
export interface Fusion {
  /** Method and parameters, for the trace. */
  readonly name: string
  /**
   * Every record of every list once, by score descending, then key ascending (code units).
   *
   * @throws `OPTION_INVALID` when two lists share a name, a rank is not a whole number from 1, a score is not finite,
   * or every list has weight 0.
   */
  fuse(lists: readonly RankedList[]): readonly FusedHit[]
}

/**
 * Weights by list name, finite and at least 0. A list that is not named has weight 1.
 *
 * One weight may be 0 to switch a list off. Two or more that are all 0 are refused, even though a list that is not
 * named could still count: nobody who wrote only zeros said what the ranking should rest on.
 */
export type FusionWeights = Readonly<Record<string, number>>

/** Schema of {@link FusionWeights}. */
export const weightsSchema: z.ZodType<FusionWeights> = z
  .record(z.string(), z.number().min(0))
  .refine((weights) => Object.values(weights).length < 2 || Object.values(weights).some((weight) => weight > 0), {
    message: 'all weights are 0; give at least one list a weight above 0',
  })

/** A list ready to be fused: every key once, best rank first, with the weight of the list. */
export interface WeightedList {
  readonly name: string
  readonly weight: number
  readonly hits: readonly RankedHit[]
}

/**
 * The part that all methods share: checks the lists, takes every key once, adds up and sorts.
 *
 * @param terms What one list gives to each of its hits, in the order of `hits`; finite, at least 0. It sees all lists,
 * so that weights can be put in relation.
 */
export function fuseLists(
  lists: readonly RankedList[],
  weights: FusionWeights,
  terms: (list: WeightedList, all: readonly WeightedList[]) => readonly number[],
): readonly FusedHit[] {
  const weighted = prepare(lists, weights)
  const contributions = new Map<string, Map<string, number>>()
  for (const list of weighted) {
    const values = terms(list, weighted)
    for (const [index, hit] of list.hits.entries()) {
      const ofKey = contributions.get(hit.key)
      const value = values[index]!
      if (ofKey === undefined) contributions.set(hit.key, new Map([[list.name, value]]))
      else ofKey.set(list.name, value)
    }
  }
  const fused = Array.from(contributions, ([key, ofKey]): FusedHit => {
    let score = 0
    for (const value of ofKey.values()) score += value
    return { key, score, contributions: ofKey }
  })
  return fused.sort((a, b) => b.score - a.score || compareText(a.key, b.key))
}

/** Lists by name, so that sums of floating point numbers do not depend on the order in which lists were given. */
function prepare(lists: readonly RankedList[], weights: FusionWeights): readonly WeightedList[] {
  const weighted = lists
    .map((list) => ({
      name: list.name,
      weight: Object.hasOwn(weights, list.name) ? weights[list.name]! : 1,
      hits: distinct(list),
    }))
    .sort((a, b) => compareText(a.name, b.name))
  for (const [index, list] of weighted.entries()) {
    if (list.name === weighted[index + 1]?.name) {
      throw invalid(`lists.${list.name}`, `Two ranked lists are named "${list.name}"; give each list its own name.`)
    }
  }
  if (weighted.length > 0 && weighted.every((list) => list.weight === 0)) {
    const names = weighted.map((list) => list.name).join(', ')
    throw invalid('weights', `Every list to fuse has weight 0 (${names}); give at least one a weight above 0.`)
  }
  return weighted
}

function distinct(list: RankedList): readonly RankedHit[] {
  const best = new Map<string, RankedHit>()
  for (const hit of list.hits) {
    if (!Number.isInteger(hit.rank) || hit.rank < 1) {
      const message = `List "${list.name}" ranks ${JSON.stringify(hit.key)} ${hit.rank}; ranks are whole numbers from 1.`
      throw invalid(`lists.${list.name}.rank`, message)
    }
    if (!Number.isFinite(hit.score)) {
      const message = `List "${list.name}" scores ${JSON.stringify(hit.key)} ${hit.score}; scores are finite numbers.`
      throw invalid(`lists.${list.name}.score`, message)
    }
    const other = best.get(hit.key)
    if (other === undefined || hit.rank < other.rank || (hit.rank === other.rank && hit.score > other.score)) {
      best.set(hit.key, hit)
    }
  }
  return [...best.values()].sort((a, b) => a.rank - b.rank || compareText(a.key, b.key))
}

function invalid(option: string, message: string): DirectEvidenceError {
  return new DirectEvidenceError('OPTION_INVALID', message, { option })
}

/** By code units: the order of a locale would differ between machines. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
