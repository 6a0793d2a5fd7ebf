import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CorpusRecord,
  type Reranker,
  type RetrievalResult,
  type RetrieveOptions,
  Retriever,
  rerank,
  writeTrace,
} from 'direct-evidence'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entry, mapping, page } from '../helpers/corpus.ts'
import { candidateOf, idsOf } from '../helpers/results.ts'

const records = [
  page('a', { content: 'Call Input.get_axis and position.clamp here.' }),
  page('b', { content: 'Call Input.get_axis for movement.' }),
  page('c', { content: 'The position.clamp call keeps it in sight.' }),
  entry('Input.get_axis'),
  mapping('KinematicBody2D'),
]
const chunk = 'var x = Input.get_axis("a", "b")\nposition = position.clamp(a, b)\n'

function rerankerOf(rerank: Reranker['rerank'], scores: Reranker['scores'] = 'logit'): Reranker {
  return { name: 'host', scores, rerank }
}

async function retrieveWith(
  reranker: Reranker | undefined,
  { corpus = records as readonly CorpusRecord[], code = chunk, depth = 160, options = {} as RetrieveOptions } = {},
): Promise<RetrievalResult> {
  const strategy = rerank({ embedding: false, ...(reranker === undefined ? {} : { reranker }), depth })
  await using retriever = await Retriever.create({ records: corpus, strategy })
  return retriever.retrieve(code, { language: 'gdscript', ...options })
}

/** The fused order, which no reranker has touched. */
const fusedOrder = ({ trace }: RetrievalResult): string[] =>
  (trace.stages.find(({ stage }) => stage === 'fuse')!.candidates as unknown as { id: string }[]).map(({ id }) => id)
const rerankedOrder = ({ candidates }: RetrievalResult): string[] =>
  [...candidates].sort((x, y) => x.rerank!.rankAfter - y.rerank!.rankAfter).map(({ id }) => id)

describe('a reranker', () => {
  it('orders by its scores, and each candidate says from where to where and why', async () => {
    const reranker = rerankerOf(async (_, documents) =>
      documents.map((_each, index) => ({ index, score: index, reason: `was ${index}` })),
    )
    const result = await retrieveWith(reranker)
    expect(rerankedOrder(result)).toEqual(fusedOrder(result).reverse())
    for (const { rerank: move, fusedScore } of result.candidates) {
      expect(move).toMatchObject({
        by: 'host',
        scores: 'logit',
        score: move!.rankBefore - 1,
        reason: `was ${move!.rankBefore - 1}`,
      })
      expect(fusedScore).toBeGreaterThanOrEqual(0)
    }
    expect(result.degraded).toEqual([])
  })

  it('without scores orders by the order of its reply', async () => {
    const reversed = rerankerOf(async (_, documents) => documents.map((_each, index) => ({ index })).reverse(), 'none')
    const result = await retrieveWith(reversed)
    expect(rerankedOrder(result)).toEqual(fusedOrder(result).reverse())
    expect(result.candidates[0]?.rerank?.score).toBeNull()
  })

  it('reads documents with their searched texts', async () => {
    const seen: string[] = []
    await retrieveWith(
      rerankerOf(async (_, documents) => {
        seen.push(...documents.map(({ text }) => text))
        return []
      }),
    )
    expect(seen).toContain('Call Input.get_axis for movement.')
  })

  it('orders and never deletes: whom it does not name keeps its place', async () => {
    const naming = fc.uniqueArray(fc.nat(3), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(naming, async (indexes) => {
        const result = await retrieveWith(rerankerOf(async () => indexes.map((index) => ({ index })), 'none'))
        const before = fusedOrder(result)
        const after = rerankedOrder(result)
        expect([...after].sort()).toEqual([...before].sort())
        for (const [place, id] of before.entries()) if (!indexes.includes(place)) expect(after[place]).toBe(id)
        expect(indexes.map((index) => before[index])).toEqual(
          after.filter((id) => indexes.includes(before.indexOf(id))),
        )
      }),
      { numRuns: 30 },
    )
  })

  it.each<[string, Reranker['rerank']]>([
    ['throws', () => Promise.reject(new Error('no such model'))],
    ['gives prose', async () => 'none of these is useful' as never],
    ['names a candidate it was not given', async () => [{ index: 99, score: 1 }]],
    ['names a half', async () => [{ index: 0.5, score: 1 }]],
    ['gives no number', async () => [{ index: 0, score: Number.NaN }]],
    ['gives nothing at all', async () => undefined as never],
    ['gives null', async () => [null] as never],
  ])('that %s leaves the fused order, and the result says so', async (_, broken) => {
    const result = await retrieveWith(rerankerOf(broken))
    expect(rerankedOrder(result)).toEqual(fusedOrder(result))
    expect(result.degraded).toEqual([
      { stage: 'rerank', code: 'reranker-failed', message: expect.stringContaining('host') },
    ])
    expect(result.accepted.length).toBeGreaterThan(0)
  })

  it('counts a candidate once, at its best score', async () => {
    const twice = rerankerOf(async () => [
      { index: 1, score: 5 },
      { index: 1, score: 1 },
      { index: 0, score: 3 },
    ])
    const result = await retrieveWith(twice)
    expect(new Set(idsOf(result.candidates)).size).toBe(result.candidates.length)
    expect(result.degraded).toEqual([])
  })

  it('sees the top candidates only, and the others stay behind them', async () => {
    const seen: number[] = []
    const result = await retrieveWith(
      rerankerOf(async (_, documents) => {
        seen.push(documents.length)
        return documents.map((_each, index) => ({ index, score: index }))
      }),
      { depth: 2 },
    )
    expect(seen).toEqual([2])
    expect(result.candidates.filter((each) => each.rerank !== undefined)).toHaveLength(2)
  })

  it('ends with the signal', async () => {
    const controller = new AbortController()
    const hanging = rerankerOf(async () => {
      controller.abort(new Error('enough'))
      throw new Error('aborted by the signal')
    })
    await expect(retrieveWith(hanging, { options: { signal: controller.signal } })).rejects.toThrow('enough')
  })
})

