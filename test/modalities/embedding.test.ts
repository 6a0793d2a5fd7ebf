import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ChunkQuery, Embedder, IndexedRecord, Modality, SearchResult } from '../../src/contracts.ts'
import { docsChunks } from '../../src/corpus/built-in.ts'
import { type Collection, defineCollection } from '../../src/corpus/collections.ts'
import { createKnowledge } from '../../src/corpus/knowledge.ts'
import { DirectEvidenceError } from '../../src/errors.ts'
import { type EmbeddingOptions, embedding } from '../../src/modalities/embedding.ts'
import { hashedEmbedder } from '../../src/models/hashed-embedder.ts'
import { clusteredVectors } from './random-vectors.ts'

/** A record as a retriever hands it over; this modality looks at the record alone. */
function record(id: string, content: string, collection = 'docs_chunks'): IndexedRecord {
  return { id, collection, record: { id, collection, content }, reading: undefined as never }
}

const texts = (name: string): Collection => defineCollection({ name, fields: { content: { reads: 'prose' } } })
const known = [docsChunks, texts('other'), texts('notes'), texts('api_mapping'), texts('a'), texts('b'), texts('c')]
const collections = new Map(known.map((collection) => [collection.name, collection]))

function query(chunkText: string): ChunkQuery {
  return { chunkText, language: undefined, reading: undefined as never }
}

function create(options: EmbeddingOptions = {}): Modality {
  return embedding(options).create(createKnowledge(collections))
}

/** An embedder whose texts are their vectors: `1 0`. */
function numbersEmbedder(dimensions = 2): Embedder & { calls: number } {
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    embedder.calls++
    return texts.map((text) => {
      const vector = new Float32Array(dimensions)
      for (const [place, part] of text.split(' ').entries()) vector[place] = Number(part)
      return vector
    })
  }
  const embedder = { id: 'numbers@1', dimensions, calls: 0, embedDocuments: embed, embedQueries: embed }
  return embedder
}

function ids(result: SearchResult): string[] {
  return result.hits.map(({ id }) => id)
}

async function failure(work: Promise<unknown>): Promise<DirectEvidenceError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!DirectEvidenceError.isInstance(error)) throw new Error(`not a DirectEvidenceError: ${error}`)
  return error
}

afterEach(() => {
  vi.doUnmock('hnswlib-node')
})

const kinds = ['exact', 'hnsw'] as const

