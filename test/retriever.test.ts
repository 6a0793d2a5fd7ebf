import {
  type CorpusRecord,
  type CreateOptions,
  DirectEvidenceError,
  defineCollection,
  type Embedder,
  type Progress,
  parallel,
  type RetrieveOptions,
  Retriever,
  readRecords,
} from 'direct-evidence'
import { describe, expect, it } from 'vitest'
import { entry, mapping, page, prototype, refusal, retrieverOf } from './helpers/corpus.ts'
import { candidateOf, idsOf } from './helpers/results.ts'

const records = [
  entry('AnimatedSprite2D.play'),
  entry('AnimatedSprite3D.play'),
  entry('Timer.start'),
  page('tutorial', {
    title: 'Animating',
    content: 'Call AnimatedSprite2D.play.',
    code_blocks: ['$AnimatedSprite2D.play()'],
  }),
  mapping('AnimatedSprite'),
  prototype('animation', { required_when_seen_in_code: ['play'], match_terms: ['AnimatedSprite2D'] }),
]
const chunk = 'func _ready():\n\t$AnimatedSprite2D.play()\n'

describe('creating a retriever', () => {
  it('takes arrays, iterables, async iterables and readers', async () => {
    async function* later(): AsyncGenerator<CorpusRecord> {
      yield* records
    }
    const lines = records.map((record) => `${JSON.stringify(record)}\n`)
    const sources = [
      records,
      new Set(records),
      later(),
      readRecords(ReadableStream.from(lines) as AsyncIterable<string>),
    ]
    const results = []
    for (const source of sources) {
      await using retriever = await retrieverOf(source)
      expect(retriever.size).toBe(records.length)
      results.push((await retriever.retrieve(chunk)).candidates)
    }
    for (const result of results) expect(result).toEqual(results[0])
  })

  it.each<[string, unknown]>([
    ['options', undefined],
    ['options', null],
    ['records', { strategy: parallel() }],
    ['records', { strategy: parallel(), records: 'corpus.jsonl' }],
    ['records', { strategy: parallel(), records: {} }],
    ['strategy', { records }],
    ['strategy', { records, strategy: 'parallel' }],
    ['collections.0', { records, strategy: parallel(), collections: ['docs_chunks'] }],
    ['onProgress', { records, strategy: parallel(), onProgress: true }],
    ['signal', { records, strategy: parallel(), signal: {} }],
    ['strateg', { records, strategy: parallel(), strateg: 1 }],
  ])('refuses the option %s by name when it is unknown or wrong', async (option, options) => {
    const error = await refusal(Retriever.create(options as CreateOptions))
    expect([error.code, error.details.option]).toEqual(['OPTION_INVALID', option])
    expect(error.message).toContain('Retriever.create')
  })

  it.each<[string, unknown[], string]>([
    ['null', [null], 'is null'],
    ['a record without id', [{ collection: 'docs_chunks' }], 'no `id`'],
    ['a record without collection', [{ id: 'a' }], 'no `collection`'],
    ['a record with an inherited collection', [Object.create({ id: 'a', collection: 'docs_chunks' })], 'no `id`'],
    ['a field of the wrong type', [page('a', { content: 42 })], 'field "content"'],
  ])('refuses %s', async (_, wrong, part) => {
    const error = await refusal(retrieverOf(wrong as CorpusRecord[]))
    expect(error.code).toBe('RECORD_INVALID')
    expect(error.message).toContain(part)
  })

  it('refuses a duplicate and names both lines', async () => {
    const lines = [page('n1', { content: 'timer start' }), page('n2'), page('n1', { content: 'timer stop' })]
    const text = lines.map((line) => `${JSON.stringify(line)}\n`)
    const error = await refusal(retrieverOf(readRecords(ReadableStream.from(text) as AsyncIterable<string>)))
    expect(error.code).toBe('RECORD_DUPLICATE')
    expect(error.message).toMatch(/line 3.*line 1/)
    expect(error.details).toMatchObject({ collection: 'docs_chunks', id: 'n1', line: 3 })
    expect((await refusal(retrieverOf([page('a'), page('a')]))).code).toBe('RECORD_DUPLICATE')
  })

  it('refuses an unknown collection with its line and the known ones', async () => {
    const text = [`${JSON.stringify(page('a'))}\n`, '{"id":"b","collection":"recipes"}\n']
    const error = await refusal(retrieverOf(readRecords(ReadableStream.from(text) as AsyncIterable<string>)))
    expect(error.code).toBe('COLLECTION_UNKNOWN')
    expect(error.details).toMatchObject({ collection: 'recipes', line: 2 })
    expect(error.message).toContain('docs_chunks, api_mapping, label_prototypes')
    for (const collection of ['__proto__', 'constructor', 'toString']) {
      expect((await refusal(retrieverOf([{ id: 'a', collection }]))).code).toBe('COLLECTION_UNKNOWN')
    }
  })

  it('knows the collections that it is given', async () => {
    const recipes = defineCollection({
      name: 'recipes',
      fields: { api: { reads: 'symbol', evidence: 'subject' }, text: { reads: 'prose' } },
    })
    const record = { id: 'a', collection: 'recipes', api: 'Oven.preheat', text: 'Preheat.' }
    await using retriever = await Retriever.create({ records: [record], strategy: parallel(), collections: [recipes] })
    const { accepted } = await retriever.retrieve('Oven.preheat(180)', { collections: ['recipes'] })
    expect(accepted.map(({ collection, id }) => [collection, id])).toEqual([['recipes', 'a']])
  })

  it('tells how far it has come, and never goes back', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => page(`r${index}`))
    const seen: Progress[] = []
    const onProgress = (progress: Progress): number => seen.push({ ...progress })
    await using _ = await Retriever.create({ records: many, strategy: parallel(), onProgress })
    const read = seen.filter(({ stage }) => stage === 'read').map(({ records }) => records)
    expect(read).toEqual([1_000, 2_000, 2_500])
    expect(seen.filter(({ stage }) => stage === 'index').length).toBe(3)
    const counts = seen.map(({ records }) => records)
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
    expect(seen.map(({ stage }) => stage).lastIndexOf('read')).toBeLessThan(
      seen.findIndex(({ stage }) => stage === 'index'),
    )
  })

  it('fails with what the host threw in onProgress or while it gave records', async () => {
    const onProgress = (): never => {
      throw new RangeError('from the host')
    }
    await expect(Retriever.create({ records, strategy: parallel(), onProgress })).rejects.toThrow(RangeError)
    function* broken(): Generator<CorpusRecord> {
      yield page('a')
      throw new RangeError('from the host')
    }
    await expect(retrieverOf(broken())).rejects.toThrow(RangeError)
  })
})

