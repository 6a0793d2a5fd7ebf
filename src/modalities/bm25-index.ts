import type { IndexedRecord } from '../contracts.ts'
import { rarityOf } from '../corpus/rarity.ts'
import type { FieldTerms } from '../corpus/reading.ts'
import type { CorpusRecord } from '../corpus/records.ts'
import { Pace } from '../pace.ts'
import { buildPostings, type EmitRows, type Postings } from './postings.ts'
import { type Scored, topOf } from './top.ts'

/** The two parameters of BM25. */
export interface Bm25Parameters {
  /** How soon a repeated term stops adding: 0 counts presence alone. Default 1.2 (Robertson and Zaragoza 2009). */
  readonly k1: number
  /** How much a field's length counts against it, 0 to 1. Default 0.75 (same source). */
  readonly b: number
}

/**
 * BM25 of one collection, compiled: the share of each term in each record's score is computed when the index is
 * built, so that a query adds numbers and nothing else.
 *
 * Score of record `d` for query terms `t` with weights `q`:
 *
 * `sum over t of q(t) * idf(t) * sum over fields f of weight(f) * tf / (tf + k1 * (1 - b + b * length / average))`
 *
 * with `idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5))` (never negative), `n` the records of the collection that have the
 * term in a searched field, `N` its records, `tf` the occurrences in the field, `length` the words of the field and
 * `average` their mean over the records that have the field: BM25 as Lucene computes it, summed over fields. All in
 * float64; query terms are added in the order they are given in, so that equal input gives equal bits.
 */
export class Bm25Index {
  readonly records: readonly IndexedRecord[]
  readonly #postings: Postings
  readonly #scores: Float64Array
  /** By place: 1 + index among the records that are being explained, or 0. */
  readonly #slots: Uint32Array

  private constructor(records: readonly IndexedRecord[], postings: Postings) {
    this.records = records
    this.#postings = postings
    this.#scores = new Float64Array(records.length)
    this.#slots = new Uint32Array(records.length)
  }

  /** Builds in time linear in the postings. `fieldWeights` are indexed as the collection's fields; `rows` bounds term ids. */
  static async build(
    records: readonly IndexedRecord[],
    fieldWeights: readonly number[],
    rows: number,
    parameters: Bm25Parameters,
    signal?: AbortSignal,
  ): Promise<Bm25Index> {
    const averages = averageLengths(records, fieldWeights.length)
    const idf = await inverseFrequencies(records, rows, signal)
    const rowsOf: EmitRows = (place, emit) => {
      const shares = sharesOf(records[place]!.reading.terms, fieldWeights, averages, parameters)
      for (const [term, share] of shares) emit(term, share * idf[term]!)
    }
    return new Bm25Index(records, await buildPostings(rows, records.length, rowsOf, signal))
  }

  /** How many postings the index holds; a query touches those of its terms. */
  get size(): number {
    return this.#postings.places.length
  }

  /** The best records for weighted terms; only records that share a term with positive weight. O(postings touched + N). */
  search(
    query: readonly (readonly [term: number, weight: number])[],
    limit: number,
    filter: ((record: CorpusRecord) => boolean) | undefined,
  ): Scored[] {
    const scores = this.#scores.fill(0)
    const { offsets, places, values } = this.#postings
    for (const [term, weight] of query) {
      if (term + 1 >= offsets.length) continue
      const to = offsets[term + 1]!
      for (let at = offsets[term]!; at < to; at++) scores[places[at]!]! += weight * values[at]!
    }
    return topOf(scores, limit, filter && ((place) => filter(this.records[place]!.record)))
  }

  /** Whether some record of the collection has the term in a searched field. */
  has(term: number): boolean {
    const { offsets } = this.#postings
    return term + 1 < offsets.length && offsets[term]! < offsets[term + 1]!
  }

  /** For each of some records, in order, the query terms that add most to its score: at most `most`, strongest first. */
  strongestTerms(
    query: readonly (readonly [term: number, weight: number])[],
    records: readonly Scored[],
    most: number,
  ): number[][] {
    const { offsets, places, values } = this.#postings
    const slots = this.#slots
    const strongest = records.map(() => new StrongestTerms(most))
    for (const [index, { place }] of records.entries()) slots[place] = index + 1
    for (const [term, weight] of query) {
      const to = offsets[term + 1] ?? 0
      for (let at = offsets[term] ?? 0; at < to; at++) {
        const slot = slots[places[at]!]!
        if (slot > 0) strongest[slot - 1]!.offer(term, weight * values[at]!)
      }
    }
    for (const { place } of records) slots[place] = 0
    return strongest.map(({ terms }) => terms)
  }
}

/** The few terms with the greatest shares of one record's score; equal shares stay in the order in which they came. */
class StrongestTerms {
  readonly terms: number[] = []
  readonly #shares: number[] = []
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  offer(term: number, share: number): void {
    let at = this.terms.length
    if (at === this.#most && share <= this.#shares[--at]!) return
    for (; at > 0 && this.#shares[at - 1]! < share; at--) {
      this.terms[at] = this.terms[at - 1]!
      this.#shares[at] = this.#shares[at - 1]!
    }
    this.terms[at] = term
    this.#shares[at] = share
  }
}

function averageLengths(records: readonly IndexedRecord[], fields: number): number[] {
  const totals = new Array<number>(fields).fill(0)
  const counts = new Array<number>(fields).fill(0)
  for (const { reading } of records) {
    for (const { field, length } of reading.terms) {
      totals[field]! += length
      counts[field]!++
    }
  }
  return totals.map((total, field) => total / Math.max(1, counts[field]!))
}

async function inverseFrequencies(
  records: readonly IndexedRecord[],
  rows: number,
  signal: AbortSignal | undefined,
): Promise<Float64Array> {
  const pace = new Pace(signal)
  const having = new Uint32Array(rows)
  const seenBy = new Int32Array(rows).fill(-1)
  for (let place = 0; place < records.length; place++) {
    for (const { ids } of records[place]!.reading.terms) {
      for (const term of ids) {
        if (seenBy[term] === place) continue
        seenBy[term] = place
        having[term]!++
      }
    }
    await pace.breathe()
  }
  return Float64Array.from(having, (n) => rarityOf(n, records.length))
}

function sharesOf(
  fields: readonly FieldTerms[],
  weights: readonly number[],
  averages: readonly number[],
  { k1, b }: Bm25Parameters,
): Map<number, number> {
  const shares = new Map<number, number>()
  for (const { field, ids, counts, length } of fields) {
    const norm = k1 * (1 - b + (b * length) / averages[field]!)
    for (let index = 0; index < ids.length; index++) {
      const term = ids[index]!
      const count = counts[index]!
      shares.set(term, (shares.get(term) ?? 0) + (weights[field]! * count) / (count + norm))
    }
  }
  return shares
}
