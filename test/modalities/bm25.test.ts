import { bm25, type CorpusRecord, defineStrategy, type Hit, Retriever } from 'direct-evidence'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasBenchmarkData, readBenchmarkLines } from '../helpers/benchmark-data.ts'
import { page, refusal, shuffled } from '../helpers/corpus.ts'
import { idsOf } from '../helpers/results.ts'
import { SlowBm25 } from '../helpers/slow-bm25.ts'

/** Records that are searched by BM25 alone. */
async function searchable(records: readonly CorpusRecord[], options?: Parameters<typeof bm25>[0]) {
  const strategy = defineStrategy({ name: 'bm25-alone', modalities: [bm25(options)], run: async () => [] })
  const retriever = await Retriever.create({ records, strategy })
  return async (text: string, limit = 80, language?: string): Promise<readonly Hit[]> => {
    const { hits } = await retriever
      .modality('bm25')
      .search(text, { limit, ...(language === undefined ? {} : { language }) })
    return hits
  }
}

/** Sums of the same numbers in another order differ by less. */
const tolerance = 1e-12

/** Holds hits against the whole ranking of the reference; near ties may stand in either order, nothing else may. */
function expectSameRanking(
  hits: readonly Hit[],
  reference: readonly { id: string; score: number }[],
  limit: number,
): void {
  const expected = new Map(reference.map(({ id, score }) => [id, score]))
  expect(hits.length).toBe(Math.min(limit, reference.length))
  for (const [index, { id, score, rank }] of hits.entries()) {
    expect(rank).toBe(index + 1)
    const own = expected.get(id) ?? Number.NaN
    expect(Math.abs(score - own)).toBeLessThanOrEqual(tolerance * own)
    const there = reference[index]!
    expect(Math.abs(score - there.score)).toBeLessThanOrEqual(tolerance * there.score)
    const lone = [reference[index - 1], reference[index + 1]].every(
      (other) => other === undefined || Math.abs(other.score - there.score) > 2 * tolerance * there.score,
    )
    if (lone) expect(id).toBe(there.id)
  }
}

const word = fc.constantFrom(
  ...[
    'play',
    'AnimatedSprite2D',
    'is_action_pressed',
    'velocity',
    'Vector2',
    'clamp',
    'screen',
    'größe',
    '节点就绪',
    'x',
  ],
)
const words = (most: number): fc.Arbitrary<string> => fc.array(word, { maxLength: most }).map((all) => all.join(' '))
const corpus = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 4 }),
    title: word,
    content: words(12),
    code_blocks: fc.array(words(6), { maxLength: 3 }),
  }),
  { selector: ({ id }) => id, maxLength: 40 },
)

describe('BM25 against its formula', () => {
  it('gives the same records, in the same order, with the same scores, over any corpus', async () => {
    const query = fc.array(word, { minLength: 1, maxLength: 9 }).map((all) => all.map((each) => `${each}()`).join('\n'))
    const parameters = fc.record({ k1: fc.constantFrom(0, 0.5, 1.2, 3), b: fc.constantFrom(0, 0.4, 0.75, 1) })
    await fc.assert(
      fc.asyncProperty(
        corpus,
        query,
        parameters,
        fc.integer({ min: 1, max: 50 }),
        async (drawn, text, options, limit) => {
          const records = drawn.map(({ id, ...fields }) => page(id, fields))
          const search = await searchable(records, { ...options, shortQuery: 0 })
          expectSameRanking(await search(text, limit), new SlowBm25(records, options).search(text), limit)
        },
      ),
      { numRuns: 150 },
    )
  })

  it.skipIf(!hasBenchmarkData('godot/corpus/docs_chunks.jsonl.gz'))('agrees over the Godot documentation', async () => {
    // A quarter of them: reading all 22,000 twice takes longer than it teaches.
    const records = readBenchmarkLines<CorpusRecord>('godot/corpus/docs_chunks.jsonl.gz').filter(
      (_, index) => index % 4 === 0,
    )
    const queries = readBenchmarkLines<{ chunkText: string }>('godot/dev/queries.jsonl')
    const search = await searchable(records)
    const reference = new SlowBm25(records)
    const step = Math.floor(queries.length / 20)
    for (let index = 0; index < 20; index++) {
      const { chunkText } = queries[index * step]!
      expectSameRanking(await search(chunkText, 80, 'gdscript'), reference.search(chunkText, 'gdscript'), 80)
    }
  })
})