describe('retrieving', () => {
  it('ranks all that was found and parts it by outcome', async () => {
    await using retriever = await retrieverOf(records)
    const result = await retriever.retrieve(chunk, { language: 'gdscript' })
    expect(result.status).toBe('evidence')
    expect(result.candidates.map(({ rank }) => rank)).toEqual(result.candidates.map((_, index) => index + 1))
    for (const [part, outcome] of [
      [result.accepted, 'accept'],
      [result.uncertain, 'uncertain'],
      [result.rejected, 'reject'],
    ] as const) {
      expect(part).toEqual(result.candidates.filter(({ verdict }) => verdict.outcome === outcome))
    }
    expect(idsOf(result.accepted)).toEqual(expect.arrayContaining(['AnimatedSprite2D.play', 'animation']))
    expect(idsOf(result.rejected)).toEqual(expect.arrayContaining(['AnimatedSprite3D.play', 'AnimatedSprite']))
    expect(result.degraded).toEqual([])
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })

  it('says when nothing is proved, and when something may be', async () => {
    await using retriever = await retrieverOf(records)
    expect((await retriever.retrieve('thing.play()', { collections: ['docs_chunks'] })).status).toBe('undecided')
    expect((await retriever.retrieve('$Timer.stop()', { collections: ['api_mapping'] })).status).toBe(
      'no-direct-evidence',
    )
  })

  it('takes null, numbers, buffers and objects for no chunk', async () => {
    await using retriever = await retrieverOf(records)
    for (const wrong of [null, undefined, 42, Buffer.from('x'), ['x'], { text: 'x' }]) {
      const error = await refusal(retriever.retrieve(wrong as unknown as string))
      expect(error.code).toBe('CHUNK_INVALID')
      expect((await refusal(retriever.explain(wrong as unknown as string, records[0]!))).code).toBe('CHUNK_INVALID')
    }
  })

  it.each<[string, unknown]>([
    ['limit', { limit: 0 }],
    ['limit', { limit: -1 }],
    ['limit', { limit: Number.NaN }],
    ['limit', { limit: 1.5 }],
    ['limit', { limit: Number.POSITIVE_INFINITY }],
    ['limit', { limit: '5' }],
    ['language', { language: 5 }],
    ['collections', { collections: 'docs_chunks' }],
    ['filter', { filter: {} }],
    ['signal', { signal: 'now' }],
    ['langage', { langage: 'gdscript' }],
    ['__proto__', JSON.parse('{"__proto__":1}')],
    ['options', null],
  ])('refuses the option %s by name when it is unknown or wrong', async (option, options) => {
    await using retriever = await retrieverOf(records)
    const error = await refusal(retriever.retrieve(chunk, options as RetrieveOptions))
    expect([error.code, error.details.option]).toEqual(['OPTION_INVALID', option])
  })

  it('refuses a collection that nobody defined, and searches one that has no records', async () => {
    await using retriever = await retrieverOf([page('a')])
    expect(
      (await refusal(retriever.retrieve(chunk, { collections: ['api_mapping', 'recipes'] }))).details.collection,
    ).toBe('recipes')
    expect((await retriever.retrieve(chunk, { collections: ['api_mapping'] })).candidates).toEqual([])
  })

  it('searches only the collections asked for, by the records that the filter keeps', async () => {
    await using retriever = await retrieverOf(records)
    const { candidates } = await retriever.retrieve(chunk, { collections: ['docs_chunks'] })
    expect(new Set(candidates.map(({ collection }) => collection))).toEqual(new Set(['docs_chunks']))
    const kept = await retriever.retrieve(chunk, { filter: ({ id }) => id.startsWith('t') })
    expect(idsOf(kept.candidates)).toEqual(['tutorial'])
  })

  it('filters before every cut', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) =>
      page(`r${index}`, { content: 'signal bus', code_blocks: ['bus.emit_now()'], kept: index % 75 === 74 }),
    )
    await using retriever = await retrieverOf(many)
    const { candidates } = await retriever.retrieve('bus.emit_now()', {
      limit: 25,
      filter: ({ kept }) => kept === true,
    })
    expect(candidates.length).toBe(25)
    for (const { record, hits } of candidates) {
      expect(record.kept).toBe(true)
      expect(Object.keys(hits).length).toBeGreaterThan(0)
    }
  })

  it('leaves out the rejected first and the accepted last', async () => {
    await using retriever = await retrieverOf(records)
    const all = await retriever.retrieve(chunk)
    for (let limit = 1; limit <= all.candidates.length + 1; limit++) {
      const { candidates, accepted } = await retriever.retrieve(chunk, { limit })
      expect(candidates.length).toBe(Math.min(limit, all.candidates.length))
      expect(accepted.length).toBe(Math.min(limit, all.accepted.length))
      expect(candidates.map(({ rank }) => rank)).toEqual(candidates.map((_, index) => index + 1))
      const order = idsOf(all.candidates).filter((id) => idsOf(candidates).includes(id))
      expect(idsOf(candidates)).toEqual(order)
    }
  })

  it('keeps records of one id in two collections apart', async () => {
    const twin = { id: '42', code_blocks: ['roll_dice()'] }
    await using retriever = await retrieverOf([
      page('42', twin),
      mapping('42', { required_when_seen_in_code: ['roll_dice'] }),
    ])
    const { candidates, accepted } = await retriever.retrieve('roll_dice()')
    expect(candidates.map(({ collection, id }) => `${collection} ${id}`).sort()).toEqual([
      'api_mapping 42',
      'docs_chunks 42',
    ])
    for (const { collection, record } of candidates) expect(record.collection).toBe(collection)
    expect(accepted.map(({ collection }) => collection)).toContain('api_mapping')
    expect(await retriever.remove([{ collection: 'docs_chunks', id: '42' }])).toBe(1)
    const rest = await retriever.retrieve('roll_dice()')
    expect(rest.candidates.map(({ collection }) => collection)).toEqual(['api_mapping'])
  })

  it('finds records whose ids objects inherit, each once', async () => {
    const ids = ['__proto__', 'constructor', 'hasOwnProperty']
    const before = Reflect.ownKeys(Object.prototype)
    await using retriever = await retrieverOf(
      ids.map((id) => page(id, { content: 'signal bus', code_blocks: ['bus.send_all()'] })),
    )
    const { candidates, trace } = await retriever.retrieve('bus.send_all()')
    expect(idsOf(candidates)).toEqual(ids)
    expect(candidates.map(({ record }) => record.id)).toEqual(ids)
    expect(JSON.parse(JSON.stringify(trace))).toEqual(trace)
    for (const id of ids)
      expect((await retriever.explain('bus.send_all()', { collection: 'docs_chunks', id })).by).toBe('literal')
    expect(await retriever.remove(ids.map((id) => ({ collection: 'docs_chunks', id })))).toBe(3)
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
  })

  it('finds API names that objects inherit', async () => {
    const names = ['Object.constructor', 'Object.hasOwnProperty', 'Object.__proto__', 'constructor.toString']
    await using retriever = await retrieverOf(names.map((name) => entry(name)))
    for (const name of names)
      expect(idsOf((await retriever.retrieve(`${name}()`, { language: 'javascript' })).accepted)).toContain(name)
  })

  it('is not changed by an enumerable function that the host adds to all objects', async () => {
    const clean = await (await retrieverOf(records)).retrieve(chunk, { language: 'gdscript' })
    const extend = { value: () => 'host', enumerable: true, configurable: true, writable: true }
    Object.defineProperty(Object.prototype, 'extend', extend)
    let candidates: string
    let stages: number
    try {
      const retriever = await retrieverOf(records)
      const result = await retriever.retrieve(chunk, { language: 'gdscript' })
      candidates = JSON.stringify(result.candidates)
      stages = result.trace.stages.length
    } finally {
      // The test runner itself does not stand such a host.
      Reflect.deleteProperty(Object.prototype, 'extend')
    }
    expect(candidates).toBe(JSON.stringify(clean.candidates))
    expect(stages).toBe(clean.trace.stages.length)
  })
})