for (const index of kinds) {
  describe(`embedding with the ${index} index`, () => {
    it('ranks each collection by itself, names ascending, with similarity and reason', async () => {
      const modality = create({ embedder: numbersEmbedder(), index })
      await modality.add([
        record('far', '0 1'),
        record('near', '2 0'),
        record('between', '1 1'),
        record('42', '1 0', 'api_mapping'),
      ])
      const { hits, degraded } = await modality.search(query('1 0'), { limit: 2 })
      expect(degraded).toBeUndefined()
      expect(hits.map(({ collection, id, rank }) => [collection, id, rank])).toEqual([
        ['api_mapping', '42', 1],
        ['docs_chunks', 'near', 1],
        ['docs_chunks', 'between', 2],
      ])
      expect(hits[1]).toEqual({
        collection: 'docs_chunks',
        id: 'near',
        rank: 1,
        score: 1,
        why: { similarity: 1 },
      })
      expect(hits[2]!.score).toBeCloseTo(Math.SQRT1_2, 7)
      const one = await modality.search(query('1 0'), { limit: 2, collections: new Set(['api_mapping', 'absent']) })
      expect(ids(one)).toEqual(['42'])
    })

    it('gives 3 hits of 3 records for a limit of 20', async () => {
      const modality = create({ index })
      await modality.add([record('a', 'play'), record('b', 'stop'), record('c', 'play the timer')])
      expect(ids(await modality.search(query('play()'), { limit: 20 }))).toHaveLength(3)
    })

    it('never brings back removed records, and brings back what was added again with its new text', async () => {
      const modality = create({ embedder: numbersEmbedder(), index })
      await modality.add([record('a', '1 0'), record('b', '0 1'), record('c', '1 1')])
      await modality.remove([
        { collection: 'docs_chunks', id: 'a' },
        { collection: 'docs_chunks', id: 'unknown' },
        { collection: 'unknown', id: 'a' },
      ])
      expect(ids(await modality.search(query('1 0'), { limit: 3 }))).toEqual(['c', 'b'])
      await modality.remove([{ collection: 'docs_chunks', id: 'b' }])
      await modality.add([record('b', '1 0.1')])
      const { hits } = await modality.search(query('1 0'), { limit: 3 })
      expect(hits.map(({ id }) => id)).toEqual(['b', 'c'])
      expect(hits[0]!.score).toBeGreaterThan(0.99)
    })

    it('keeps 50 records of one similarity in the order of their ids, shuffled or not', async () => {
      const all = Array.from({ length: 50 }, (_, place) => record(`r${String(place).padStart(2, '0')}`, '1 1'))
      const first10 = all.slice(0, 10).map(({ id }) => id)
      for (const step of [1, 3, 7, 49]) {
        const modality = create({ embedder: numbersEmbedder(), index })
        await modality.add(all.map((_, place) => all[(place * step) % 50]!))
        expect(ids(await modality.search(query('1 0'), { limit: 10 }))).toEqual(first10)
      }
    })

    it('filters before the cut: 25 hits of the 40 kept of 3,000', async () => {
      const vectors = clusteredVectors(3000, 16, 10, 1)
      const modality = create({ embedder: numbersEmbedder(16), index })
      await modality.add(vectors.map((vector, place) => record(`r${place}`, vector.join(' '))))
      const filter = ({ id }: { id: string }): boolean => Number(id.slice(1)) % 75 === 0
      const hits = ids(await modality.search(query(vectors[5]!.join(' ')), { limit: 25, filter }))
      expect(hits).toHaveLength(25)
      expect(hits.every((id) => filter({ id }))).toBe(true)
    })

    it('finds records whose ids objects inherit', async () => {
      const modality = create({ index })
      const names = ['__proto__', 'constructor', 'hasOwnProperty']
      await modality.add(names.map((id) => record(id, 'signal bus')))
      expect(ids(await modality.search(query('signal bus'), { limit: 5 }))).toEqual(names)
    })
  })
}