describe('BM25 over tiny corpora', () => {
  it('scores what has the term above 0 and leaves out what has not', async () => {
    const two = await searchable([page('a', { content: 'signal bus' }), page('b', { content: 'timer start' })])
    expect(idsOf(await two('bus'))).toEqual(['a'])
    const four = await searchable(
      ['bus', 'bus', 'timer', 'timer'].map((content, index) => page(`${index}`, { content })),
    )
    expect(idsOf(await four('bus'))).toEqual(['0', '1'])
  })

  it('never gives a term a negative or zero weight, not even one that every record has', async () => {
    for (let size = 1; size <= 6; size++) {
      const records = Array.from({ length: size }, (_, index) => page(`${index}`, { content: 'signal bus' }))
      const hits = await (await searchable(records))('bus')
      expect(hits.length).toBe(size)
      for (const { score } of hits) expect(score).toBeGreaterThan(0)
    }
  })

  it('gives a rarer term more', async () => {
    const search = await searchable([
      page('common', { content: 'alpha' }),
      page('common too', { content: 'alpha' }),
      page('rare', { content: 'omega' }),
    ])
    expect(idsOf(await search('alpha omega'))).toEqual(['rare', 'common', 'common too'])
  })

  it('finds nothing, and divides by nothing, where there are no words', async () => {
    const empty = await searchable([])
    expect(await empty('bus')).toEqual([])
    const blank = await searchable([page('a', { content: '   ' }), page('b', { content: '?!... --' }), page('c')])
    expect(await blank('bus')).toEqual([])
    expect(await blank('?!')).toEqual([])
  })

  it('takes ids that objects inherit for ordinary ids', async () => {
    const ids = ['__proto__', 'constructor', 'hasOwnProperty']
    const before = Reflect.ownKeys(Object.prototype)
    const search = await searchable(ids.map((id) => page(id, { content: 'signal bus' })))
    expect(idsOf(await search('signal bus'))).toEqual(ids)
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
    const named = await searchable(ids.map((content, index) => page(`${index}`, { content })))
    for (const [index, id] of ids.entries()) expect(idsOf(await named(id, 1))).toEqual([`${index}`])
  })
})

describe('BM25 terms', () => {
  it('finds scripts that are written without spaces by their parts', async () => {
    const search = await searchable([
      page('a', { content: '节点就绪后会调用回调函数' }),
      page('b', { content: '信号总线' }),
    ])
    expect(idsOf(await search('# 就绪后', 80, 'gdscript'))).toEqual(['a'])
  })

  it.each([
    ['größe', 'var größe'],
    ['имя', 'var имя'],
    ['ΤΙΜΉ', 'var τιμή'],
  ])('finds %s whole: letters beyond ASCII neither split nor vanish', async (query, content) => {
    const search = await searchable(
      [page('a', { content }), page('b', { content: 'gr e' }), page('c', { content: 'var other' })],
      {
        shortQuery: 0,
      },
    )
    expect(idsOf(await search(query))).toEqual(['a'])
  })

  it('finds a decomposed word by its composed form and the other way round', async () => {
    const composed = 'caf\u00e9_menu'
    const decomposed = 'cafe\u0301_menu'
    for (const [stored, asked] of [
      [composed, decomposed],
      [decomposed, composed],
    ] as const) {
      const search = await searchable([page('a', { content: stored }), page('b', { content: 'menu' })])
      expect((await search(asked))[0]?.id).toBe('a')
    }
  })

  it('takes pattern characters in a query for text', async () => {
    const search = await searchable([page('a', { content: 'alpha beta' }), page('b', { content: '.* gamma' })])
    for (const text of ['alpha[0]**2 ?. (beta++ \\', '(((alpha', 'alpha)+$', '[alpha-', '\\']) {
      expect(idsOf(await search(text))).toEqual(text === '\\' ? [] : ['a'])
    }
    expect(await search('.*')).toEqual([])
  })

  it('counts a term of the query once, however often the chunk repeats it', async () => {
    const search = await searchable([page('a', { content: 'open_door' }), page('b', { content: 'close_door open' })])
    expect(await search('open_door()\n'.repeat(20))).toEqual(await search('open_door()\n'))
  })

  it('names the terms that added most', async () => {
    const search = await searchable([page('a', { content: 'the clamp' }), page('b', { content: 'the the the' })], {
      shortQuery: 0,
    })
    const [best] = await search('clamp the')
    expect(best).toMatchObject({ id: 'a', why: { terms: ['clamp', 'the'] } })
  })
})

