/**
 * Rarity of what `having` of `total` records have: `ln(1 + (N - n + 0.5) / (n + 0.5))`, the inverse document frequency of
 * BM25 as Lucene computes it. From nearly 0, for what all have, to about `ln N`; never negative.
 */
export function rarityOf(having: number, total: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5))
}