describe('explaining one record', () => {
  it('gives the verdict that a retrieval gives', async () => {
    await using retriever = await retrieverOf(records)
    const { candidates } = await retriever.retrieve(chunk, { language: 'gdscript' })
    for (const candidate of candidates) {
      expect(await retriever.explain(chunk, candidate, { language: 'gdscript' })).toEqual(candidate.verdict)
    }
  })

  it('needs a record that is there', async () => {
    await using retriever = await retrieverOf(records)
    for (const key of [
      { collection: 'docs_chunks', id: 'nowhere' },
      { collection: 'nowhere', id: 'tutorial' },
      { collection: 'docs_chunks', id: '__proto__' },
    ]) {
      const error = await refusal(retriever.explain(chunk, key))
      expect([error.code, error.details.id, error.details.collection]).toEqual([
        'RECORD_UNKNOWN',
        key.id,
        key.collection,
      ])
    }
  })
})

describe('searching with one modality', () => {
  it('gives its hits alone', async () => {
    await using retriever = await retrieverOf(records)
    for (const name of ['bm25', 'embedding', 'literal']) {
      const { hits } = await retriever
        .modality(name)
        .search(chunk, { limit: 2, language: 'gdscript', collections: ['docs_chunks'] })
      expect(hits[0]?.id).toMatch(/AnimatedSprite2D|tutorial/)
      expect(hits.map(({ rank }) => rank)).toEqual([1, 2])
    }
  })

  it('names the modalities there are', async () => {
    await using retriever = await retrieverOf(records)
    for (const name of ['trigram', '__proto__', '']) {
      expect(() => retriever.modality(name)).toThrow(DirectEvidenceError)
      expect(() => retriever.modality(name)).toThrow('bm25, embedding, literal')
    }
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses the limit %d', async (limit) => {
    await using retriever = await retrieverOf(records)
    expect((await refusal(retriever.modality('bm25').search(chunk, { limit }))).details.option).toBe('limit')
  })
})

