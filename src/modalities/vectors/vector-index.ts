/** One record found by its vector. */
export interface VectorHit {
  readonly id: string
  /** Cosine of the angle between record and query, -1 to 1. */
  readonly similarity: number
}

/** What a vector index is asked. */
export interface VectorSearch {
  /** Hits wanted, at least 1. */
  readonly limit: number
  /** Keeps a record in the search; acts before the cut at `limit`. */
  readonly keeps?: ((id: string) => boolean) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Finds the records of one collection whose vectors are nearest to a query's.
 *
 * Vectors are of any length but zero: only their direction counts. They are copied. Whoever owns the index sees to it
 * that it is not changed while a search or `prepare` runs (see `ReadWriteLock`).
 */
export interface VectorIndex {
  /** Records in the index; removed ones do not count. */
  readonly size: number
  /** Whether searches have nothing to prepare. */
  readonly ready: boolean
  /** Takes a vector in, in place of an earlier one of that id. */
  add(id: string, vector: Float32Array): void
  /** Forgets a vector; unknown ids are ignored. */
  remove(id: string): void
  /** Does outstanding work on what was added. Aborted, it can be called again and goes on. */
  prepare(signal?: AbortSignal): Promise<void>
  /** The nearest, `min(limit, size)` of them or all that are kept: similarity descending, then id ascending. */
  search(query: Float32Array, search: VectorSearch): Promise<readonly VectorHit[]>
}
