/** Index of a value in an ascending array, or in the part from `from` to `to`; -1 when it is not there. O(log n). */
export function indexOfSorted(
  sorted: Uint32Array,
  value: number,
  from: number = 0,
  to: number = sorted.length,
): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low < to && sorted[low] === value ? low : -1
}
