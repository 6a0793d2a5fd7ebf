import type { Candidate } from '../contracts.ts'

/**
 * The candidate that came closest to being accepted: the best uncertain one, or the rejected one with the most evidence.
 * Its verdict says what it lacked. Undefined when something was accepted, or when nothing has any evidence.
 */
export function nearMissOf(candidates: readonly Candidate[]): Candidate | undefined {
  let nearest: Candidate | undefined
  for (const candidate of candidates) {
    const { outcome } = candidate.verdict
    if (outcome === 'accept') return undefined
    if (nearest === undefined ? weightOf(candidate) > 0 || outcome === 'uncertain' : isNearer(candidate, nearest))
      nearest = candidate
  }
  return nearest
}

/** Whether one candidate, which is ranked lower, came closer all the same. */
function isNearer(a: Candidate, b: Candidate): boolean {
  const undecided = Number(a.verdict.outcome === 'uncertain') - Number(b.verdict.outcome === 'uncertain')
  if (undecided !== 0) return undecided > 0
  return a.verdict.outcome === 'reject' && weightOf(a) > weightOf(b)
}

function weightOf({ verdict }: Candidate): number {
  return verdict.evidence.reduce((sum, { weight }) => sum + weight, 0)
}
