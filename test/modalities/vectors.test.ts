import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ExactIndex } from '../../src/modalities/vectors/exact.ts'
import { HnswIndex, type HnswLibrary, loadHnswLibrary } from '../../src/modalities/vectors/hnsw.ts'
import type { VectorIndex } from '../../src/modalities/vectors/vector-index.ts'
import { clusteredVectors, randomNumbers, randomVector } from './random-vectors.ts'

const dimensions = 32

let library: HnswLibrary
beforeAll(async () => {
  library = await loadHnswLibrary()
})

const kinds: readonly [string, (width: number) => VectorIndex][] = [
  ['exact', (width) => new ExactIndex(width)],
  ['hnsw', (width) => new HnswIndex(new ExactIndex(width), width, library)],
]

async function filled(create: (width: number) => VectorIndex, vectors: readonly Float32Array[]): Promise<VectorIndex> {
  const index = create(vectors[0]!.length)
  for (const [place, vector] of vectors.entries()) index.add(idOf(place), vector)
  await index.prepare()
  return index
}

function idOf(place: number): string {
  return `r${String(place).padStart(5, '0')}`
}

for (const [name, create] of kinds) {
  describe(`the ${name} index`, () => {
    it('gives all there are when more are asked for', async () => {
      const index = await filled(create, clusteredVectors(3, dimensions, 1, 1))
      expect(await index.search(randomVector(randomNumbers(2), dimensions), { limit: 20 })).toHaveLength(3)
    })

    it('gives 50 of 300 that are left of 500, none of the removed', async () => {
      const index = await filled(create, clusteredVectors(500, dimensions, 5, 1))
      for (let place = 0; place < 200; place++) index.remove(idOf(place))
      const hits = await index.search(randomVector(randomNumbers(2), dimensions), { limit: 50 })
      expect(hits).toHaveLength(50)
      expect(hits.every(({ id }) => id >= idOf(200))).toBe(true)
    })

    it('cuts to the live count, not to the count ever added', async () => {
      const index = await filled(create, clusteredVectors(5, dimensions, 1, 1))
      index.remove(idOf(1))
      index.remove(idOf(3))
      expect(index.size).toBe(3)
      expect(await index.search(randomVector(randomNumbers(2), dimensions), { limit: 4 })).toHaveLength(3)
    })

    it('agrees on the first 5 for k = 5 and k = 13, the equal vector first', async () => {
      const vectors = clusteredVectors(2000, dimensions, 20, 1)
      const index = await filled(create, vectors)
      for (const place of [0, 17, 1999]) {
        const five = await index.search(vectors[place]!, { limit: 5 })
        const thirteen = await index.search(vectors[place]!, { limit: 13 })
        expect(thirteen.slice(0, 5)).toEqual(five)
        expect(five[0]!.id).toBe(idOf(place))
        expect(five[0]!.similarity).toBeCloseTo(1, 12)
      }
    })

    it('filters before the cut: 25 hits of 40 kept among 3,000', async () => {
      const index = await filled(create, clusteredVectors(3000, dimensions, 20, 1))
      const kept = new Set(Array.from({ length: 40 }, (_, place) => idOf(place * 75)))
      const query = randomVector(randomNumbers(2), dimensions)
      const hits = await index.search(query, { limit: 25, keeps: (id) => kept.has(id) })
      expect(hits).toHaveLength(25)
      expect(hits.every(({ id }) => kept.has(id))).toBe(true)
    })

    it('passes on what a filter throws', async () => {
      const index = await filled(create, clusteredVectors(300, dimensions, 3, 1))
      let calls = 0
      const keeps = (): boolean => {
        if (++calls > 280) throw new Error('host filter')
        return true
      }
      await expect(index.search(randomVector(randomNumbers(2), dimensions), { limit: 300, keeps })).rejects.toThrow(
        'host filter',
      )
    })

    it('breaks ties by id, also at the cut, in whatever order records came', async () => {
      const vector = randomVector(randomNumbers(1), dimensions)
      for (const step of [1, 7, 299]) {
        const index = create(dimensions)
        for (let place = 0; place < 300; place++) index.add(idOf((place * step) % 300), vector)
        await index.prepare()
        const hits = await index.search(vector, { limit: 10 })
        expect(hits.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, place) => idOf(place)))
      }
    })

    it('finds a replaced vector by its new value only', async () => {
      const vectors = clusteredVectors(50, dimensions, 5, 1)
      const index = await filled(create, vectors)
      const other = randomVector(randomNumbers(9), dimensions)
      index.add(idOf(7), other)
      await index.prepare()
      expect(index.size).toBe(50)
      expect((await index.search(other, { limit: 1 }))[0]!.id).toBe(idOf(7))
      const all = await index.search(vectors[7]!, { limit: 50 })
      expect(all.filter(({ id }) => id === idOf(7))).toHaveLength(1)
      expect(all.find(({ id }) => id === idOf(7))!.similarity).toBeLessThan(0.999)
    })

    it('ignores unknown ids, answers when empty, and takes keys that objects inherit', async () => {
      const index = create(dimensions)
      index.remove('nobody')
      await index.prepare()
      const query = randomVector(randomNumbers(2), dimensions)
      expect(await index.search(query, { limit: 5 })).toEqual([])
      for (const id of ['__proto__', 'constructor', 'hasOwnProperty']) index.add(id, query)
      await index.prepare()
      const hits = await index.search(query, { limit: 5 })
      expect(hits.map(({ id }) => id)).toEqual(['__proto__', 'constructor', 'hasOwnProperty'])
      for (const { id } of hits) index.remove(id)
      expect(await index.search(query, { limit: 5 })).toEqual([])
    })

    it('rejects with the reason of an aborted signal', async () => {
      const index = await filled(create, clusteredVectors(10, dimensions, 1, 1))
      const signal = AbortSignal.abort(new Error('enough'))
      await expect(index.search(new Float32Array(dimensions).fill(1), { limit: 5, signal })).rejects.toThrow('enough')
    })
  })
}

