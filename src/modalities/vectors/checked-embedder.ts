import type { Embedder } from '../../contracts.ts'
import type { RecordKey } from '../../corpus/records.ts'
import { DirectEvidenceError } from '../../errors.ts'

/** A text to embed and the record it was made of. */
export interface DocumentText extends RecordKey {
  readonly text: string
}

/**
 * Embeds the texts of records, in batches, and checks every vector before anybody uses it.
 *
 * @returns One vector a text, in order; zero vectors among them say that there is nothing to compare.
 * @throws `EMBEDDER_INVALID` when the embedder fails or breaks its contract; details name the first record concerned.
 * @throws The reason of the signal when it is aborted.
 */
export async function embedDocuments(
  embedder: Embedder,
  documents: readonly DocumentText[],
  batchSize: number,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let from = 0; from < documents.length; from += batchSize) {
    signal?.throwIfAborted()
    const batch = documents.slice(from, from + batchSize)
    const texts = batch.map(({ text }) => text)
    let result: readonly Float32Array[]
    try {
      result = await embedder.embedDocuments(texts, { signal })
    } catch (cause) {
      signal?.throwIfAborted()
      const where = `the batch that starts with ${described(batch[0])}`
      throw invalid(`The embedder ${embedder.id} failed on ${where}: ${messageOf(cause)}`, batch[0], cause)
    }
    signal?.throwIfAborted()
    check(embedder, result, batch.length, batch)
    for (const vector of result) vectors.push(vector)
  }
  return vectors
}

/**
 * Embeds a query.
 *
 * @throws `EMBEDDER_INVALID` when the embedder breaks its contract; what the embedder itself throws is passed on.
 */
export async function embedQuery(
  embedder: Embedder,
  text: string,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const vectors = await embedder.embedQueries([text], { signal })
  signal?.throwIfAborted()
  check(embedder, vectors, 1, [])
  return vectors[0]!
}

export function isZero(vector: Float32Array): boolean {
  return vector.every((value) => value === 0)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function check(embedder: Embedder, vectors: unknown, count: number, records: readonly RecordKey[]): void {
  const wrong = (index: number, what: string): DirectEvidenceError =>
    invalid(
      `The embedder ${embedder.id} gave ${what} for ${described(records[index])}; ` +
        `it must give one Float32Array of ${embedder.dimensions} finite numbers a text.`,
      records[index],
    )
  if (!Array.isArray(vectors)) throw wrong(0, 'no array')
  for (let index = 0; index < Math.min(count, vectors.length); index++) {
    const vector: unknown = vectors[index]
    if (!(vector instanceof Float32Array)) throw wrong(index, 'something else than a Float32Array')
    if (vector.length !== embedder.dimensions) throw wrong(index, `a vector of width ${vector.length}`)
    if (!vector.every(Number.isFinite)) throw wrong(index, 'a vector with NaN or an infinite number')
  }
  if (vectors.length !== count) {
    throw wrong(vectors.length < count ? vectors.length : 0, `${vectors.length} vectors for ${count} texts, none right`)
  }
}

function described(record: RecordKey | undefined): string {
  return record === undefined ? 'the query' : `record ${JSON.stringify(record.id)} of ${record.collection}`
}

function invalid(message: string, record: RecordKey | undefined, cause?: unknown): DirectEvidenceError {
  const details = record === undefined ? {} : { collection: record.collection, id: record.id }
  return new DirectEvidenceError('EMBEDDER_INVALID', message, cause === undefined ? details : { ...details, cause })
}
