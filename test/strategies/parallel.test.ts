import {
  type CorpusRecord,
  convexCombination,
  type ParallelOptions,
  parallel,
  Retriever,
  reciprocalRankFusion,
  type Trace,
  type TraceStage,
  traceSchema,
} from 'direct-evidence'
import { describe, expect, it } from 'vitest'
import { stageSchemas } from '../../src/trace/payloads.ts'
import { entry, mapping, page, prototype, refusal } from '../helpers/corpus.ts'
import { idsOf } from '../helpers/results.ts'

const records: readonly CorpusRecord[] = [
  entry('AnimatedSprite2D.play'),
  entry('AnimatedSprite3D.play'),
  page('lines', { content: 'velocity delta', code_blocks: ['position += velocity * delta'] }),
  page('words', { content: 'A position changes by velocity times delta.' }),
  page('far', { content: 'Baking lightmaps takes patience.' }),
  mapping('KinematicBody2D'),
  prototype('movement', { required_when_seen_in_code: ['velocity'], match_terms: ['velocity', 'delta'] }),
]
const chunk =
  'extends KinematicBody2D\n\nfunc _process(delta):\n\tposition += velocity * delta\n\t$AnimatedSprite2D.play()\n'

async function retrieveBy(options: ParallelOptions = {}, given = records) {
  await using retriever = await Retriever.create({ records: given, strategy: parallel(options) })
  return retriever.retrieve(chunk, { language: 'gdscript' })
}

function stageOf(trace: Trace, name: string): TraceStage {
  const [stage, second] = trace.stages.filter((each) => each.stage === name)
  if (stage === undefined || second !== undefined) throw new Error(`stage ${name} is not there, or is there twice`)
  return stage
}

describe('the union', () => {
  it('holds every record that a modality found, once, with all its hits', async () => {
    const { candidates, trace } = await retrieveBy()
    const keys = candidates.map(({ collection, id }) => `${collection} ${id}`)
    expect(new Set(keys).size).toBe(keys.length)
    const found = new Map<string, Set<string>>()
    for (const modality of ['bm25', 'embedding', 'literal']) {
      for (const hit of stageOf(trace, modality).hits as readonly {
        collection: string
        id: string
        rank: number
        score: number
      }[]) {
        const key = `${hit.collection} ${hit.id}`
        found.set(key, (found.get(key) ?? new Set()).add(modality))
        const candidate = candidates.find(({ collection, id }) => collection === hit.collection && id === hit.id)
        expect(candidate?.hits[modality]).toMatchObject({ rank: hit.rank, score: hit.score })
      }
    }
    expect([...found.keys()].sort()).toEqual(keys.sort())
    for (const { collection, id, hits, contributions } of candidates) {
      expect(new Set(Object.keys(hits))).toEqual(found.get(`${collection} ${id}`))
      expect(Object.keys(contributions).sort()).toEqual(Object.keys(hits).sort())
    }
  })
})

describe('the fused score', () => {
  it.each([
    ['the default', undefined],
    ['a convex combination of z-scores', convexCombination({ normaliser: 'zScore' })],
    ['reciprocal ranks', reciprocalRankFusion()],
  ])('of %s is the sum of its contributions', async (_, fusion) => {
    const { candidates } = await retrieveBy(fusion === undefined ? {} : { fusion })
    for (const { fusedScore, contributions } of candidates) {
      const sum = Object.keys(contributions)
        .sort()
        .reduce((total, name) => total + (contributions[name] ?? Number.NaN), 0)
      expect(fusedScore).toBe(sum)
      for (const value of Object.values(contributions)) expect(value).toBeGreaterThanOrEqual(0)
    }
  })

  it('orders the candidates, the rejected behind all others, ties by collection and id', async () => {
    const twins = ['b', 'a', 'c'].map((id) => page(id, { code_blocks: ['position += velocity * delta'] }))
    const { candidates } = await retrieveBy({}, [...twins, ...records])
    const order = candidates.map(({ fusedScore, verdict, collection, id }) => ({
      rejected: verdict.outcome === 'reject',
      fusedScore,
      key: `${collection} ${id}`,
    }))
    const sorted = [...order].sort(
      (a, b) => Number(a.rejected) - Number(b.rejected) || b.fusedScore - a.fusedScore || (a.key < b.key ? -1 : 1),
    )
    expect(order).toEqual(sorted)
    expect(idsOf(candidates).filter((id) => id.length === 1)).toEqual(['a', 'b', 'c'])
  })

  it('lies between 0 and 1 by default', async () => {
    for (const { fusedScore } of (await retrieveBy()).candidates) {
      expect(fusedScore).toBeGreaterThanOrEqual(0)
      expect(fusedScore).toBeLessThanOrEqual(1 + Number.EPSILON)
    }
  })
})

