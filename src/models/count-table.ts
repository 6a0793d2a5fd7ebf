/**
 * A map from 32-bit integers to counts that remembers the order of first appearance.
 *
 * Embedding counts some hundred million features for a large corpus; typed arrays with open addressing take less than
 * half the time of a `Map<number, number>`. Keys should be well mixed hashes, whose bits choose the place; others make
 * it slow, not wrong.
 */
export class CountTable {
  /** Keys in order of first appearance; the first `size` are in use. */
  keys: Int32Array = new Int32Array(512)
  /** Counts beside `keys`. */
  counts: Int32Array = new Int32Array(512)
  /** How many different keys were counted. */
  size = 0

  /** Pairs of key and entry + 1; an entry of 0 is a free place. At most half of the places are taken. */
  #places: Int32Array = new Int32Array(2048)
  #mask = 1023

  /** Adds to the count of a key. O(1). */
  add(key: number, count: number): void {
    const place = this.#find(key)
    const entry = this.#places[place + 1]! - 1
    if (entry >= 0) {
      this.counts[entry]! += count
      return
    }
    if (this.size === this.keys.length) {
      this.#grow()
      this.add(key, count)
      return
    }
    this.#places[place] = key
    this.#places[place + 1] = this.size + 1
    this.keys[this.size] = key
    this.counts[this.size] = count
    this.size++
  }

  /** Where a key stands in `keys`; -1 when it was never counted. O(1). */
  entryOf(key: number): number {
    return this.#places[this.#find(key) + 1]! - 1
  }

  /** Forgets everything and keeps the memory. O(size). */
  clear(): void {
    // Last in, first out: no search runs into a place that an earlier key of the same chain has already left.
    for (let entry = this.size - 1; entry >= 0; entry--) this.#places[this.#find(this.keys[entry]!) + 1] = 0
    this.size = 0
  }

  #find(key: number): number {
    const places = this.#places
    let at = (key >>> 2) & this.#mask
    while (places[at * 2 + 1] !== 0 && places[at * 2] !== key) at = (at + 1) & this.#mask
    return at * 2
  }

  #grow(): void {
    const [keys, counts, size] = [this.keys, this.counts, this.size]
    this.keys = new Int32Array(keys.length * 2)
    this.counts = new Int32Array(keys.length * 2)
    this.#places = new Int32Array(this.#places.length * 2)
    this.#mask = this.#mask * 2 + 1
    this.size = 0
    for (let entry = 0; entry < size; entry++) this.add(keys[entry]!, counts[entry]!)
  }
}
