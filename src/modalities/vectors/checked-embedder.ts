import pLimit from 'p-limit'
import { unlessAborted } from '../../abortable.ts'
import type { Embedder, IndexedRecord } from '../../contracts.ts'
import { DirectEvidenceError, messageOf } from '../../errors.ts'
import { Pace } from '../../pace.ts'

/** How records become vectors. */
export interface EmbeddingPlan {
  readonly embedder: Embedder
  readonly textOf: (record: IndexedRecord) => string
  /** Texts a call of the embedder. */
  readonly batchSize: number
  /** Calls of the embedder at a time. */
  readonly concurrency: number
}

/**
 * Embeds records, in batches, and checks every vector before anybody uses it.
 *
 * @returns One vector a record, in order; zero vectors among them say that there is nothing to compare.
 * @throws `EMBEDDER_INVALID` when the embedder fails or breaks its contract; details name the first record concerned.
 * A `DirectEvidenceError` of the embedder (a missing dependency, say) is passed on.
 * @throws The reason of the signal when it is aborted.
 */
export async function embedRecords(
  plan: EmbeddingPlan,
  records: readonly IndexedRecord[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  // An embedder that never waits for anything would not let the event loop turn between its batches.
  const pace = new Pace(signal)
  const limit = pLimit(plan.concurrency)
  const batches: IndexedRecord[][] = []
  for (let from = 0; from < records.length; from += plan.batchSize)
    batches.push(records.slice(from, from + plan.batchSize))
  let failed = false
  const embedded = await Promise.all(
    batches.map((batch) =>
      limit(async () => {
        // One failure fails all: what still waits must not start.
        if (failed) return []
        try {
          signal?.throwIfAborted()
          await pace.breathe()
          return await embedBatch(plan, batch, signal)
        } catch (error) {
          failed = true
          throw error
        }
      }),
    ),
  )
  return embedded.flat()
}

async function embedBatch(
  { embedder, textOf }: EmbeddingPlan,
  batch: readonly IndexedRecord[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const texts = batch.map(textOf)
  let result: readonly Float32Array[]
  try {
    result = await unlessAborted(embedder.embedDocuments(texts, { signal }), signal)
  } catch (cause) {
    signal?.throwIfAborted()
    if (DirectEvidenceError.isInstance(cause)) throw cause
    const message = `The embedder ${embedder.id} failed on the batch that starts with ${named(batch[0])}`
    throw invalid(`${message}: ${messageOf(cause)}`, batch[0], cause)
  }
  check(embedder, result, batch)
  // Copies, because an embedder may write its next batch into the same memory.
  return result.map((vector) => vector.slice())
}

/** The vector of a query, or what the embedder said when it failed. */
export type QueryVector = { readonly vector: Float32Array } | { readonly failure: string }

/**
 * Embeds a query.
 *
 * @throws `EMBEDDER_INVALID` when the embedder breaks its contract, which no retry will mend.
 * @throws The reason of the signal when it is aborted.
 */
export async function embedQuery(
  embedder: Embedder,
  text: string,
  signal: AbortSignal | undefined,
): Promise<QueryVector> {
  let vectors: readonly Float32Array[]
  try {
    vectors = await unlessAborted(embedder.embedQueries([text], { signal }), signal)
  } catch (error) {
    signal?.throwIfAborted()
    return { failure: `The embedder ${embedder.id} failed on the query: ${messageOf(error)}` }
  }
  check(embedder, vectors, undefined)
  return { vector: vectors[0]!.slice() }
}

export function isZero(vector: Float32Array): boolean {
  return vector.every((value) => value === 0)
}

/** Vectors of a batch of records, or of one query when there are none. */
function check(embedder: Embedder, vectors: unknown, batch: readonly IndexedRecord[] | undefined): void {
  const count = batch?.length ?? 1
  const wrong = (index: number, what: string): DirectEvidenceError => {
    const record = batch?.[index]
    const contract = `it must give one Float32Array of ${embedder.dimensions} finite numbers a text`
    return invalid(`The embedder ${embedder.id} gave ${what} for ${named(record)}; ${contract}.`, record)
  }
  if (!Array.isArray(vectors)) throw wrong(0, 'no array')
  for (let index = 0; index < Math.min(count, vectors.length); index++) {
    const vector: unknown = vectors[index]
    if (!isFloat32Array(vector)) throw wrong(index, 'something else than a Float32Array')
    if (vector.length !== embedder.dimensions) throw wrong(index, `a vector of width ${vector.length}`)
    if (!vector.every((value) => Number.isFinite(value))) throw wrong(index, 'NaN or an infinite number')
  }
  if (vectors.length < count) throw wrong(vectors.length, `${vectors.length} vectors for ${count} texts and none`)
  if (vectors.length > count) throw wrong(0, `${vectors.length} vectors for ${count} texts, starting with the one`)
}

/** By its tag: arrays of native libraries can come from another realm than this code. */
function isFloat32Array(value: unknown): value is Float32Array {
  return Object.prototype.toString.call(value) === '[object Float32Array]'
}

function named(record: IndexedRecord | undefined): string {
  return record === undefined ? 'the query' : `record ${JSON.stringify(record.id)} of ${record.collection}`
}

function invalid(message: string, record: IndexedRecord | undefined, cause?: unknown): DirectEvidenceError {
  const details = record === undefined ? {} : { collection: record.collection, id: record.id }
  return new DirectEvidenceError('EMBEDDER_INVALID', message, cause === undefined ? details : { ...details, cause })
}
