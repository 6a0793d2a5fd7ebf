import type { FusedHit } from './fuse.ts'

/** Name of the contribution that the best other part of a document gives. */
export const documentContribution = 'document'

/**
 * Lets the parts of one document lift each other: a page whose other section answers the chunk is more likely to be the
 * right page than one with a single hit. Each part gets `share` times the fused score of the best other part that was
 * found, as one more contribution, so that contributions still add up to the score. Best first, ties by key.
 *
 * @param documentOf The document that a record is a part of; undefined for one that stands alone.
 * @param share 0 and up; 0 changes nothing.
 */
export function liftParts(
  fused: readonly FusedHit[],
  documentOf: (key: string) => string | undefined,
  share: number,
): readonly FusedHit[] {
  if (share === 0) return fused
  const best = new Map<string, { readonly first: FusedHit; second: number }>()
  for (const hit of fused) {
    const document = documentOf(hit.key)
    if (document === undefined) continue
    const known = best.get(document)
    // Best first: the first of a document is its best, the next one its second.
    if (known === undefined) best.set(document, { first: hit, second: 0 })
    else known.second = Math.max(known.second, hit.score)
  }
  const lifted = fused.map((hit) => {
    const document = documentOf(hit.key)
    const known = document === undefined ? undefined : best.get(document)
    const lift = known === undefined ? 0 : share * (known.first === hit ? known.second : known.first.score)
    if (lift === 0) return hit
    const contributions = new Map([...hit.contributions, [documentContribution, lift]])
    return { key: hit.key, score: hit.score + lift, contributions }
  })
  return lifted.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
}
