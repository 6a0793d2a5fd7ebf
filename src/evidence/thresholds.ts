/**
 * Where the literal validator draws its lines. Set on the development queries of two corpora, where they keep most
 * sections of the best grade; `bench/thresholds.ts` and `bench/verdicts.ts` print how judged records fare.
 */
export const thresholds = {
  /** Weight of evidence from which a record that is about no single name is accepted. */
  accept: 2.2,
  /** Weight from which it is left uncertain; below, what is shared is shared by chance. */
  uncertain: 0.9,
  /** Weight from which one line or chain alone keeps a record from being rejected. */
  telling: 0.45,
} as const

/** How many missing literals a verdict names. */
export const namedMissing = 6

/** How many pieces of evidence a verdict carries; the weight counts them all. */
export const namedEvidence = 24
