/** A record and its score, before it has a rank. */
export interface Scored {
  readonly place: number
  readonly score: number
}

function ranksBelow(a: Scored, b: Scored): boolean {
  return a.score < b.score || (a.score === b.score && a.place > b.place)
}

/**
 * The `limit` best of many by a bounded heap: score descending, then place ascending. Indexes place their records in
 * the order of ids, so a tie at the cut is broken by id, whatever order the records came in. O(n log limit).
 */
export class TopScores {
  readonly #heap: Scored[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(place: number, score: number): void {
    const heap = this.#heap
    if (heap.length === this.#limit) {
      const worst = heap[0]!
      if (score < worst.score || (score === worst.score && place > worst.place)) return
      heap[0] = { place, score }
      this.#sink()
      return
    }
    heap.push({ place, score })
    this.#rise()
  }

  #rise(): void {
    const heap = this.#heap
    let at = heap.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!ranksBelow(heap[at]!, heap[parent]!)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= heap.length) return
      const right = left + 1
      const child = right < heap.length && ranksBelow(heap[right]!, heap[left]!) ? right : left
      if (!ranksBelow(heap[child]!, heap[at]!)) return
      this.#swap(at, child)
      at = child
    }
  }

  #swap(a: number, b: number): void {
    const held = this.#heap[a]!
    this.#heap[a] = this.#heap[b]!
    this.#heap[b] = held
  }

  /** Best first. */
  sorted(): Scored[] {
    return [...this.#heap].sort((a, b) => (ranksBelow(a, b) ? 1 : -1))
  }
}

/** The best of an array of scores, records with a score of 0 left out. */
export function topOf(scores: Float64Array, limit: number, keeps: (place: number) => boolean): Scored[] {
  const top = new TopScores(limit)
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place]!
    if (score > 0 && keeps(place)) top.offer(place, score)
  }
  return top.sorted()
}
