/** Index of a value in an ascending array, or -1. O(log n). */
export function indexOfSorted(sorted: Uint32Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return sorted[low] === value ? low : -1
}