describe('modalities', () => {
  it('can be switched off', async () => {
    const all = ['bm25', 'embedding', 'literal']
    for (const [options, left] of [
      [{}, all],
      [{ embedding: false }, ['bm25', 'literal']],
      [{ literal: false }, ['bm25', 'embedding']],
      [{ embedding: false, literal: false }, ['bm25']],
    ] as const) {
      const { candidates, trace } = await retrieveBy(options)
      const seen = new Set(candidates.flatMap(({ hits }) => Object.keys(hits)))
      expect([...seen].sort()).toEqual([...left].sort())
      expect(trace.stages.map(({ stage }) => stage).filter((stage) => all.includes(stage))).toEqual(left)
    }
  })

  it('search as deep as they are told, or as the limit of the caller when that is deeper', async () => {
    const many = Array.from({ length: 120 }, (_, index) =>
      page(`r${index}`, { content: 'velocity', code_blocks: ['velocity.x()'] }),
    )
    const strategy = parallel({ bm25: { limit: 3 }, embedding: { limit: 4 }, literal: { limit: 5 } })
    await using retriever = await Retriever.create({ records: many, strategy })
    const depths = async (limit?: number): Promise<number[]> => {
      const { trace } = await retriever.retrieve('velocity.x()', limit === undefined ? {} : { limit })
      return ['bm25', 'embedding', 'literal'].map((name) => (stageOf(trace, name).hits as readonly unknown[]).length)
    }
    expect(await depths()).toEqual([3, 4, 5])
    expect(await depths(1)).toEqual([3, 4, 5])
    expect(await depths(60)).toEqual([60, 60, 60])
  })

  it('search 50 deep in each collection when nothing is said', async () => {
    const many = ['a', 'b'].flatMap((collection) =>
      Array.from({ length: 80 }, (_, index) =>
        collection === 'a'
          ? page(`r${index}`, { content: 'velocity' })
          : prototype(`r${index}`, { description: 'velocity' }),
      ),
    )
    const { trace } = await retrieveBy({}, many)
    expect((stageOf(trace, 'bm25').hits as readonly unknown[]).length).toBe(100)
  })
})

describe('the trace', () => {
  it('fits its schema, stage by stage, in the order of the strategy', async () => {
    const { trace } = await retrieveBy()
    expect(traceSchema.parse(JSON.parse(JSON.stringify(trace)))).toEqual(trace)
    expect(trace).toMatchObject({
      strategy: 'parallel',
      status: 'evidence',
      chunk: { text: chunk, language: 'gdscript', characters: chunk.length },
    })
    const names = [
      'read',
      'bm25',
      'embedding',
      'literal',
      'union',
      'provenance',
      'fuse',
      'validate',
      'evidence',
      'ranking',
    ]
    expect(trace.stages.map(({ stage }) => stage)).toEqual(names)
    for (const [name, schema] of Object.entries(stageSchemas)) schema.parse(stageOf(trace, name))
  })

  it('says of every candidate what the result says', async () => {
    const { candidates, trace } = await retrieveBy()
    const byKey = (stage: string, list: string): Map<string, Record<string, unknown>> =>
      new Map(
        (stageOf(trace, stage)[list] as unknown as { collection: string; id: string }[]).map((each) => [
          `${each.collection} ${each.id}`,
          { ...each },
        ]),
      )
    const [verdicts, fused, evidence, provenance] = [
      byKey('validate', 'verdicts'),
      byKey('fuse', 'candidates'),
      byKey('evidence', 'candidates'),
      byKey('provenance', 'candidates'),
    ]
    for (const { collection, id, verdict, fusedScore, contributions, hits } of candidates) {
      const key = `${collection} ${id}`
      const { outcome, by, reason } = verdict
      expect(verdicts.get(key)).toMatchObject({ outcome, by, reason })
      expect(fused.get(key)).toMatchObject({ fusedScore, contributions })
      expect(evidence.get(key)).toMatchObject({ evidence: verdict.evidence, missing: verdict.missing })
      expect(provenance.get(key)).toMatchObject({ modalities: hits })
    }
    for (const stage of [verdicts, fused, evidence, provenance]) expect(stage.size).toBe(candidates.length)
  })
})

it.each<[string, unknown]>([
  ['bm25.limit', { bm25: { limit: -1 } }],
  ['bm25.limit', { bm25: { limit: 0 } }],
  ['bm25', { bm25: false }],
  ['literal', { literal: { limit: 1.5 } }],
  ['fusion', { fusion: 'rrf' }],
  ['validator', { validator: () => [] }],
  ['validater', { validater: {} }],
  ['options', 'fast'],
])('refuses the option %s by name when it is unknown or wrong', async (option, options) => {
  const error = await refusal((async () => parallel(options as ParallelOptions))())
  expect(error.code).toBe('OPTION_INVALID')
  expect(error.details.option).toBe(option)
})

it.each<[string, object]>([
  ['bm25.k2', { bm25: { k2: 1 } }],
  ['bm25.b', { bm25: { b: 2 } }],
  ['embedding.model', { embedding: { model: 'x' } }],
  ['literal.depth', { literal: { depth: 3 } }],
])('refuses the option %s of a modality', async (path, options) => {
  const error = await refusal((async () => parallel(options as ParallelOptions))())
  expect(error.code).toBe('OPTION_INVALID')
  expect(error.message).toContain(path.split('.')[1])
})
