import {
  bm25,
  type Candidate,
  defineStrategy,
  fuse,
  type Hit,
  type IndexedRecord,
  literalValidator,
  type Modality,
  type ModalityDefinition,
  type RecordKey,
  Retriever,
  rank,
  reciprocalRankFusion,
  type SearchOptions,
  type Strategy,
  searchAll,
  unite,
  validate,
} from 'direct-evidence'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limitTo } from '../../src/strategies/stages.ts'
import { page, refusal } from '../helpers/corpus.ts'
import { idsOf } from '../helpers/results.ts'

/** A modality of the host that gives what it is told. */
function scripted(
  name: string,
  answer: (records: readonly IndexedRecord[], options: SearchOptions) => readonly Hit[],
): ModalityDefinition {
  return {
    name,
    create: (): Modality => {
      const held = new Map<string, IndexedRecord>()
      return {
        name,
        add: async (records) => {
          for (const record of records) held.set(record.id, record)
        },
        remove: async (keys: readonly RecordKey[]) => {
          for (const { id } of keys) held.delete(id)
        },
        search: async (_, options) => ({ hits: answer([...held.values()], options) }),
      }
    },
  }
}

function hit(id: string, place: number, score = 1): Hit {
  return { collection: 'docs_chunks', id, rank: place, score, why: { by: 'the host' } }
}

function composed(...modalities: readonly ModalityDefinition[]): Strategy {
  return defineStrategy({
    name: 'composed',
    modalities,
    async run(query, context) {
      const found = await searchAll(query, context, Object.fromEntries(modalities.map(({ name }) => [name, 10])))
      return validate(
        query,
        await fuse(await unite(found, context), found, reciprocalRankFusion(), context),
        literalValidator(),
        context,
      )
    },
  })
}

const records = ['d1', 'd2', 'd3'].map((id) => page(id, { content: `words of ${id}` }))

describe('a strategy of the host', () => {
  it('is composed from the same stages', async () => {
    const seen: SearchOptions[] = []
    const mine = scripted('mine', (held, options) => {
      seen.push(options)
      return held.map(({ id }, index) => hit(id, index + 1))
    })
    await using retriever = await Retriever.create({ records, strategy: composed(bm25(), mine) })
    const filter = ({ id }: { readonly id: string }): boolean => id !== 'd1'
    const { candidates, trace } = await retriever.retrieve('words()', {
      collections: ['docs_chunks'],
      filter,
      limit: 12,
    })
    expect(idsOf(candidates).sort()).toEqual(['d1', 'd2', 'd3'])
    expect(candidates.find(({ id }) => id === 'd3')?.hits.mine).toEqual({ by: 'the host', rank: 3, score: 1 })
    expect(trace.stages.map(({ stage }) => stage)).toEqual([
      'read',
      'bm25',
      'mine',
      'union',
      'provenance',
      'fuse',
      'validate',
      'evidence',
      'ranking',
    ])
    expect(seen).toMatchObject([{ limit: 12, filter, collections: new Set(['docs_chunks']) }])
  })

  it('counts a record that one list has several times once, at its best rank', async () => {
    const repeating = scripted('repeating', () => [hit('d1', 1), hit('d1', 2), hit('d1', 3), hit('d2', 4)])
    const other = scripted('other', () => [hit('d2', 1)])
    await using retriever = await Retriever.create({ records, strategy: composed(repeating, other) })
    const { candidates } = await retriever.retrieve('x()')
    const d1 = candidates.find(({ id }) => id === 'd1')
    expect(idsOf(candidates)).toEqual(['d2', 'd1'])
    expect(d1?.hits.repeating?.rank).toBe(1)
    expect(d1?.fusedScore).toBe(d1?.contributions.repeating)
  })

  it('fails by name when a modality finds a record that is not there, or one is asked that it has not', async () => {
    const inventing = scripted('inventing', () => [hit('nowhere', 1)])
    await using retriever = await Retriever.create({ records, strategy: composed(inventing) })
    expect((await refusal(retriever.retrieve('x()'))).code).toBe('RECORD_UNKNOWN')
    const asking = defineStrategy({
      name: 'asking',
      modalities: [],
      async run(query, context) {
        await searchAll(query, context, { bm25: 1 })
        return []
      },
    })
    await using other = await Retriever.create({ records, strategy: asking })
    expect((await refusal(other.retrieve('x()'))).code).toBe('MODALITY_UNKNOWN')
  })

  it('reports what a modality says of itself', async () => {
    const degraded = [{ stage: 'mine', code: 'half-asleep', message: 'Only half of the shelves were open.' }]
    const mine: ModalityDefinition = {
      name: 'mine',
      create: () => ({
        name: 'mine',
        add: async () => {},
        remove: async () => {},
        search: async () => ({ hits: [], degraded }),
      }),
    }
    await using retriever = await Retriever.create({ records, strategy: composed(mine) })
    const result = await retriever.retrieve('x()')
    expect([result.degraded, result.trace.degraded]).toEqual([degraded, degraded])
    expect(result.trace.stages.find(({ stage }) => stage === 'mine')?.degraded).toEqual(degraded)
  })

  it('needs a name, a function, and names of its modalities that differ', async () => {
    const run = async (): Promise<readonly Candidate[]> => []
    for (const [option, strategy] of [
      ['name', { name: '', modalities: [], run }],
      ['modalities', { name: 'twice', modalities: [bm25(), bm25()], run }],
      ['run', { name: 'idle', modalities: [] }],
    ] as const) {
      const error = await refusal((async () => defineStrategy(strategy as Strategy))())
      expect([error.code, error.details.option]).toEqual(['OPTION_INVALID', option])
    }
  })
})

