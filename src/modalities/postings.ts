import { Pace } from '../pace.ts'

/**
 * An inverted list of numbers in compressed sparse rows: for each row (a term or literal) the places (records) that
 * have it, ascending, with one value each.
 */
export interface Postings {
  /** Row `r` stands from `offsets[r]` to `offsets[r + 1]`. */
  readonly offsets: Uint32Array
  readonly places: Uint32Array
  readonly values: Float64Array
}

/** Gives the rows of one place with their values. */
export type EmitRows = (place: number, emit: (row: number, value: number) => void) => void

/** Turns rows given place by place into postings, in two passes. `rowsOf` must give the same both times. */
export async function buildPostings(
  rows: number,
  places: number,
  rowsOf: EmitRows,
  signal?: AbortSignal,
): Promise<Postings> {
  const pace = new Pace(signal)
  const offsets = new Uint32Array(rows + 1)
  for (let place = 0; place < places; place++) {
    rowsOf(place, (row) => {
      offsets[row + 1]!++
    })
    await pace.breathe()
  }
  for (let row = 0; row < rows; row++) offsets[row + 1]! += offsets[row]!
  const total = offsets[rows]!
  const placed = new Uint32Array(total)
  const values = new Float64Array(total)
  const next = offsets.slice(0, rows)
  for (let place = 0; place < places; place++) {
    rowsOf(place, (row, value) => {
      const at = next[row]!++
      placed[at] = place
      values[at] = value
    })
    await pace.breathe()
  }
  return { offsets, places: placed, values }
}
