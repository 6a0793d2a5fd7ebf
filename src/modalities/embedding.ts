import { z } from 'zod'
import type {
  ChunkQuery,
  Degradation,
  Embedder,
  Hit,
  IndexedRecord,
  Modality,
  ModalityDefinition,
  SearchOptions,
  SearchResult,
} from '../contracts.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import { fieldTexts } from '../corpus/reading.ts'
import type { RecordKey } from '../corpus/records.ts'
import { hashedEmbedder } from '../models/hashed-embedder.ts'
import { parseOptions } from '../options.ts'
import { Pace } from '../pace.ts'
import { ReadWriteLock } from '../read-write-lock.ts'
import { embedQuery, embedRecords, isZero, type QueryVector } from './vectors/checked-embedder.ts'
import { loadHnswLibrary } from './vectors/hnsw.ts'
import { isFittable, Shelf, type ShelfPlan } from './vectors/shelf.ts'

/** Options of {@link embedding}. */
export interface EmbeddingOptions {
  /** Turns texts into vectors. Default: a {@link hashedEmbedder} of its own, which needs no model. */
  readonly embedder?: Embedder
  /**
   * How vectors are searched: `exact` compares with every one, `hnsw` walks a graph of the optional package
   * `hnswlib-node`, `auto` takes the graph for collections of `hnswThreshold` vectors and more. Default `auto`.
   */
  readonly index?: 'auto' | 'exact' | 'hnsw'
  /**
   * Vectors of a collection from which `auto` takes a graph; at least 1. Default 100,000: up to there the exact search
   * takes less than 30 ms at a width of 256, while building a graph takes about 0.4 s a thousand vectors.
   */
  readonly hnswThreshold?: number
  /** The text of a record that is embedded. Default: its searched fields, a line each. */
  readonly textOf?: (record: IndexedRecord) => string
  /** Texts a call of the embedder, at least 1. Default 64: large enough for a model, small enough to abort soon. */
  readonly batchSize?: number
  /** Calls of the embedder at a time while records are embedded, at least 1. Default 1; a server may stand more. */
  readonly concurrency?: number
}

const optionsSchema = z.strictObject({
  embedder: z
    .custom<Embedder>(isEmbedder, 'expected an Embedder: { id, dimensions (at least 1), embedDocuments, embedQueries }')
    .optional(),
  index: z.enum(['auto', 'exact', 'hnsw']).default('auto'),
  hnswThreshold: z.int().min(1).default(100_000),
  textOf: z
    .custom<(record: IndexedRecord) => string>((value) => typeof value === 'function', 'expected a function')
    .optional(),
  batchSize: z.int().min(1).default(64),
  concurrency: z.int().min(1).default(1),
})

/**
 * Search by meaning, or by whatever the embedder makes of it: the records whose vectors have the least angle to the
 * chunk's. Each collection has an index of its own.
 *
 * A hit's score is the cosine similarity, -1 to 1, and `why` is `{ similarity }`; ties are broken by id. A record whose
 * vector is zero is never a hit. An embedder that can be fitted is fitted to each collection: after a change of a
 * collection, `prepare` or the next search fits again and embeds all its records again. Any other embedder embeds a
 * record once, in `add`; when that fails, nothing of the batch is added.
 *
 * Degradations of a search, stage `embedding`: `query-vector-zero` (the query has nothing to compare), `no-vectors` (no
 * record of a collection has), `embedder-failed` (at the query; there are no hits), `hnsw-unavailable` (`auto` compares
 * with every vector, because the package is missing).
 *
 * @throws `OPTION_INVALID` for an unknown option or a value outside its range. The modality's methods throw
 * `EMBEDDER_INVALID` when the embedder fails on records or breaks its contract, and `DEPENDENCY_MISSING` when `hnsw` is
 * asked for and cannot be loaded.
 * @example
 * ```ts
 * const definition = embedding({ embedder: hashedEmbedder({ dimensions: 512 }), index: 'exact' })
 * ```
 */
export function embedding(options: EmbeddingOptions = {}): ModalityDefinition {
  const { embedder, textOf, ...plan } = parseOptions('embedding', optionsSchema, options)
  return {
    name: 'embedding',
    create: (knowledge) =>
      new EmbeddingModality({
        ...plan,
        embedder: embedder ?? hashedEmbedder(),
        textOf: textOf ?? ((record) => searchedText(record, knowledge)),
      }),
  }
}

class EmbeddingModality implements Modality {
  readonly name = 'embedding'
  readonly #plan: ShelfPlan
  readonly #shelves = new Map<string, Shelf>()
  /** Adds and removes take effect in the order of their calls; embedding happens here, while searches go on. */
  readonly #changes = new ReadWriteLock()
  /** Searches read side by side; what changes the shelves is alone. */
  readonly #lock = new ReadWriteLock()

  constructor(plan: ShelfPlan) {
    this.#plan = plan
  }

