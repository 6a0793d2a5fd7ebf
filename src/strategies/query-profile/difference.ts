import type { Candidate, Json, Unjudged } from '../../contracts.ts'
import { keyOf } from '../../corpus/records.ts'
import type { StageLog } from '../../trace/recorder.ts'

/**
 * What a profile changed against the raw chunk alone: candidates gained, lost and moved, each with what was decided in
 * the end. Places are those of the fused order, from 1.
 */
export function describeDifference(
  raw: readonly Unjudged[],
  fused: readonly Unjudged[],
  final: readonly Candidate[],
): StageLog {
  const before = new Map(raw.map((candidate, index) => [keyOf(candidate), index + 1]))
  const after = new Map(fused.map((candidate, index) => [keyOf(candidate), index + 1]))
  const outcomes = new Map(final.map((candidate) => [keyOf(candidate), candidate.verdict.outcome]))
  const entry = (candidate: Unjudged): Record<string, Json> => {
    const key = keyOf(candidate)
    return {
      collection: candidate.collection,
      id: candidate.id,
      rankBefore: before.get(key) ?? null,
      rankAfter: after.get(key) ?? null,
      outcome: outcomes.get(key) ?? null,
    }
  }
  const moves = (candidate: Unjudged): boolean => {
    const key = keyOf(candidate)
    return before.has(key) && before.get(key) !== after.get(key)
  }
  return {
    gained: fused.filter((candidate) => !before.has(keyOf(candidate))).map(entry),
    lost: raw.filter((candidate) => !after.has(keyOf(candidate))).map(entry),
    moved: fused.filter(moves).map(entry),
  }
}
