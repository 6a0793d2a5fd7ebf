import { z } from 'zod'
import type { ChunkQuery, Hit, Modality, ModalityDefinition, SearchOptions, SearchResult } from '../contracts.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import { probesOf } from '../corpus/probes.ts'
import { parseOptions } from '../options.ts'
import { CollectionIndexes } from './collection-indexes.ts'
import { hitsOf } from './hits.ts'
import { LiteralIndex } from './literal-index.ts'

const optionsSchema = z.strictObject({})

/** Literals named in a hit: enough to see why, few enough to read. */
const namedLiterals = 8

/**
 * Search by evidence: an inverted index from the literals that records state (API names, chains, code lines, gates) to
 * the records, looked up with the chunk's literals and what is known of their receivers.
 *
 * A record whose gate the chunk fulfils is found whatever its words are, so evidence never depends on how deep the
 * other modalities search. Hits say which literals they share with the chunk.
 */
export function literal(options: Record<string, never> = {}): ModalityDefinition {
  parseOptions('literal', optionsSchema, options)
  return { name: 'literal', create: (knowledge) => new LiteralModality(knowledge) }
}

class LiteralModality implements Modality {
  readonly name = 'literal'
  readonly #knowledge: CorpusKnowledge
  readonly #indexes: CollectionIndexes<LiteralIndex>
  readonly add: Modality['add']
  readonly remove: Modality['remove']
  readonly prepare: (signal?: AbortSignal) => Promise<void>

  constructor(knowledge: CorpusKnowledge) {
    this.#knowledge = knowledge
    this.#indexes = new CollectionIndexes((collection, records, signal) =>
      LiteralIndex.build(collection, records, knowledge, signal),
    )
    this.add = async (records) => this.#indexes.add(records)
    this.remove = async (keys) => this.#indexes.remove(keys)
    this.prepare = (signal) => this.#indexes.prepare(signal)
  }

  async search(query: ChunkQuery, { limit, collections, filter, signal }: SearchOptions): Promise<SearchResult> {
    // One fixed order of addition: floating-point sums depend on it.
    const probes = probesOf(query.reading, this.#knowledge).sort((a, b) => compareKeys(a.literal.key, b.literal.key))
    const hits: Hit[] = []
    for (const name of this.#indexes.names(collections)) {
      signal?.throwIfAborted()
      const index = await this.#indexes.of(name)
      const top = index.search(query.reading, probes, limit, filter)
      const explain = (at: number) => ({
        literals: index.explain(query, probes, top[at]!.place).slice(0, namedLiterals),
      })
      hits.push(...hitsOf(top, index.records, explain))
    }
    return { hits }
  }
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
