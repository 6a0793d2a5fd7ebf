import type { IndexedRecord } from '../contracts.ts'
import type { RecordKey } from '../corpus/records.ts'

/** Builds the index of one collection from its records, which come in the order of their ids. */
export type BuildIndex<Index> = (
  collection: string,
  records: readonly IndexedRecord[],
  signal?: AbortSignal,
) => Promise<Index>

/**
 * One compiled index a collection, built again when the collection has changed. What was compiled depends on the
 * records alone, never on the order in which they came or went.
 */
export class CollectionIndexes<Index> {
  readonly #build: BuildIndex<Index>
  readonly #records = new Map<string, Map<string, IndexedRecord>>()
  readonly #indexes = new Map<string, Promise<Index>>()

  constructor(build: BuildIndex<Index>) {
    this.#build = build
  }

  add(records: readonly IndexedRecord[]): void {
    for (const record of records) {
      let collection = this.#records.get(record.collection)
      if (collection === undefined) this.#records.set(record.collection, (collection = new Map()))
      collection.set(record.id, record)
      this.#indexes.delete(record.collection)
    }
  }

  remove(keys: readonly RecordKey[]): void {
    for (const { collection, id } of keys) {
      if (this.#records.get(collection)?.delete(id)) this.#indexes.delete(collection)
    }
  }

  /** Names of the collections that have records, ascending, of those asked for. */
  names(wanted: ReadonlySet<string> | undefined): string[] {
    const names: string[] = []
    for (const [name, records] of this.#records) {
      if (records.size > 0 && (wanted === undefined || wanted.has(name))) names.push(name)
    }
    return names.sort()
  }

  /** The compiled index; concurrent callers share one build, and a failed or aborted build is tried again. */
  async of(collection: string, signal?: AbortSignal): Promise<Index> {
    const known = this.#indexes.get(collection)
    if (known !== undefined) return known
    const records = [...(this.#records.get(collection)?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1))
    const building = this.#build(collection, records, signal)
    this.#indexes.set(collection, building)
    building.catch(() => {
      if (this.#indexes.get(collection) === building) this.#indexes.delete(collection)
    })
    return building
  }

  async prepare(signal?: AbortSignal): Promise<void> {
    for (const name of this.names(undefined)) await this.of(name, signal)
  }
}
