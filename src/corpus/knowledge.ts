import type { IndexedRecord } from '../contracts.ts'
import type { Collection } from './collections.ts'
import { rarityOf } from './rarity.ts'
import { SymbolTable } from './symbol-table.ts'
import { createVocabularies, type Vocabularies } from './vocabulary.ts'

/** Records a corpus is presumed to have at least when rarity is judged. */
const presumedRecords = 1_000

/** How many records of each collection state each literal, and how many records there are. */
export class LiteralStatistics {
  readonly #collections = new Map<string, { records: number; having: Uint32Array }>()

  add(entry: IndexedRecord): void {
    this.#count(entry, 1)
  }

  remove(entry: IndexedRecord): void {
    this.#count(entry, -1)
  }

  #count({ collection, reading }: IndexedRecord, by: 1 | -1): void {
    let counts = this.#collections.get(collection)
    if (counts === undefined)
      this.#collections.set(collection, (counts = { records: 0, having: new Uint32Array(1024) }))
    counts.records += by
    const { ids } = reading.literals
    const highest = ids.at(-1) ?? 0
    if (highest >= counts.having.length) {
      const grown = new Uint32Array(2 * (highest + 1))
      grown.set(counts.having)
      counts.having = grown
    }
    for (const id of ids) counts.having[id]! += by
  }

  records(collection: string): number {
    return this.#collections.get(collection)?.records ?? 0
  }

  having(collection: string, literal: number): number {
    return this.#collections.get(collection)?.having[literal] ?? 0
  }

  /**
   * Rarity of a literal as a share of the greatest there can be, 0 to 1. A small corpus cannot tell what is rare, so it
   * is taken to be part of one of {@link presumedRecords}.
   */
  rarityShare(collection: string, having: number): number {
    const total = Math.max(presumedRecords, this.records(collection))
    return rarityOf(having, total) / rarityOf(0, total)
  }
}

/** Share of the corpus' own imports of a name that makes a module one of its meanings. */
export const meaningShare: number = 1 / 3

/** Which module the records' own code imports under which name: `tf` is nearly always `tensorflow`. */
export class ImportAliases {
  readonly #counts = new Map<string, Map<string, number>>()

  add(entry: IndexedRecord): void {
    this.#count(entry, 1)
  }

  remove(entry: IndexedRecord): void {
    this.#count(entry, -1)
  }

  #count({ reading }: IndexedRecord, by: 1 | -1): void {
    for (const [name, module] of reading.imports) {
      let modules = this.#counts.get(name)
      if (modules === undefined) this.#counts.set(name, (modules = new Map()))
      const count = (modules.get(module) ?? 0) + by
      if (count > 0) modules.set(module, count)
      else modules.delete(module)
    }
  }

  /** What the name stands for: the modules that at least a third of the imports under it import. */
  modules(name: string): string[] {
    const modules = this.#counts.get(name)
    if (modules === undefined) return []
    return [...modules.keys()].filter((module) => (this.share(name, module) ?? 0) >= meaningShare).sort()
  }

  /** Share of the imports under this name that import this module; undefined when no record imports the name. */
  share(name: string, module: string): number | undefined {
    const modules = this.#counts.get(name)
    if (modules === undefined || modules.size === 0) return undefined
    let total = 0
    for (const count of modules.values()) total += count
    return (modules.get(module) ?? 0) / total
  }
}

/** What the corpus as a whole teaches about its parts; kept true through every add and remove. */
export interface CorpusKnowledge {
  readonly collections: ReadonlyMap<string, Collection>
  readonly vocabularies: Vocabularies
  readonly symbols: SymbolTable
  readonly statistics: LiteralStatistics
  readonly aliases: ImportAliases
}

export function createKnowledge(collections: ReadonlyMap<string, Collection>): CorpusKnowledge {
  return {
    collections,
    vocabularies: createVocabularies(),
    symbols: new SymbolTable(),
    statistics: new LiteralStatistics(),
    aliases: new ImportAliases(),
  }
}

/** Takes a record into all that the corpus teaches. */
export function learn({ symbols, statistics, aliases }: CorpusKnowledge, entry: IndexedRecord): void {
  symbols.add(entry)
  statistics.add(entry)
  aliases.add(entry)
}

/** Takes back what a record taught. Vocabularies keep its words; nothing is counted by them. */
export function unlearn({ symbols, statistics, aliases }: CorpusKnowledge, entry: IndexedRecord): void {
  symbols.remove(entry)
  statistics.remove(entry)
  aliases.remove(entry)
}
