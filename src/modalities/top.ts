/** A record and its score, before it has a rank. */
export interface Scored {
  readonly place: number
  readonly score: number
}

/**
 * The `limit` best of many by a bounded heap: score descending, then place ascending. Indexes place their records in
 * the order of ids, so a tie at the cut is broken by id, whatever order the records came in. O(n log limit).
 */
export class TopScores {
  // The heap, its worst first: two arrays of numbers, since an object an entry costs more than the comparisons.
  readonly #places: number[] = []
  readonly #scores: number[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(place: number, score: number): void {
    const size = this.#places.length
    if (size < this.#limit) this.#rise(size, place, score)
    else if (this.#ranksBelow(0, place, score)) this.#sink(place, score)
  }

  /** What a later place must exceed to be among the best: the worst score once there are `limit`. */
  get floor(): number {
    return this.#places.length < this.#limit ? 0 : this.#scores[0]!
  }

  /** Whether the entry at an index ranks below another. */
  #ranksBelow(at: number, place: number, score: number): boolean {
    const own = this.#scores[at]!
    return own < score || (own === score && this.#places[at]! > place)
  }

  #put(at: number, place: number, score: number): void {
    this.#places[at] = place
    this.#scores[at] = score
  }

  #rise(from: number, place: number, score: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#ranksBelow(parent, place, score)) break
      this.#put(at, this.#places[parent]!, this.#scores[parent]!)
      at = parent
    }
    this.#put(at, place, score)
  }

  /** Puts an entry in the place of the worst. */
  #sink(place: number, score: number): void {
    const size = this.#places.length
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      const right = child + 1
      if (right < size && this.#ranksBelow(right, this.#places[child]!, this.#scores[child]!)) child = right
      if (!this.#ranksBelow(child, place, score)) break
      this.#put(at, this.#places[child]!, this.#scores[child]!)
      at = child
    }
    this.#put(at, place, score)
  }

  /** Best first. */
  sorted(): Scored[] {
    const scored = this.#places.map((place, at) => ({ place, score: this.#scores[at]! }))
    return scored.sort((a, b) => b.score - a.score || a.place - b.place)
  }
}

/** The best of an array of scores, records with a score of 0 left out. */
export function topOf(scores: Float64Array, limit: number, keeps: ((place: number) => boolean) | undefined): Scored[] {
  const top = new TopScores(limit)
  // Places ascend, so that a score equal to the worst of the best comes too late.
  let floor = 0
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place]!
    if (score <= floor || (keeps !== undefined && !keeps(place))) continue
    top.offer(place, score)
    floor = top.floor
  }
  return top.sorted()
}