describe('the exact index', () => {
  it('agrees with a plain sort by cosine, through adds and removes', async () => {
    const vector = fc
      .array(fc.integer({ min: -3, max: 3 }), { minLength: 5, maxLength: 5 })
      .filter((values) => values.some((value) => value !== 0))
    const step = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), vector: fc.option(vector) })
    await fc.assert(
      fc.asyncProperty(fc.array(step), vector, fc.integer({ min: 1, max: 7 }), async (steps, query, limit) => {
        const index = new ExactIndex(5)
        const plain = new Map<string, readonly number[]>()
        for (const { id, vector } of steps) {
          if (vector === null) index.remove(id)
          else index.add(id, Float32Array.from(vector))
          if (vector === null) plain.delete(id)
          else plain.set(id, vector)
        }
        const length = (values: readonly number[]): number => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0))
        const expected = [...plain]
          .map(([id, values]) => ({
            id,
            similarity: values.reduce((sum, v, i) => sum + v * query[i]!, 0) / length(values) / length(query),
          }))
          .sort((a, b) => b.similarity - a.similarity)
          .slice(0, limit)
        const hits = await index.search(Float32Array.from(query), { limit })
        expect(hits).toHaveLength(expected.length)
        for (const [place, hit] of hits.entries()) expect(hit.similarity).toBeCloseTo(expected[place]!.similarity, 12)
        for (const [place, hit] of hits.slice(1).entries()) {
          const before = hits[place]!
          expect(
            before.similarity > hit.similarity || (before.similarity === hit.similarity && before.id < hit.id),
          ).toBe(true)
        }
      }),
    )
  })

  it('lets the event loop turn while it scans', async () => {
    const index = await filled((width) => new ExactIndex(width), clusteredVectors(40_000, 256, 4, 1))
    const query = randomVector(randomNumbers(2), 256)
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    for (let round = 0; round < 10; round++) await index.search(query, { limit: 50 })
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
  })
})

describe('the hnsw index', () => {
  it('has a recall of 0.99 and more at 80, measured by the exact index, with its scores', async () => {
    const vectors = clusteredVectors(4000, 64, 40, 3)
    const [exact, hnsw] = await Promise.all(kinds.map(([, create]) => filled(create, vectors)))
    const random = randomNumbers(4)
    let found = 0
    const queries = 50
    for (let round = 0; round < queries; round++) {
      const near = vectors[Math.floor(random() * vectors.length)]!
      const query = randomVector(random, 64).map((value, index) => near[index]! + 0.5 * value)
      const truth = new Map((await exact!.search(query, { limit: 80 })).map(({ id, similarity }) => [id, similarity]))
      for (const { id, similarity } of await hnsw!.search(query, { limit: 80 })) {
        if (!truth.has(id)) continue
        found++
        expect(similarity).toBe(truth.get(id))
      }
    }
    expect(found / (80 * queries)).toBeGreaterThanOrEqual(0.99)
  })

  it('is built anew when more than half of it was removed, and grows beyond its first capacity', async () => {
    const vectors = clusteredVectors(2500, dimensions, 10, 5)
    const index = await filled((width) => new HnswIndex(new ExactIndex(width), width, library), vectors)
    for (let place = 0; place < 2000; place++) index.remove(idOf(place))
    await index.prepare()
    expect(index.size).toBe(500)
    const hits = await index.search(vectors[2400]!, { limit: 500 })
    expect(hits).toHaveLength(500)
    expect(hits[0]!.id).toBe(idOf(2400))
  })

  it('answers from the vectors while it is not prepared, and goes on after an aborted build', async () => {
    const vectors = clusteredVectors(3000, dimensions, 10, 5)
    const index = new HnswIndex(new ExactIndex(dimensions), dimensions, library)
    for (const [place, vector] of vectors.entries()) index.add(idOf(place), vector)
    expect(index.ready).toBe(false)
    const before = await index.search(vectors[1]!, { limit: 20 })
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('later')), 20)
    await expect(index.prepare(controller.signal)).rejects.toThrow('later')
    expect(index.ready).toBe(false)
    await index.prepare()
    expect(index.ready).toBe(true)
    expect(await index.search(vectors[1]!, { limit: 20 })).toEqual(before)
  })
})
