/**
 * Where the literal validator draws its lines. Set on the development queries of two corpora, where they keep most
 * sections of the best grade; `bench/thresholds.ts` and `bench/verdicts.ts` print how judged records fare.
 */
export const thresholds = {
  /** Weight of evidence from which a record that is about no single name is accepted, if it covers enough of the chunk. */
  accept: 1.8,
  /** Share of what the chunk has to share with the collection that such a record must cover. */
  covered: 0.3,
  /** Weight of whole lines in common that is enough, however long the chunk is. */
  lines: 2,
  /** Rarity share from which few records state a literal: 4 of 22,000, 1 of 1,000 or fewer. */
  fewRecords: 0.79,
  /** Weight from which it is left uncertain; below, what is shared is shared by chance. */
  uncertain: 0.9,
  /** Weight of code that a record about one name shares beside it from which it is accepted without that name. */
  beside: 2.2,
  /** Weight from which one line or chain alone keeps a record from being rejected. */
  telling: 0.45,
} as const

/** How many missing literals a verdict names. */
export const namedMissing = 6

/** How many pieces of evidence a verdict carries; the weight counts them all. */
export const namedEvidence = 24