describe('BM25 on short queries', () => {
  const records = [
    page('animation', { content: 'AnimatedSprite2D plays an animation' }),
    page('velocity', { content: 'velocity of the body' }),
    page('timer', { content: 'timeout' }),
  ]

  it('also finds by prefix and by spelling', async () => {
    const search = await searchable(records)
    expect(idsOf(await search('anim'))).toEqual(['animation'])
    expect(idsOf(await search('velocty'))).toEqual(['velocity'])
    expect(idsOf(await search('timout'))).toEqual(['timer'])
    expect(await search('zzzzzz')).toEqual([])
  })

  it('puts the word itself before its relatives', async () => {
    const search = await searchable([
      page('relative', { content: 'timers' }),
      page('exact', { content: 'timer' }),
      page('far', { content: 'timekeeper' }),
    ])
    expect((await search('timer'))[0]?.id).toBe('exact')
  })

  it('does neither when told so, nor for chunks', async () => {
    const off = await searchable(records, { shortQuery: 0 })
    expect(await off('anim')).toEqual([])
    const on = await searchable(records)
    expect(await on('anim bravo charlie delta echo foxtrot golf')).toEqual([])
  })
})

describe('BM25 cuts', () => {
  it('filters before the cut', async () => {
    const records = Array.from({ length: 3_000 }, (_, index) =>
      page(`r${index}`, { content: 'signal bus', kept: index % 75 === 74 }),
    )
    const strategy = defineStrategy({ name: 'bm25-alone', modalities: [bm25()], run: async () => [] })
    await using retriever = await Retriever.create({ records, strategy })
    const { hits } = await retriever
      .modality('bm25')
      .search('signal bus', { limit: 25, filter: ({ kept }) => kept === true })
    expect(hits.length).toBe(25)
    for (const { id } of hits) expect(Number(id.slice(1)) % 75).toBe(74)
  })

  it('breaks ties by id, at the cut too, whatever the order of the corpus', async () => {
    const records = Array.from({ length: 50 }, (_, index) =>
      page(`r${String(index).padStart(2, '0')}`, { content: 'signal bus' }),
    )
    for (let seed = 1; seed <= 10; seed++) {
      const hits = await (await searchable(shuffled(records, seed)))('signal bus', 10)
      expect(idsOf(hits)).toEqual(idsOf(records.slice(0, 10)))
    }
  })

  it('gives a prefix of the longer list for the smaller limit', async () => {
    const records = Array.from({ length: 60 }, (_, index) =>
      page(`r${index}`, { content: `bus ${'stop '.repeat(index % 7)}` }),
    )
    const search = await searchable(records)
    expect(await search('bus stop', 5)).toEqual((await search('bus stop', 40)).slice(0, 5))
    expect((await search('bus stop', 1_000)).length).toBe(60)
  })
})

it.each<[string, object]>([
  ['k1', { k1: -1 }],
  ['k1', { k1: Number.NaN }],
  ['b', { b: 1.1 }],
  ['shortQuery', { shortQuery: 0.5 }],
  ['k2', { k2: 1 }],
])('refuses the option %s of bm25 when it is unknown or out of range', async (option, options) => {
  const error = await refusal((async () => bm25(options))())
  expect(error.code).toBe('OPTION_INVALID')
  expect(error.details.option).toBe(option)
})