describe('embedding', () => {
  it('gives no hits and says so when the query is a zero vector', async () => {
    const modality = create()
    await modality.add([record('a', 'play the timer')])
    const { hits, degraded } = await modality.search(query(' ;  '), { limit: 5 })
    expect(hits).toEqual([])
    expect(degraded).toEqual([{ stage: 'embedding', code: 'query-vector-zero', message: expect.any(String) }])
  })

  it('never finds a record whose vector is zero, and says so when a collection has no other', async () => {
    const modality = create({ embedder: numbersEmbedder() })
    await modality.add([record('zero', '0 0'), record('a', '-1 0')])
    expect(ids(await modality.search(query('1 0'), { limit: 5 }))).toEqual(['a'])
    const blank = create()
    await blank.add([record('a', '  ;;; '), record('b', '')])
    const { hits, degraded } = await blank.search(query('play'), { limit: 5 })
    expect(hits).toEqual([])
    expect(degraded?.map(({ code }) => code)).toEqual(['no-vectors'])
  })

  it('answers an empty corpus with nothing', async () => {
    const modality = create()
    await modality.add([])
    await modality.prepare?.()
    expect(await modality.search(query('play'), { limit: 5 })).toEqual({ hits: [] })
  })

  it('fits the default embedder to each collection, again after every change', async () => {
    const modality = create()
    const first = [record('timer', 'Starts the timer.'), record('play', 'Plays an animation.')]
    await modality.add(first)
    await modality.prepare?.()
    await modality.add([record('signal', 'Emits a signal.'), record('other', 'timer', 'api_mapping')])
    await modality.remove([{ collection: 'docs_chunks', id: 'play' }])
    const fresh = create()
    await fresh.add([
      record('other', 'timer', 'api_mapping'),
      record('signal', 'Emits a signal.'),
      record('timer', 'Starts the timer.'),
    ])
    const options = { limit: 5 }
    const result = await modality.search(query('timer.start()'), options)
    expect(result).toEqual(await fresh.search(query('timer.start()'), options))
    expect(ids(result)).toEqual(['other', 'timer', 'signal'])
  })

  it('lets two modalities share one embedder', async () => {
    const embedder = hashedEmbedder()
    const [one, other] = [create({ embedder }), create({ embedder })]
    await one.add([record('a', 'start the timer'), record('b', 'stop the music')])
    const before = await one.search(query('timer'), { limit: 2 })
    await other.add([record('x', 'timer timer'), record('y', 'another timer')])
    await other.search(query('timer'), { limit: 2 })
    expect(await one.search(query('timer'), { limit: 2 })).toEqual(before)
  })

  it('reads the searched fields of a record, as its collection defines them', async () => {
    const texts: string[] = []
    const embedder = numbersEmbedder()
    const seen: Embedder = {
      ...embedder,
      embedDocuments: async (batch) => {
        texts.push(...batch)
        return batch.map(() => Float32Array.of(1, 0))
      },
    }
    const bare = { collection: 'docs_chunks', reading: undefined as never }
    const modality = create({ embedder: seen })
    await modality.add([
      {
        ...bare,
        id: '1',
        record: { id: '1', collection: 'docs_chunks', notes: 'n', content: 'text', code_blocks: ['x', 'y'] },
      },
      { ...bare, id: '2', record: { id: '2', collection: 'docs_chunks', url: 'u', title: 't', body: 'b' } },
    ])
    expect(texts).toEqual(['text\nx\ny', 't'])
  })

  it('calls the embedder as often at a time as it is told, and keeps vectors with their records', async () => {
    let running = 0
    let most = 0
    const embedder: Embedder = {
      ...numbersEmbedder(),
      async embedDocuments(texts) {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, texts[0]?.startsWith('1 ') ? 20 : 1))
        running--
        return numbersEmbedder().embedDocuments(texts)
      },
    }
    const modality = create({ embedder, batchSize: 1, concurrency: 3 })
    await modality.add(['1 0', '0 1', '1 1', '-1 0', '0 -1'].map((content, index) => record(`r${index}`, content)))
    const { hits } = await modality.search(query('1 0'), { limit: 1 })
    expect(most).toBe(3)
    expect(hits[0]?.id).toBe('r0')
  })

  it('takes the text of a record from the host, in batches of the size asked for', async () => {
    const embedder = numbersEmbedder()
    const modality = create({ embedder, batchSize: 2, textOf: ({ record }) => `${record.weight} 0` })
    const weighted = [1, 2, 3].map((weight) => ({
      ...record(`r${weight}`, ''),
      record: { id: `r${weight}`, collection: 'docs_chunks', weight },
    }))
    await modality.add(weighted)
    expect(embedder.calls).toBe(2)
    expect(ids(await modality.search(query('1 0'), { limit: 5 }))).toEqual(['r1', 'r2', 'r3'])
  })

  it.each<[string, (texts: readonly string[]) => unknown, string]>([
    ['too few vectors', (texts) => texts.slice(1).map(() => Float32Array.of(1, 0)), 'r1'],
    ['too many vectors', (texts) => [...texts, ''].map(() => Float32Array.of(1, 0)), 'r0'],
    ['a wrong width', (texts) => texts.map((_, place) => new Float32Array(place === 0 ? 2 : 3).fill(1)), 'r1'],
    ['plain arrays', (texts) => texts.map(() => [1, 0]), 'r0'],
    ['NaN', (texts) => texts.map((_, place) => Float32Array.of(1, place === 1 ? Number.NaN : 0)), 'r1'],
    ['no array', () => undefined, 'r0'],
  ])('refuses %s by the first record concerned, and adds nothing', async (_, embed, id) => {
    const embedder = numbersEmbedder()
    let broken = true
    const modality = create({
      embedder: {
        ...embedder,
        embedDocuments: async (texts) => (broken ? (embed(texts) as Float32Array[]) : embedder.embedDocuments(texts)),
      },
    })
    const error = await failure(modality.add([record('r0', '1 0'), record('r1', '0 1')]))
    expect(error.code).toBe('EMBEDDER_INVALID')
    expect(error.details).toMatchObject({ collection: 'docs_chunks', id })
    broken = false
    await modality.add([record('r2', '1 0')])
    expect(ids(await modality.search(query('1 0'), { limit: 5 }))).toEqual(['r2'])
  })

  it('names the first record of the batch on which the embedder failed, with the cause', async () => {
    const embedder = numbersEmbedder()
    const cause = new Error('out of memory')
    const modality = create({
      batchSize: 2,
      embedder: {
        ...embedder,
        embedDocuments: async (texts) => {
          if (texts.includes('0 3')) throw cause
          return embedder.embedDocuments(texts)
        },
      },
    })
    const error = await failure(modality.add([0, 1, 2, 3].map((n) => record(`r${n}`, `0 ${n}`))))
    expect(error.code).toBe('EMBEDDER_INVALID')
    expect(error.details.id).toBe('r2')
    expect(error.cause).toBe(cause)
    expect(await modality.search(query('0 1'), { limit: 5 })).toEqual({ hits: [] })
  })

  it('degrades when the embedder fails on the query, and refuses a query vector that is none', async () => {
    const embedder = numbersEmbedder()
    let answer: () => Promise<Float32Array[]> = () => Promise.reject(new Error('no connection'))
    const modality = create({ embedder: { ...embedder, embedQueries: () => answer() } })
    await modality.add([record('a', '1 0')])
    const { hits, degraded } = await modality.search(query('1 0'), { limit: 5 })
    expect(hits).toEqual([])
    expect(degraded).toEqual([
      { stage: 'embedding', code: 'embedder-failed', message: expect.stringContaining('no connection') },
    ])
    answer = async () => [Float32Array.of(1)]
    expect((await failure(modality.search(query('1 0'), { limit: 5 }))).code).toBe('EMBEDDER_INVALID')
  })

  it('rejects at once with the reason of the signal, also when the embedder does not listen', async () => {
    const embedder = numbersEmbedder()
    const never = new Promise<Float32Array[]>(() => {})
    let hangs = false
    const modality = create({
      embedder: { ...embedder, embedQueries: (texts) => (hangs ? never : embedder.embedQueries(texts)) },
    })
    await modality.add([record('a', '1 0')])
    hangs = true
    const controller = new AbortController()
    const search = modality.search(query('1 0'), { limit: 5, signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 5)
    await expect(search).rejects.toThrow('enough')
    hangs = false
    await modality.add([record('b', '1 0')])
    expect(ids(await modality.search(query('1 0'), { limit: 5 }))).toEqual(['a', 'b'])
    const aborted = AbortSignal.abort(new Error('before'))
    await expect(modality.add([record('c', '1 0')], aborted)).rejects.toThrow('before')
    await expect(modality.search(query('1 0'), { limit: 5, signal: aborted })).rejects.toThrow('before')
  })

  it('lets other searches finish the fit that an aborted one began', async () => {
    const modality = create()
    const words = 'timer signal animation sprite bus physics'.split(' ')
    await modality.add(
      Array.from({ length: 3000 }, (_, n) => record(`r${n}`, `${words[n % 6]} number ${n} ${words[n % 5]}_${n}`)),
    )
    const controller = new AbortController()
    const first = modality.search(query('timer'), { limit: 5, signal: controller.signal })
    const second = modality.search(query('timer'), { limit: 5 })
    setTimeout(() => controller.abort(new Error('enough')), 15)
    await expect(first).rejects.toThrow('enough')
    expect((await second).hits).toHaveLength(5)
  })

  it('answers searches during an add from one generation, and takes adds and removes in order', async () => {
    const modality = create({ embedder: numbersEmbedder(), batchSize: 10 })
    const batch = (from: number): IndexedRecord[] =>
      Array.from({ length: 500 }, (_, n) => record(`r${from + n}`, '1 1'))
    await modality.add(batch(0))
    const adding = modality.add(batch(500))
    const removing = modality.remove([{ collection: 'docs_chunks', id: 'r500' }])
    const counts = await Promise.all(
      Array.from({ length: 20 }, async () => (await modality.search(query('1 0'), { limit: 2000 })).hits.length),
    )
    await Promise.all([adding, removing])
    for (const count of counts) expect([500, 999, 1000]).toContain(count)
    expect((await modality.search(query('1 0'), { limit: 2000 })).hits).toHaveLength(999)
  })

  it.each<[string, IndexedRecord[]]>([
    ['many short records', Array.from({ length: 6000 }, (_, n) => record(`r${n}`, `word${n % 40} some_name_${n}`))],
    ['one long record', [record('minified', `${'var a1=b(c),'.repeat(80_000)}${'A'.repeat(300_000)}`)]],
    ['one record of many words', [record('list', Array.from({ length: 60_000 }, (_, n) => `someName${n}`).join(' '))]],
  ])('leaves the event loop free while it fits and embeds %s', async (_, records) => {
    const modality = create()
    await modality.add(records)
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await modality.prepare?.()
    clearInterval(timer)
    // How long a turn had to wait is for the benchmark to say.
    expect(turns).toBeGreaterThan(1)
  })

  it('takes the graph from the threshold on', async () => {
    const vectors = clusteredVectors(300, 16, 10, 1)
    const records = vectors.map((vector, place) => record(`r${place}`, vector.join(' ')))
    const auto = create({ embedder: numbersEmbedder(16), hnswThreshold: 200 })
    const exact = create({ embedder: numbersEmbedder(16), index: 'exact' })
    for (const modality of [auto, exact]) {
      await modality.add(records.slice(0, 150))
      await modality.search(query(vectors[0]!.join(' ')), { limit: 5 })
      await modality.add(records.slice(150))
    }
    const question = query(vectors[200]!.join(' '))
    expect(await auto.search(question, { limit: 10 })).toEqual(await exact.search(question, { limit: 10 }))
  })

  it('compares with every vector and says so when auto finds no graph package', async () => {
    vi.doMock('hnswlib-node', () => {
      throw new Error('not installed')
    })
    const modality = create({ embedder: numbersEmbedder(), hnswThreshold: 2 })
    await modality.add([record('a', '1 0')])
    expect((await modality.search(query('1 0'), { limit: 5 })).degraded).toBeUndefined()
    await modality.add([record('b', '0 1')])
    for (let round = 0; round < 2; round++) {
      const { hits, degraded } = await modality.search(query('1 0'), { limit: 5 })
      expect(hits.map(({ id }) => id)).toEqual(['a', 'b'])
      expect(degraded).toEqual([
        { stage: 'embedding', code: 'hnsw-unavailable', message: expect.stringContaining('npm install hnswlib-node') },
      ])
    }
  })

  it('refuses to add when the graph was asked for and its package is missing', async () => {
    vi.doMock('hnswlib-node', () => {
      throw new Error('not installed')
    })
    const embedder = numbersEmbedder()
    const modality = create({ embedder, index: 'hnsw' })
    const error = await failure(modality.add([record('a', '1 0')]))
    expect(error.code).toBe('DEPENDENCY_MISSING')
    expect(error.message).toContain('npm install hnswlib-node')
    expect(embedder.calls).toBe(0)
  })

  it.each<[unknown, string]>([
    [{ idnex: 'exact' }, 'idnex'],
    [{ index: 'flat' }, 'index'],
    [{ hnswThreshold: 0 }, 'hnswThreshold'],
    [{ batchSize: 0 }, 'batchSize'],
    [{ batchSize: 1.5 }, 'batchSize'],
    [{ textOf: 'content' }, 'textOf'],
    [{ embedder: { id: 'x', dimensions: 0, embedDocuments() {}, embedQueries() {} } }, 'embedder'],
    [{ embedder: null }, 'embedder'],
  ])('refuses the options %j', (options, option) => {
    try {
      embedding(options as EmbeddingOptions)
    } catch (error) {
      expect(DirectEvidenceError.isInstance(error) && [error.code, error.details.option]).toEqual([
        'OPTION_INVALID',
        option,
      ])
      return
    }
    expect.unreachable()
  })

  it('forgets everything when closed', async () => {
    const modality = create()
    await modality.add([record('a', 'timer')])
    await modality.close?.()
    expect(await modality.search(query('timer'), { limit: 5 })).toEqual({ hits: [] })
  })
})
