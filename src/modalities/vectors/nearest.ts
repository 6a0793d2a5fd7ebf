import type { VectorHit } from './vector-index.ts'

/** Similarity descending, then id ascending by code units: below 0 when `a` comes first. */
export function compareHits(a: VectorHit, b: VectorHit): number {
  return b.similarity - a.similarity || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** Keeps the nearest of many, in a heap with the farthest on top. O(log limit) for a hit that gets in. */
export class Nearest {
  readonly #heap: VectorHit[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** What has a lower similarity cannot get in any more; what has the same may, by its id. */
  get floor(): number {
    return this.#heap.length < this.#limit ? Number.NEGATIVE_INFINITY : this.#heap[0]!.similarity
  }

  /** Whether {@link offer} would take it: asked before a costly filter is. */
  admits(hit: VectorHit): boolean {
    return this.#heap.length < this.#limit || compareHits(hit, this.#heap[0]!) < 0
  }

  offer(hit: VectorHit): void {
    if (!this.admits(hit)) return
    if (this.#heap.length < this.#limit) this.#rise(hit)
    else this.#sink(hit)
  }

  /** Nearest first. */
  sorted(): VectorHit[] {
    return [...this.#heap].sort(compareHits)
  }

  #rise(hit: VectorHit): void {
    const heap = this.#heap
    let at = heap.push(hit) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (compareHits(heap[parent]!, hit) > 0) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = hit
  }

  #sink(hit: VectorHit): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && compareHits(heap[child + 1]!, heap[child]!) > 0) child++
      if (compareHits(heap[child]!, hit) < 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = hit
  }
}
