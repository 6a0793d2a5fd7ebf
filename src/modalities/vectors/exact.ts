import { Pace } from '../../pace.ts'
import { compareHits, Nearest } from './nearest.ts'
import type { VectorHit, VectorIndex, VectorSearch } from './vector-index.ts'

/** Rows that memory is first taken for; it doubles from there. */
const firstRows = 64

/** Rows between two looks at the clock, 0.3 ms of work at a width of 256. */
const rowsAtAStretch = 1024

/**
 * Compares the query with every vector: exact, no building, O(n · dimensions) a search (6 ms for 24,000 vectors of 256).
 *
 * Vectors are kept as they come, with their lengths in double precision beside them, so that equal vectors have a
 * similarity of 1 to the last digits and rank first.
 */
export class ExactIndex implements VectorIndex {
  readonly ready = true
  readonly #dimensions: number
  readonly #ids: string[] = []
  readonly #rowOf = new Map<string, number>()
  #rows: Float32Array
  /** One divided by the length of each row. */
  #scales: Float64Array

  constructor(dimensions: number) {
    this.#dimensions = dimensions
    this.#rows = new Float32Array(firstRows * dimensions)
    this.#scales = new Float64Array(firstRows)
  }

  get size(): number {
    return this.#ids.length
  }

  add(id: string, vector: Float32Array): void {
    let row = this.#rowOf.get(id)
    if (row === undefined) {
      row = this.#ids.push(id) - 1
      this.#rowOf.set(id, row)
      if (row === this.#scales.length) this.#grow()
    }
    this.#rows.set(vector, row * this.#dimensions)
    this.#scales[row] = scaleOf(vector)
  }

  /** The last row takes the place of the removed one. */
  remove(id: string): void {
    const row = this.#rowOf.get(id)
    if (row === undefined) return
    const last = this.#ids.length - 1
    const moved = this.#ids[last]!
    this.#rows.copyWithin(row * this.#dimensions, last * this.#dimensions, (last + 1) * this.#dimensions)
    this.#scales[row] = this.#scales[last]!
    this.#ids[row] = moved
    this.#rowOf.set(moved, row)
    this.#ids.pop()
    this.#rowOf.delete(id)
  }

  async prepare(): Promise<void> {}

  async search(query: Float32Array, { limit, keeps, signal }: VectorSearch): Promise<readonly VectorHit[]> {
    signal?.throwIfAborted()
    const pace = new Pace(signal)
    const nearest = new Nearest(limit)
    const scale = scaleOf(query)
    if (scale === 0) return []
    for (let from = 0; from < this.size; from += rowsAtAStretch) {
      this.#scan(query, scale, from, Math.min(from + rowsAtAStretch, this.size), nearest, keeps)
      await pace.breathe()
    }
    return nearest.sorted()
  }

  /** Similarities of some records, nearest first; unknown ids are left out. */
  rank(query: Float32Array, ids: Iterable<string>): VectorHit[] {
    const scale = scaleOf(query)
    const hits: VectorHit[] = []
    for (const id of ids) {
      const row = this.#rowOf.get(id)
      if (row === undefined) continue
      const product = dot(this.#rows, row * this.#dimensions, query)
      hits.push({ id, similarity: cosine(product, scale, this.#scales[row]!) })
    }
    return hits.sort(compareHits)
  }

  /** All ids, in no order that means anything. */
  ids(): IterableIterator<string> {
    return this.#ids.values()
  }

  /** The vector of a record, scaled to length 1. */
  direction(id: string): number[] | undefined {
    const row = this.#rowOf.get(id)
    if (row === undefined) return undefined
    const scale = this.#scales[row]!
    const start = row * this.#dimensions
    return Array.from(this.#rows.subarray(start, start + this.#dimensions), (value) => value * scale)
  }

  #scan(
    query: Float32Array,
    scale: number,
    from: number,
    to: number,
    nearest: Nearest,
    keeps: VectorSearch['keeps'],
  ): void {
    const products = new Float64Array(4)
    for (let first = from; first < to; first += 4) {
      const count = Math.min(4, to - first)
      if (count === 4) dotOfFour(this.#rows, first * this.#dimensions, query, products)
      else for (let at = 0; at < count; at++) products[at] = dot(this.#rows, (first + at) * this.#dimensions, query)
      for (let at = 0; at < count; at++) {
        const similarity = cosine(products[at]!, scale, this.#scales[first + at]!)
        if (similarity < nearest.floor) continue
        const hit = { id: this.#ids[first + at]!, similarity }
        if (nearest.admits(hit) && (keeps === undefined || keeps(hit.id))) nearest.offer(hit)
      }
    }
  }

  #grow(): void {
    const rows = new Float32Array(this.#rows.length * 2)
    rows.set(this.#rows)
    this.#rows = rows
    const scales = new Float64Array(this.#scales.length * 2)
    scales.set(this.#scales)
    this.#scales = scales
  }
}

/** One divided by the length of a vector; 0 for the zero vector. */
function scaleOf(vector: Float32Array): number {
  const square = dot(vector, 0, vector)
  return square === 0 ? 0 : 1 / Math.sqrt(square)
}

/** Rounding can carry a cosine a hair beyond 1; nobody should have to expect that. */
function cosine(product: number, scale: number, otherScale: number): number {
  return Math.min(1, Math.max(-1, product * scale * otherScale))
}

function dot(rows: Float32Array, start: number, vector: Float32Array): number {
  let sum = 0
  for (let index = 0; index < vector.length; index++) sum += rows[start + index]! * vector[index]!
  return sum
}

/**
 * Four rows at a time, because a processor adds to one sum while the others are still under way. Each row is summed in
 * the order of {@link dot}, so that both give the same number.
 */
function dotOfFour(rows: Float32Array, start: number, vector: Float32Array, products: Float64Array): void {
  const length = vector.length
  const second = start + length
  const third = second + length
  const fourth = third + length
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let index = 0; index < length; index++) {
    const value = vector[index]!
    a += rows[start + index]! * value
    b += rows[second + index]! * value
    c += rows[third + index]! * value
    d += rows[fourth + index]! * value
  }
  products[0] = a
  products[1] = b
  products[2] = c
  products[3] = d
}
