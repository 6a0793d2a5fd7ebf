import type { Candidate, RetrievalResult, Trace } from 'direct-evidence'

/** The ids of candidates, in their order. */
export function idsOf(candidates: readonly { readonly id: string }[]): string[] {
  return candidates.map(({ id }) => id)
}

/** The candidate with an id; fails when there is none or more than one. */
export function candidateOf({ candidates }: RetrievalResult, id: string): Candidate {
  const [candidate, second] = candidates.filter((each) => each.id === id)
  if (candidate === undefined || second !== undefined) throw new Error(`${id} is not a candidate, or is one twice`)
  return candidate
}

/** A trace as it must be equal between runs. */
export function withoutTimes(trace: Trace): unknown {
  return { ...trace, stages: trace.stages.map((stage) => ({ ...stage, ms: 0 })) }
}

/** What two retrievals must have in common, byte for byte. */
export function bytesOf({ candidates, trace }: RetrievalResult): string {
  return JSON.stringify({ candidates, trace: withoutTimes(trace) })
}

/** Where two texts part, with what stands around it; empty when they are equal. Results are too long to be printed. */
export function firstDifference(a: string, b: string): string {
  if (a === b) return ''
  let at = 0
  while (a[at] === b[at]) at++
  return `${a.slice(Math.max(0, at - 80), at + 40)} <> ${b.slice(Math.max(0, at - 80), at + 40)}`
}