  async add(records: readonly IndexedRecord[], signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    await this.#changes.write(async () => {
      // Before hours of embedding, not after.
      if (this.#plan.index === 'hnsw') await loadHnswLibrary()
      const fittable = isFittable(this.#plan.embedder)
      const vectors = fittable ? [] : await embedRecords(this.#plan, records, signal)
      await this.#lock.write(async () => {
        // Not to be aborted half way: either all of the batch is in or nothing.
        const pace = new Pace()
        for (const [place, record] of records.entries()) {
          await pace.breathe()
          this.#shelfOf(record.collection).put(record, vectors[place])
        }
      }, signal)
    }, signal)
  }

  async remove(keys: readonly RecordKey[]): Promise<void> {
    await this.#changes.write(() =>
      this.#lock.write(async () => {
        for (const { collection, id } of keys) {
          const shelf = this.#shelves.get(collection)
          shelf?.take(id)
          if (shelf?.records.size === 0) this.#shelves.delete(collection)
        }
      }),
    )
  }

  async prepare(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    await this.#settle(undefined, signal)
  }

  async search(query: ChunkQuery, options: SearchOptions): Promise<SearchResult> {
    const { collections, signal } = options
    signal?.throwIfAborted()
    const queries = new Map<Embedder, QueryVector>()
    for (;;) {
      await this.#settle(collections, signal)
      for (const [, { embedder, index }] of this.#wanted(collections)) {
        if (index.size === 0 || queries.has(embedder)) continue
        queries.set(embedder, await embedQuery(embedder, query.chunkText, signal))
      }
      const result = await this.#lock.read(async () => {
        // Records may have come in while the query was embedded: then it is another generation, and settled first.
        const shelves = this.#wanted(collections)
        const settled = shelves.every(([, shelf]) => {
          return shelf.ready && (shelf.index.size === 0 || queries.has(shelf.embedder))
        })
        return settled ? await searchShelves(shelves, queries, options) : undefined
      }, signal)
      if (result !== undefined) return result
    }
  }

  async close(): Promise<void> {
    await this.#changes.write(() => this.#lock.write(async () => this.#shelves.clear()))
  }

  /** Each caller that finds work to do waits its turn; when it comes, the work is usually done already. */
  async #settle(collections: ReadonlySet<string> | undefined, signal: AbortSignal | undefined): Promise<void> {
    const unsettled = (): Shelf[] => this.#wanted(collections).flatMap(([, shelf]) => (shelf.ready ? [] : [shelf]))
    while (unsettled().length > 0) {
      await this.#lock.write(async () => {
        for (const shelf of unsettled()) await shelf.prepare(signal)
      }, signal)
    }
  }

  /** Name and shelf of the collections asked for, names ascending. */
  #wanted(collections: ReadonlySet<string> | undefined): [string, Shelf][] {
    const all = [...this.#shelves].filter(([name]) => collections === undefined || collections.has(name))
    return all.sort(([a], [b]) => (a < b ? -1 : 1))
  }

  #shelfOf(collection: string): Shelf {
    let shelf = this.#shelves.get(collection)
    if (shelf === undefined) {
      shelf = new Shelf(collection, this.#plan)
      this.#shelves.set(collection, shelf)
    }
    return shelf
  }
}

async function searchShelves(
  shelves: readonly (readonly [string, Shelf])[],
  queries: ReadonlyMap<Embedder, QueryVector>,
  { limit, filter, signal }: SearchOptions,
): Promise<SearchResult> {
  const hits: Hit[] = []
  const zero: string[] = []
  const empty: string[] = []
  const failures = new Set<string>()
  const missing = new Set<string>()
  for (const [collection, shelf] of shelves) {
    if (shelf.index.size === 0) {
      empty.push(collection)
      continue
    }
    if (shelf.graphMissing !== undefined) missing.add(shelf.graphMissing)
    const query = queries.get(shelf.embedder)!
    if ('failure' in query) failures.add(query.failure)
    else if (isZero(query.vector)) zero.push(collection)
    else {
      const keeps = filter && ((id: string) => filter(shelf.records.get(id)!.record))
      const found = await shelf.index.search(query.vector, { limit, keeps, signal })
      for (const [index, { id, similarity }] of found.entries()) {
        hits.push({ collection, id, rank: index + 1, score: similarity, why: { similarity } })
      }
    }
  }
  const degraded = [
    ...(zero.length > 0
      ? [degradation('query-vector-zero', `The query holds nothing to compare with the records of ${zero.join(', ')}.`)]
      : []),
    ...(empty.length > 0 ? [degradation('no-vectors', `No record of ${empty.join(', ')} holds text to compare.`)] : []),
    ...Array.from(failures, (message) => degradation('embedder-failed', message)),
    ...Array.from(missing, (message) => degradation('hnsw-unavailable', message)),
  ]
  return degraded.length > 0 ? { hits, degraded } : { hits }
}

function degradation(code: string, message: string): Degradation {
  return { stage: 'embedding', code, message }
}

function isEmbedder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { id, dimensions, embedDocuments, embedQueries } = value as Partial<Record<keyof Embedder, unknown>>
  return (
    typeof id === 'string' &&
    Number.isInteger(dimensions) &&
    (dimensions as number) > 0 &&
    typeof embedDocuments === 'function' &&
    typeof embedQueries === 'function'
  )
}

/** The searched fields of a record, a line each, as its collection defines them. */
function searchedText({ record }: IndexedRecord, knowledge: CorpusKnowledge): string {
  const collection = knowledge.collections.get(record.collection)
  if (collection === undefined) return ''
  return fieldTexts(record, collection)
    .flatMap(({ text, weight }) => (weight > 0 ? [text] : []))
    .join('\n')
}