describe('the evidence reranker', () => {
  const code = 'var velocity = Vector2.ZERO\n$Body.play_all()\nposition = position.clamp(Vector2.ZERO, size)\n'

  it('puts a page of another dimension below its twin', async () => {
    const words = 'Set velocity to ZERO, then call position.clamp() with the size of the screen and play_all().'
    const twins = [
      page('three', {
        title: 'Moving in 3D',
        content: `${words} Use Vector3.ZERO. Vector3 Vector3 Vector3`,
        code_blocks: ['position = position.clamp(Vector3.ZERO, size)'],
      }),
      page('two', { title: 'Moving in 2D', content: `${words} Use Vector2.ZERO.` }),
    ]
    const result = await retrieveWith(undefined, { corpus: twins, code })
    const places = ['two', 'three'].map((id) => candidateOf(result, id).rank)
    expect(places).toEqual([1, 2])
    expect(candidateOf(result, 'three').rerank?.reason).toContain('it speaks of Vector3')
  })

  it('puts the owner that the receiver has above its namesakes', async () => {
    const corpus = ['Timer.start', 'Thread.start', 'Tween.start'].map((title) => entry(title))
    const result = await retrieveWith(undefined, { corpus, code: 'var t: Tween\nfunc f():\n\tt.start()\n' })
    expect(result.candidates[0]).toMatchObject({
      id: 'Tween.start',
      rerank: { reason: expect.stringContaining('exact') },
    })
  })
})

it('writes its logs, and removes those of another strategy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rerank-'))
  try {
    const { trace, candidates } = await retrieveWith(undefined)
    await writeTrace({ ...trace, strategy: 'parallel' }, folder)
    await writeTrace(trace, folder)
    const files = (await readdir(folder)).filter((file) => /^\d/.test(file)).sort()
    expect(files).toEqual([
      '1-chunk.jsonl',
      '2-bm25-candidates.jsonl',
      '4-union.jsonl',
      '5-rerank.jsonl',
      '6-verdicts.jsonl',
      '7-final.jsonl',
    ])
    const last = (await readFile(join(folder, '7-final.jsonl'), 'utf8')).trimEnd().split('\n')
    expect(last.map((line) => JSON.parse(line).id)).toEqual(idsOf(candidates))
    const moves = (await readFile(join(folder, '5-rerank.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const { id, rerank: move } of moves) expect(move).toEqual(candidates.find((each) => each.id === id)?.rerank)
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('refuses options that make no sense, by name', () => {
  expect(() => rerank({ depth: 0 })).toThrow('depth')
  expect(() => rerank({ reranker: {} as never })).toThrow('reranker')
  expect(() => rerank({ depht: 3 } as never)).toThrow('depht')
})
