import { unlessAborted } from '../../abortable.ts'
import type { Embedder, IndexedRecord } from '../../contracts.ts'
import { DirectEvidenceError, messageOf } from '../../errors.ts'
import type { FittableEmbedder } from '../../models/hashed-embedder.ts'
import { Pace } from '../../pace.ts'
import { type EmbeddingPlan, embedRecords, isZero } from './checked-embedder.ts'
import { ExactIndex } from './exact.ts'
import { HnswIndex, loadHnswLibrary } from './hnsw.ts'
import type { VectorIndex } from './vector-index.ts'

/** Everything that is decided once for all collections. */
export interface ShelfPlan extends EmbeddingPlan {
  readonly index: 'auto' | 'exact' | 'hnsw'
  /** Vectors from which `auto` takes a graph. */
  readonly hnswThreshold: number
}

/** An embedder that has to see the records before it embeds them. */
export function isFittable(embedder: Embedder): embedder is FittableEmbedder {
  return 'fit' in embedder && typeof embedder.fit === 'function'
}

/**
 * The records of one collection and their vectors. Nothing may be changed while a search runs; the modality's gate sees
 * to that.
 */
export class Shelf {
  readonly records: Map<string, IndexedRecord> = new Map()
  readonly #collection: string
  readonly #plan: ShelfPlan
  #embedder: Embedder
  #index: VectorIndex
  /** A fittable embedder has not seen the records as they are. */
  #unfitted = false
  #graphMissing: string | undefined

  constructor(collection: string, plan: ShelfPlan) {
    this.#collection = collection
    this.#plan = plan
    this.#embedder = plan.embedder
    this.#index = new ExactIndex(plan.embedder.dimensions)
  }

  /** The embedder whose vectors the index holds; queries must be embedded by the same. */
  get embedder(): Embedder {
    return this.#embedder
  }

  get index(): VectorIndex {
    return this.#index
  }

  /** Whether a search has nothing to wait for. */
  get ready(): boolean {
    return !this.#unfitted && this.#index.ready && !this.#lacksGraph
  }

  /** Why the collection is searched without the graph it should have by its size. */
  get graphMissing(): string | undefined {
    return this.#wantsGraph ? this.#graphMissing : undefined
  }

  /** Takes a record in; a fittable embedder's vector comes with the next {@link prepare}. */
  put(record: IndexedRecord, vector: Float32Array | undefined): void {
    this.records.set(record.id, record)
    if (vector === undefined) this.#unfitted = true
    else if (isZero(vector)) this.#index.remove(record.id)
    else this.#index.add(record.id, vector)
  }

  take(id: string): void {
    if (!this.records.delete(id)) return
    this.#index.remove(id)
    if (isFittable(this.#plan.embedder)) this.#unfitted = true
  }

  /** Does what {@link ready} waits for. When it fails or is aborted, what was there before is still there. */
  async prepare(signal: AbortSignal | undefined): Promise<void> {
    if (this.#unfitted) await this.#fit(signal)
    if (this.#lacksGraph) await this.#plantGraph()
    await this.#index.prepare(signal)
  }

  async #fit(signal: AbortSignal | undefined): Promise<void> {
    // In the order of ids, so that no embedder can make the order of adding matter.
    const ids = [...this.records.keys()].sort()
    const records = ids.map((id) => this.records.get(id)!)
    const embedder = await this.#fitted(records, signal)
    const vectors = await embedRecords({ ...this.#plan, embedder }, records, signal)
    const index = new ExactIndex(embedder.dimensions)
    const pace = new Pace(signal)
    for (const [place, vector] of vectors.entries()) {
      await pace.breathe()
      if (!isZero(vector)) index.add(ids[place]!, vector)
    }
    this.#embedder = embedder
    this.#index = index
    this.#unfitted = false
  }

  async #fitted(records: readonly IndexedRecord[], signal: AbortSignal | undefined): Promise<Embedder> {
    const { embedder, textOf } = this.#plan
    if (!isFittable(embedder)) return embedder
    const texts = function* (): Iterable<string> {
      for (const record of records) yield textOf(record)
    }
    try {
      return await unlessAborted(embedder.fit(texts(), { signal }), signal)
    } catch (cause) {
      signal?.throwIfAborted()
      if (DirectEvidenceError.isInstance(cause)) throw cause
      const message = `The embedder ${embedder.id} could not be fitted to ${this.#collection}: ${messageOf(cause)}`
      throw new DirectEvidenceError('EMBEDDER_INVALID', message, { collection: this.#collection, cause })
    }
  }

  get #wantsGraph(): boolean {
    const { index, hnswThreshold } = this.#plan
    return index === 'hnsw' || (index === 'auto' && this.#index.size >= hnswThreshold)
  }

  get #lacksGraph(): boolean {
    return this.#wantsGraph && this.#index instanceof ExactIndex && this.#graphMissing === undefined
  }

  async #plantGraph(): Promise<void> {
    if (!(this.#index instanceof ExactIndex)) return
    try {
      this.#index = new HnswIndex(this.#index, this.#embedder.dimensions, await loadHnswLibrary())
    } catch (error) {
      if (this.#plan.index === 'hnsw' || !DirectEvidenceError.isInstance(error)) throw error
      this.#graphMissing = error.message
    }
  }
}
