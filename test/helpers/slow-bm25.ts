import { type Collection, type CorpusRecord, docsChunks } from 'direct-evidence'
import { readChunk } from '../../src/code/chunk.ts'
import { readRecord } from '../../src/corpus/reading.ts'
import { createVocabularies } from '../../src/corpus/vocabulary.ts'

interface SlowField {
  readonly weight: number
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

interface SlowRecord {
  readonly id: string
  readonly fields: readonly (SlowField | undefined)[]
}

/** BM25 as its formula is written: plain maps and sums, nothing computed before the query but its statistics. */
export class SlowBm25 {
  readonly #records: readonly SlowRecord[]
  readonly #having = new Map<string, Set<SlowRecord>>()
  readonly #averages: readonly number[]
  readonly #k1: number
  readonly #b: number

  constructor(
    records: readonly CorpusRecord[],
    { k1 = 1.2, b = 0.75 }: { readonly k1?: number; readonly b?: number } = {},
    collection: Collection = docsChunks,
  ) {
    this.#k1 = k1
    this.#b = b
    const vocabularies = createVocabularies()
    this.#records = records.map((record) => {
      const fields = new Array<SlowField | undefined>(collection.fields.length).fill(undefined)
      for (const { field, ids, counts, length } of readRecord(record, collection, vocabularies).terms) {
        const words = new Map(Array.from(ids, (term, index) => [vocabularies.terms.word(term), counts[index] ?? 0]))
        fields[field] = { weight: collection.fields[field]?.weight ?? Number.NaN, counts: words, length }
      }
      return { id: record.id, fields }
    })
    this.#averages = collection.fields.map((_, field) => {
      const lengths = this.#records.flatMap(({ fields }) => fields[field]?.length ?? [])
      return lengths.reduce((sum, length) => sum + length, 0) / lengths.length
    })
    for (const record of this.#records) {
      for (const word of record.fields.flatMap((field) => [...(field?.counts.keys() ?? [])])) {
        this.#having.set(word, (this.#having.get(word) ?? new Set()).add(record))
      }
    }
  }

  /** Every record that scores above 0, best first, ties by id. */
  search(chunkText: string, language?: string): { id: string; score: number }[] {
    const scores = new Map<string, number>()
    for (const [word, weight] of readChunk(chunkText, language).terms) {
      const having = this.#having.get(word) ?? new Set()
      const idf = Math.log(1 + (this.#records.length - having.size + 0.5) / (having.size + 0.5))
      for (const { id, fields } of having) {
        scores.set(id, (scores.get(id) ?? 0) + weight * idf * this.#shareOf(word, fields))
      }
    }
    return Array.from(scores, ([id, score]) => ({ id, score }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  }

  #shareOf(word: string, fields: readonly (SlowField | undefined)[]): number {
    let share = 0
    for (const [index, field] of fields.entries()) {
      const tf = field?.counts.get(word) ?? 0
      if (field === undefined || tf === 0) continue
      const norm = this.#k1 * (1 - this.#b + (this.#b * field.length) / (this.#averages[index] ?? Number.NaN))
      share += (field.weight * tf) / (tf + norm)
    }
    return share
  }
}
