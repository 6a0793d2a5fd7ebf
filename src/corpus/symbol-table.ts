import type { IndexedRecord } from '../contracts.ts'

/** What a collection's records are about: every subject by its last name. */
export class CollectionSymbols {
  readonly #byName = new Map<string, Map<string, IndexedRecord>>()
  /** By name: its owners, with how many subjects each has of that name. */
  readonly #owners = new Map<string, Map<string, number>>()
  /** How many subjects have this name as their owner, or are this name. */
  readonly #types = new Map<string, number>()

  add(entry: IndexedRecord): void {
    this.#count(entry, 1)
  }

  remove(entry: IndexedRecord): void {
    this.#count(entry, -1)
  }

  #count(entry: IndexedRecord, by: 1 | -1): void {
    const { subject, aliases } = entry.reading
    if (subject === undefined) return
    for (const { path } of [subject, ...aliases]) this.#countPath(entry, path, by)
  }

  #countPath(entry: IndexedRecord, path: readonly string[], by: 1 | -1): void {
    const name = path.at(-1)!
    if (by === 1) {
      let entries = this.#byName.get(name)
      if (entries === undefined) this.#byName.set(name, (entries = new Map()))
      entries.set(entry.id, entry)
    } else {
      const entries = this.#byName.get(name)
      entries?.delete(entry.id)
      if (entries?.size === 0) this.#byName.delete(name)
    }
    const owner = path.at(-2)
    if (owner !== undefined) {
      let owners = this.#owners.get(name)
      if (owners === undefined) this.#owners.set(name, (owners = new Map()))
      count(owners, owner, by)
    }
    count(this.#types, owner ?? name, by)
  }

  /** Records whose subject ends in this name. */
  named(name: string): Iterable<IndexedRecord> {
    return this.#byName.get(name)?.values() ?? []
  }

  /** Last segments of the owners of this name. */
  owners(name: string): Iterable<string> {
    return this.#owners.get(name)?.keys() ?? []
  }

  /** Whether this owner has a subject of this name. */
  owns(owner: string, name: string): boolean {
    return this.#owners.get(name)?.has(owner) ?? false
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

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const sum = (counts.get(key) ?? 0) + by
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
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
