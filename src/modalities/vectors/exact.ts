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
      if (row !== undefined) hits.push({ id, similarity: this.#similarity(query, scale, row) })
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
    for (let row = from; row < to; row++) {
      const similarity = this.#similarity(query, scale, row)
      if (similarity < nearest.floor) continue
      const hit = { id: this.#ids[row]!, similarity }
      if (nearest.admits(hit) && (keeps === undefined || keeps(hit.id))) nearest.offer(hit)
    }
  }

  /** Rounding can carry a cosine a hair beyond 1; nobody should have to expect that. */
  #similarity(query: Float32Array, scale: number, row: number): number {
    const cosine = dot(this.#rows, row * this.#dimensions, query) * scale * this.#scales[row]!
    return Math.min(1, Math.max(-1, cosine))
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

/** Four sums side by side, because a processor adds to one while the others are still under way. */
function dot(rows: Float32Array, start: number, vector: Float32Array): number {
  const length = vector.length
  const whole = length - (length % 4)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let index = 0, at = start; index < whole; index += 4, at += 4) {
    a += rows[at]! * vector[index]!
    b += rows[at + 1]! * vector[index + 1]!
    c += rows[at + 2]! * vector[index + 2]!
    d += rows[at + 3]! * vector[index + 3]!
  }
  for (let index = whole; index < length; index++) a += rows[start + index]! * vector[index]!
  return a + b + (c + d)
}