describe('adding and removing', () => {
  it('is seen by every modality', async () => {
    await using retriever = await retrieverOf(records)
    const fresh = page('fresh', { content: 'AnimatedSprite2D play', code_blocks: ['$AnimatedSprite2D.play()'] })
    await retriever.add([fresh])
    expect(retriever.size).toBe(records.length + 1)
    const found = candidateOf(await retriever.retrieve(chunk, { language: 'gdscript' }), 'fresh')
    expect(Object.keys(found.hits).sort()).toEqual(['bm25', 'embedding', 'literal'])
    expect(await retriever.remove([fresh, fresh, { collection: 'docs_chunks', id: 'unknown' }])).toBe(1)
    expect(idsOf((await retriever.retrieve(chunk)).candidates)).not.toContain('fresh')
    expect(await retriever.remove([fresh])).toBe(0)
  })

  it('replaces a record by removing and adding it again, in all modalities', async () => {
    await using retriever = await retrieverOf([
      page('r1', { content: 'ancient', code_blocks: ['bury()'] }),
      page('other'),
    ])
    await retriever.remove([page('r1')])
    await retriever.add([page('r1', { content: 'modern', code_blocks: ['unearth()'] })])
    expect(idsOf((await retriever.retrieve('unearth()')).candidates)).toEqual(['r1'])
    const { candidates } = await retriever.retrieve('bury(ancient)')
    for (const { hits } of candidates) expect([hits.bm25, hits.literal]).toEqual([undefined, undefined])
  })

  it('keeps another record of the same content when one is removed', async () => {
    const twins = ['a', 'b'].map((id) => page(id, { code_blocks: ['roll_dice()'] }))
    await using retriever = await retrieverOf(twins)
    await retriever.remove([twins[0]!])
    expect(idsOf((await retriever.retrieve('roll_dice()')).candidates)).toEqual(['b'])
  })

  it('leaves all as it was when one record is refused', async () => {
    await using retriever = await retrieverOf(records)
    const queries = [chunk, 'extends AnimatedSprite', '$Timer.start(3)\nnew_thing.play_all(1, 2, 3)']
    const before = await Promise.all(queries.map(async (query) => (await retriever.retrieve(query)).candidates))
    const fresh = Array.from({ length: 600 }, (_, index) =>
      page(`fresh${index}`, { code_blocks: ['$AnimatedSprite2D.play()'] }),
    )
    const error = await refusal(retriever.add([...fresh, records[0]!]))
    expect(error.code).toBe('RECORD_DUPLICATE')
    expect(error.message).toContain('already')
    await refusal(retriever.add([...fresh, page('bad', { content: 42 })]))
    await refusal(retriever.add([...fresh, fresh[3]!]))
    await refusal(retriever.add([...fresh, { id: 'x', collection: 'recipes' }]))
    expect(retriever.size).toBe(records.length)
    expect(await Promise.all(queries.map(async (query) => (await retriever.retrieve(query)).candidates))).toEqual(
      before,
    )
    await retriever.add(fresh)
    expect(retriever.size).toBe(records.length + fresh.length)
  })

  it('goes to an empty corpus and back', async () => {
    await using retriever = await retrieverOf(records)
    expect(await retriever.remove(records)).toBe(records.length)
    expect(retriever.size).toBe(0)
    expect(await retriever.retrieve(chunk)).toMatchObject({ status: 'no-direct-evidence', candidates: [] })
    await retriever.add(records)
    expect((await retriever.retrieve(chunk)).status).toBe('evidence')
  })

  it('lets a retrieval see the corpus before or after a change, never between', async () => {
    await using retriever = await retrieverOf(records)
    const fresh = Array.from({ length: 1_500 }, (_, index) =>
      page(`fresh${index}`, { code_blocks: ['$AnimatedSprite2D.play()'] }),
    )
    const count = async (): Promise<number> => {
      const { hits } = await retriever.modality('bm25').search(chunk, { limit: 5_000, collections: ['docs_chunks'] })
      return hits.filter(({ id }) => id.startsWith('fresh')).length
    }
    const early = count()
    const adding = retriever.add(fresh)
    const during = Array.from({ length: 5 }, () => count())
    const whole = retriever.retrieve(chunk, { limit: 2_000 })
    const removing = retriever.remove(fresh)
    const late = count()
    expect(await early).toBe(0)
    await adding
    expect(await Promise.all(during)).toEqual(during.map(() => fresh.length))
    expect((await whole).candidates.filter(({ id }) => id.startsWith('fresh')).length).toBe(fresh.length)
    expect(await removing).toBe(fresh.length)
    expect(await late).toBe(0)
  })

  it('takes eight adds at once', async () => {
    await using retriever = await retrieverOf(records)
    const lots = Array.from({ length: 8 }, (_, lot) =>
      page(`lot${lot}`, { content: 'common_word', code_blocks: [`call_${lot}()`] }),
    )
    await Promise.all(lots.map((record) => retriever.add([record])))
    expect(retriever.size).toBe(records.length + 8)
    for (const name of ['bm25', 'embedding', 'literal']) {
      for (const [lot, { id }] of lots.entries()) {
        const { hits } = await retriever.modality(name).search(`call_${lot}()`, { limit: 3 })
        expect(hits[0]?.id).toBe(id)
      }
    }
  })

  it('does not see what the host does to its records later', async () => {
    const mine = { id: 'mine', collection: 'docs_chunks', title: 'Abacus.count_all', api_symbols: ['Abacus.count_all'] }
    await using retriever = await retrieverOf([mine])
    mine.title = 'other'
    expect(idsOf((await retriever.retrieve('Abacus.count_all()')).accepted)).toEqual(['mine'])
  })
})