const candidates = fc
  .array(
    fc.record({ outcome: fc.constantFrom('accept', 'uncertain', 'reject'), score: fc.constantFrom(0, 0.25, 0.5, 1) }),
    { maxLength: 30 },
  )
  .map((drawn) =>
    rank(
      drawn.map(({ outcome, score }, index) => ({
        collection: 'docs_chunks',
        id: `r${index}`,
        record: page(`r${index}`),
        hits: {},
        contributions: {},
        fusedScore: score,
        verdict: { outcome, by: 'host', reason: '', evidence: [], missing: [] } as Candidate['verdict'],
      })),
    ),
  )

describe('rank', () => {
  it('keeps the order but for the rejected, which come last, and numbers from 1', () => {
    fc.assert(
      fc.property(candidates, (ranked) => {
        expect(ranked.map((each) => each.rank)).toEqual(ranked.map((_, index) => index + 1))
        for (const [index, { verdict }] of ranked.entries()) {
          const next = ranked[index + 1]
          if (next === undefined) continue
          const rejected = [verdict, next.verdict].map(({ outcome }) => outcome === 'reject')
          expect(rejected).not.toEqual([true, false])
          const places = [ranked[index]!, next].map(({ id }) => Number(id.slice(1)))
          if (rejected[0] === rejected[1]) expect(places[0]).toBeLessThan(places[1]!)
        }
      }),
    )
  })
})

describe('limitTo', () => {
  it('keeps the order and leaves out the rejected first, the accepted last', () => {
    fc.assert(
      fc.property(candidates, fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }), (ranked, limit) => {
        const kept = limitTo(ranked, limit)
        expect(kept.length).toBe(Math.min(limit ?? ranked.length, ranked.length))
        expect(kept.map((each) => each.rank)).toEqual(kept.map((_, index) => index + 1))
        const ids = new Set(idsOf(kept))
        expect(idsOf(ranked).filter((id) => ids.has(id))).toEqual(idsOf(kept))
        const order = { accept: 0, uncertain: 1, reject: 2 }
        const worstKept = Math.max(0, ...kept.map(({ verdict }) => order[verdict.outcome]))
        for (const { id, verdict } of ranked)
          if (!ids.has(id)) expect(order[verdict.outcome]).toBeGreaterThanOrEqual(worstKept)
      }),
    )
  })
})
