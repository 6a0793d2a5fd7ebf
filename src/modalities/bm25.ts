import { z } from 'zod'
import type { ChunkQuery, Hit, Modality, ModalityDefinition, SearchOptions, SearchResult } from '../contracts.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import { parseOptions } from '../options.ts'
import { Bm25Index } from './bm25-index.ts'
import { CollectionIndexes } from './collection-indexes.ts'
import { hitsOf } from './hits.ts'
import { TermExpander } from './term-expander.ts'

/** Options of {@link bm25}. */
export interface Bm25Options {
  /** Saturation of repeated terms, 0 or more. Default 1.2. */
  readonly k1?: number
  /** Length normalisation, 0 to 1. Default 0.75. */
  readonly b?: number
  /**
   * A query of at most this many distinct terms is a person's, not a chunk: its terms also match by prefix and by
   * spelling. Default 6; 0 switches it off.
   */
  readonly shortQuery?: number
}

const optionsSchema = z.strictObject({
  k1: z.number().min(0).default(1.2),
  b: z.number().min(0).max(1).default(0.75),
  shortQuery: z.int().min(0).default(6),
})

/** Terms named in a hit: enough to see why, few enough to read. */
const namedTerms = 8

/**
 * Lexical search: BM25 over the searched fields of each collection, by that collection's own statistics.
 *
 * The query is the chunk's terms, each once, weighted by its role in the code. Hits say which terms added most. The score
 * of record `d` for terms `t` with weights `q` is Lucene's BM25, summed over fields (Robertson and Zaragoza 2009):
 *
 * `sum over t of q(t) * idf(t) * sum over fields f of weight(f) * tf / (tf + k1 * (1 - b + b * length / average))`
 *
 * with `idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5))`, `n` of the collection's `N` records having the term.
 */
export function bm25(options: Bm25Options = {}): ModalityDefinition {
  const { k1, b, shortQuery } = parseOptions('bm25', optionsSchema, options)
  return { name: 'bm25', create: (knowledge) => new Bm25Modality(knowledge, { k1, b }, shortQuery) }
}

class Bm25Modality implements Modality {
  readonly name = 'bm25'
  readonly #knowledge: CorpusKnowledge
  readonly #shortQuery: number
  readonly #indexes: CollectionIndexes<Bm25Index>
  readonly #expander: TermExpander
  readonly add: Modality['add']
  readonly remove: Modality['remove']
  readonly prepare: (signal?: AbortSignal) => Promise<void>

  constructor(knowledge: CorpusKnowledge, parameters: { k1: number; b: number }, shortQuery: number) {
    this.#knowledge = knowledge
    this.#shortQuery = shortQuery
    this.#expander = new TermExpander(knowledge.vocabularies.terms)
    this.#indexes = new CollectionIndexes((collection, records, signal) => {
      const weights = knowledge.collections.get(collection)?.fields.map(({ weight }) => weight) ?? []
      return Bm25Index.build(records, weights, knowledge.vocabularies.terms.size, parameters, signal)
    })
    this.add = async (records) => this.#indexes.add(records)
    this.remove = async (keys) => this.#indexes.remove(keys)
    this.prepare = (signal) => this.#indexes.prepare(signal)
  }

  async search(query: ChunkQuery, { limit, collections, filter, signal }: SearchOptions): Promise<SearchResult> {
    const { terms: vocabulary } = this.#knowledge.vocabularies
    const names = this.#indexes.names(collections)
    const indexes: Bm25Index[] = []
    for (const name of names) {
      signal?.throwIfAborted()
      indexes.push(await this.#indexes.of(name))
    }
    const weighted = await this.#weighted(query.reading.terms, indexes)
    const hits: Hit[] = []
    for (const index of indexes) {
      const top = index.search(weighted, limit, filter)
      const terms = index.strongestTerms(weighted, top, namedTerms)
      hits.push(...hitsOf(top, index.records, (at) => ({ terms: terms[at]!.map((term) => vocabulary.word(term)) })))
    }
    return { hits }
  }

  /** Term ids with their weights, in the order of the words: floating-point sums depend on it, and ids on the corpus. */
  async #weighted(
    terms: ReadonlyMap<string, number>,
    indexes: readonly Bm25Index[],
  ): Promise<(readonly [term: number, weight: number])[]> {
    const { terms: vocabulary } = this.#knowledge.vocabularies
    const words =
      terms.size <= this.#shortQuery
        ? await this.#expander.expand(terms, (term) => indexes.some((index) => index.has(term)))
        : terms
    const sorted = [...words].sort(([a], [b]) => (a < b ? -1 : 1))
    return sorted.flatMap(([word, weight]) => {
      const term = vocabulary.find(word)
      return term === undefined ? [] : [[term, weight] as const]
    })
  }
}