describe('aborting', () => {
  const reason = new Error('the user went away')
  const aborted = AbortSignal.abort(reason)

  it('before a build gives the reason and reads nothing', async () => {
    let read = 0
    function* watched(): Generator<CorpusRecord> {
      read++
      yield page('a')
    }
    await expect(Retriever.create({ records: watched(), strategy: parallel(), signal: aborted })).rejects.toBe(reason)
    expect(read).toBeLessThanOrEqual(1)
  })

  it('during a build gives the reason', async () => {
    const controller = new AbortController()
    let given = 0
    function* endless(): Generator<CorpusRecord> {
      for (;;) {
        if (given === 700) controller.abort(reason)
        yield page(`r${given++}`, { content: `word${given} alpha beta` })
      }
    }
    const creating = Retriever.create({ records: endless(), strategy: parallel(), signal: controller.signal })
    await expect(creating).rejects.toBe(reason)
    expect(given).toBeLessThan(720)
    const late = new AbortController()
    const onProgress = ({ stage }: Progress): void => {
      if (stage === 'index') late.abort(reason)
    }
    await expect(Retriever.create({ records, strategy: parallel(), onProgress, signal: late.signal })).rejects.toBe(
      reason,
    )
  })

  it('during an add gives the reason and leaves all as it was', async () => {
    await using retriever = await retrieverOf(records)
    const before = (await retriever.retrieve(chunk)).candidates
    const controller = new AbortController()
    function* many(): Generator<CorpusRecord> {
      for (let index = 0; index < 2_000; index++) {
        if (index === 900) controller.abort(reason)
        yield page(`fresh${index}`, { code_blocks: ['$AnimatedSprite2D.play()'] })
      }
    }
    await expect(retriever.add(many(), { signal: controller.signal })).rejects.toBe(reason)
    expect(retriever.size).toBe(records.length)
    expect((await retriever.retrieve(chunk)).candidates).toEqual(before)
  })

  it('before and during a retrieval gives the reason; a later one works', async () => {
    const controller = new AbortController()
    const slow: Embedder = {
      id: 'slow',
      dimensions: 2,
      embedDocuments: async (texts) => texts.map(() => Float32Array.of(1, 0)),
      embedQueries: async (texts) => {
        controller.abort(reason)
        return texts.map(() => Float32Array.of(1, 0))
      },
    }
    await using retriever = await Retriever.create({ records, strategy: parallel({ embedding: { embedder: slow } }) })
    await expect(retriever.retrieve(chunk, { signal: aborted })).rejects.toBe(reason)
    await expect(retriever.retrieve(chunk, { signal: controller.signal })).rejects.toBe(reason)
    expect((await retriever.retrieve(chunk, { signal: new AbortController().signal })).status).toBe('evidence')
  })

  it('ends a retrieval whose embedder never answers', async () => {
    const silent: Embedder = {
      id: 'silent',
      dimensions: 2,
      embedDocuments: async (texts) => texts.map(() => Float32Array.of(1, 0)),
      embedQueries: () => new Promise(() => {}),
    }
    await using retriever = await Retriever.create({ records, strategy: parallel({ embedding: { embedder: silent } }) })
    const controller = new AbortController()
    const running = [
      retriever.retrieve(chunk, { signal: controller.signal }),
      retriever.retrieve(chunk, { signal: controller.signal }),
    ]
    setTimeout(() => controller.abort(reason), 20)
    for (const each of running) await expect(each).rejects.toBe(reason)
  })

  it('leaves no listener on the signal', async () => {
    await using retriever = await retrieverOf(records)
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...all: Parameters<typeof addEventListener>): void => {
      listeners++
      addEventListener.apply(signal, all)
    }
    signal.removeEventListener = (...all: Parameters<typeof removeEventListener>): void => {
      listeners--
      removeEventListener.apply(signal, all)
    }
    for (let index = 0; index < 20; index++) await retriever.retrieve(chunk, { signal })
    expect(listeners).toBe(0)
  })
})

