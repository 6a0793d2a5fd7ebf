import type { IndexedRecord } from '../contracts.ts'

/** What a collection's records are about: every subject by its last name. */
export class CollectionSymbols {
  readonly #byName = new Map<string, Map<string, IndexedRecord>>()
  /** How many subjects have this name as their owner, or are this name. */
  readonly #types = new Map<string, number>()

  add(entry: IndexedRecord): void {
    this.#count(entry, 1)
  }

  remove(entry: IndexedRecord): void {
    this.#count(entry, -1)
  }

  #count(entry: IndexedRecord, by: 1 | -1): void {
    const { subject } = entry.reading
    if (subject === undefined) return
    const name = subject.path.at(-1)!
    if (by === 1) {
      let entries = this.#byName.get(name)
      if (entries === undefined) this.#byName.set(name, (entries = new Map()))
      entries.set(entry.id, entry)
    } else {
      const entries = this.#byName.get(name)
      entries?.delete(entry.id)
      if (entries?.size === 0) this.#byName.delete(name)
    }
    const type = subject.path.length > 1 ? subject.path.at(-2)! : name
    const count = (this.#types.get(type) ?? 0) + by
    if (count > 0) this.#types.set(type, count)
    else this.#types.delete(type)
  }

  /** Records whose subject ends in this name. */
  named(name: string): Iterable<IndexedRecord> {
    return this.#byName.get(name)?.values() ?? []
  }

  /** How many records have a subject that ends in this name. */
  count(name: string): number {
    return this.#byName.get(name)?.size ?? 0
  }

  /** Whether some subject belongs to this name or is it: `AnimatedSprite2D` of `AnimatedSprite2D.play`. */
  isType(name: string): boolean {
    return this.#types.has(name)
  }
}

/** Who owns which name, learned from the subjects of the records; collections are kept apart. */
export class SymbolTable {
  readonly #collections = new Map<string, CollectionSymbols>()

  add(entry: IndexedRecord): void {
    this.of(entry.collection).add(entry)
  }

  remove(entry: IndexedRecord): void {
    this.of(entry.collection).remove(entry)
  }

  of(collection: string): CollectionSymbols {
    let symbols = this.#collections.get(collection)
    if (symbols === undefined) this.#collections.set(collection, (symbols = new CollectionSymbols()))
    return symbols
  }
}
