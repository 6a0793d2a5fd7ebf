/** A small generator of random numbers with a seed (mulberry32), so that every run tests the same vectors. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

export function randomVector(random: () => number, dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5)
}

/** Vectors around a few centres, as those of real texts are. */
export function clusteredVectors(count: number, dimensions: number, clusters: number, seed: number): Float32Array[] {
  const random = randomNumbers(seed)
  const centres = Array.from({ length: clusters }, () => randomVector(random, dimensions))
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor(random() * clusters)]!
    return randomVector(random, dimensions).map((value, index) => centre[index]! + 0.7 * value)
  })
}