describe('closing', () => {
  it('is idempotent, and everything afterwards is refused', async () => {
    const retriever = await retrieverOf(records)
    const bm25 = retriever.modality('bm25')
    await retriever.close()
    await retriever.close()
    await retriever[Symbol.asyncDispose]()
    for (const late of [
      () => retriever.retrieve(chunk),
      () => retriever.explain(chunk, records[0]!),
      () => retriever.add([page('late')]),
      () => retriever.remove([page('late')]),
      () => bm25.search(chunk, { limit: 1 }),
    ]) {
      expect((await refusal(late())).code).toBe('CLOSED')
    }
  })

  it('lets what is running end', async () => {
    const retriever = await retrieverOf(records)
    const running = [retriever.retrieve(chunk), retriever.retrieve(chunk)]
    const adding = retriever.add([page('late')])
    await retriever.close()
    for (const each of running) expect((await each).status).toBe('evidence')
    await adding
    expect((await refusal(retriever.retrieve(chunk))).code).toBe('CLOSED')
  })
})

describe('an embedder of the host', () => {
  const embedder = (query: Embedder['embedQueries'], documents?: Embedder['embedDocuments']): Embedder => ({
    id: 'host',
    dimensions: 2,
    embedDocuments: documents ?? (async (texts) => texts.map(() => Float32Array.of(1, 0))),
    embedQueries: query,
  })
  const broken = async (): Promise<never> => {
    throw new Error('no connection')
  }

  it('that fails at the query costs its hits and nothing else, and the result and the trace say so', async () => {
    await using retriever = await Retriever.create({
      records,
      strategy: parallel({ embedding: { embedder: embedder(broken) } }),
    })
    const result = await retriever.retrieve(chunk, { language: 'gdscript' })
    expect(result.status).toBe('evidence')
    expect(result.degraded).toMatchObject([
      { stage: 'embedding', code: 'embedder-failed', message: expect.stringContaining('no connection') },
    ])
    expect(result.trace.degraded).toEqual(result.degraded)
    for (const { hits } of result.candidates) expect(Object.keys(hits)).not.toContain('embedding')
  })

  it('that embeds the query to zeros leaves the others to answer, with a stated reason', async () => {
    await using retriever = await Retriever.create({
      records,
      strategy: parallel({ embedding: { embedder: embedder(async () => [Float32Array.of(0, 0)]) } }),
    })
    const result = await retriever.retrieve(chunk)
    expect(result.degraded.map(({ code }) => code)).toContain('query-vector-zero')
    expect(result.accepted.length).toBeGreaterThan(0)
    expect(JSON.stringify(result)).not.toContain('"score":null')
  })

  it('that fails on records fails the build, and an add without a trace of it', async () => {
    let fails = true
    const documents = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
      return fails ? broken() : texts.map(() => Float32Array.of(1, 0))
    }
    const strategy = parallel({
      embedding: { embedder: embedder(async (texts) => texts.map(() => Float32Array.of(1, 0)), documents) },
    })
    expect((await refusal(Retriever.create({ records, strategy }))).code).toBe('EMBEDDER_INVALID')
    fails = false
    await using retriever = await Retriever.create({ records, strategy })
    const before = (await retriever.retrieve(chunk)).candidates
    fails = true
    expect((await refusal(retriever.add([page('late', { code_blocks: ['$AnimatedSprite2D.play()'] })]))).code).toBe(
      'EMBEDDER_INVALID',
    )
    expect((await retriever.retrieve(chunk)).candidates).toEqual(before)
    fails = false
    await retriever.add([page('late')])
    expect(retriever.size).toBe(records.length + 1)
  })
})
