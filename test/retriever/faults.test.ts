import { type Evidence, parallel, Retriever, type Verdict, verifyEvidence } from 'direct-evidence'
import { expect, it } from 'vitest'
import { isCodeLike } from '../../src/code/prose.ts'
import { entry, mapping, page, prototype, refusal, retrieverOf, shuffled } from '../helpers/corpus.ts'
import { bytesOf, firstDifference, idsOf } from '../helpers/results.ts'

const gd = { language: 'gdscript' }
const chunk = '$AnimatedSprite2D.play() # AnimatedSprite once'
const record = page('a', { title: 'AnimatedSprite', content: 'AnimatedSprite plays' })
const quote = (change: Partial<Evidence>): Evidence => ({
  text: 'AnimatedSprite',
  kind: 'identifier',
  weight: 9,
  chunk: { start: 1, end: 15 },
  field: 'title',
  record: { start: 0, end: 14 },
  ...change,
})
const judged = async (verdict: unknown) => {
  const validator = {
    name: 'host',
    validate: async (_: unknown, all: readonly unknown[]) => all.map(() => verdict as Verdict),
  }
  await using retriever = await Retriever.create({ records: [record], strategy: parallel({ validator }) })
  return retriever.retrieve(chunk, gd)
}

it('a quote inside a longer name is not token-exact', () =>
  expect(verifyEvidence(quote({}), chunk, record)).toBe(false))
it('a quote from a comment is no proof', () =>
  expect(verifyEvidence(quote({ chunk: { start: 27, end: 41 } }), chunk, record)).toBe(false))
it('kind pattern does not turn a field into a pattern', () =>
  expect(
    verifyEvidence(
      quote({
        kind: 'pattern',
        text: '$',
        chunk: { start: 0, end: 1 },
        field: 'content',
        record: { start: 0, end: 20 },
      }),
      chunk,
      record,
    ),
  ).toBe(false))
it('a blank is no quote', () =>
  expect(
    verifyEvidence(
      quote({ text: ' ', chunk: { start: 24, end: 25 }, field: 'content', record: { start: 14, end: 15 } }),
      chunk,
      record,
    ),
  ).toBe(false))
it('the id proves nothing', () =>
  expect(
    verifyEvidence(
      quote({ text: 'a', chunk: { start: 20, end: 21 }, field: 'id', record: { start: 0, end: 1 } }),
      chunk,
      record,
    ),
  ).toBe(false))
it('offsets count from the start', () =>
  expect(verifyEvidence(quote({ chunk: { start: -45, end: -31 } }), chunk, record)).toBe(false))
it.each([
  null,
  { outcome: 'accept' },
  { outcome: 'accept', by: 'x', reason: '', missing: [], evidence: [null] },
  { outcome: 'yes', by: 'x', reason: '', missing: [], evidence: [] },
])('a malformed verdict %j is undecided', async (verdict) =>
  expect((await judged(verdict)).candidates[0]?.verdict.outcome).toBe('uncertain'),
)
it('a validator that throws degrades', async () => {
  const validator = {
    name: 'host',
    validate: async () => {
      throw new Error('model down')
    },
  }
  await using retriever = await Retriever.create({ records: [record], strategy: parallel({ validator }) })
  expect((await retriever.retrieve(chunk)).degraded.length).toBe(1)
})
it('order of the corpus', async () => {
  const records = Array.from({ length: 12 }, (_, i) =>
    page(`r${i}`, {
      content: `alpha bravo charlie delta echo foxtrot ${'golf hotel india '.repeat(i % 5)}`,
      title: `T${i % 3}x alpha hotel`,
    }),
  )
  const query = 'alpha bravo charlie delta echo foxtrot golf hotel india'
  const a = await (await retrieverOf(records)).retrieve(query)
  for (let seed = 1; seed < 6; seed++)
    expect(
      firstDifference(bytesOf(await (await retrieverOf(shuffled(records, seed))).retrieve(query)), bytesOf(a)),
    ).toBe('')
})
it('a removed record, or one whose add failed, no longer crowds out short queries', async () => {
  const junk = page('junk', {
    content: 'anim animx animal animus anime animist anima anims animo animu animq animw animz animv animr',
  })
  await using retriever = await retrieverOf([page('a', { content: 'animation' }), junk])
  await retriever.remove([junk])
  expect((await retriever.modality('bm25').search('anim', { limit: 5 })).hits.map(({ id }) => id)).toEqual(['a'])
})
it('words of another collection do not crowd out short queries', async () => {
  await using retriever = await retrieverOf([
    page('a', { content: 'animation' }),
    prototype('junk', {
      description: 'animx animal animus anime animist anima anims animo animu animq animw animz animv animr',
    }),
  ])
  expect(
    (await retriever.modality('bm25').search('anim', { limit: 5, collections: ['docs_chunks'] })).hits.map(
      ({ id }) => id,
    ),
  ).toEqual(['a'])
})
it.each(['"my text"', '"get-name"', '0x10', '2d', '[]', '-1', '1.5e3'])(
  'the gate %s is a candidate beyond any limit',
  async (gate) => {
    const decoys = Array.from({ length: 80 }, (_, i) =>
      mapping(`d${i}`, {
        source_api: 'f',
        required_when_seen_in_code: null,
        before_code: 'x = f("my text", "get-name", 0x10, 2d)',
      }),
    )
    await using retriever = await retrieverOf([
      ...decoys,
      mapping('wanted', { source_api: null, required_when_seen_in_code: [gate] }),
    ])
    const code = 'x = f("my text", "get-name", 0x10, 2d)\nx = []\nx = -1\nx = 1.5e3'
    expect(await retriever.explain(code, { collection: 'api_mapping', id: 'wanted' })).toMatchObject({
      outcome: 'accept',
    })
    expect(idsOf((await retriever.modality('literal').search(code, { limit: 1 })).hits)).toContain('wanted')
  },
)
it('CRLF: ^ and $ of a pattern', async () => {
  await using retriever = await retrieverOf([prototype('p', { match_terms: ['tool'], source_pattern: '^tool$' })])
  expect((await retriever.retrieve('tool\nextends Node', gd)).accepted.length).toBe(1)
  expect((await retriever.retrieve('tool\r\nextends Node', gd)).accepted.length).toBe(1)
})
it('CRLF: a string that goes on behind a backslash', async () => {
  await using retriever = await retrieverOf([mapping('once')])
  for (const end of ['\n', '\r\n'])
    expect((await retriever.retrieve(`x = "a \\${end}once more"`, { language: 'python' })).accepted.length).toBe(0)
})
it('modality search refuses an unknown collection', async () => {
  await using retriever = await retrieverOf([page('a')])
  expect((await refusal(retriever.modality('bm25').search('x', { limit: 1, collections: ['nope'] }))).code).toBe(
    'COLLECTION_UNKNOWN',
  )
})
it.each<[string, (r: Retriever) => Promise<unknown>]>([
  ['add(undefined)', (r) => r.add(undefined as never)],
  ['add(record)', (r) => r.add(page('x') as never)],
  ['add([], { sgnal })', (r) => r.add([], { sgnal: 1 } as never)],
  ['remove(undefined)', (r) => r.remove(undefined as never)],
  ['remove([null])', (r) => r.remove([null] as never)],
  ['explain(x, undefined)', (r) => r.explain('x', undefined as never)],
  ['explain language 5', (r) => r.explain('x', page('a'), { language: 5 as never })],
  ['explain unknown option', (r) => r.explain('x', page('a'), { langage: 'x' } as never)],
  ['search without options', (r) => r.modality('bm25').search('x', undefined as never)],
  ['search language 5', (r) => r.modality('bm25').search('x', { limit: 1, language: 5 as never })],
])('a typed refusal: %s', async (_, call) => {
  await using retriever = await retrieverOf([page('a')])
  expect((await refusal(call(retriever))).code).toBe('OPTION_INVALID')
})
it('a waiting retrieval can be aborted', async () => {
  await using retriever = await retrieverOf([page('a')])
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const adding = retriever.add(
    (async function* () {
      await held
      yield page('b')
    })(),
  )
  await expect(retriever.retrieve('x', { signal: AbortSignal.timeout(20) })).rejects.toThrow()
  release()
  await adding
  expect(retriever.size).toBe(2)
})
it('HTTPRequest can only be a name, as isCodeLike says', () => expect(isCodeLike('HTTPRequest')).toBe(true))
it('two collections of one name, or one without fields, are refused', async () => {
  await refusal(
    Retriever.create({
      records: [{ id: 'x', collection: 'fake' }],
      strategy: parallel(),
      collections: [{ name: 'fake', parse: (x: unknown) => x }] as never,
    }),
  )
})
it('explain agrees with retrieve on a legal old name beside a certain one', async () => {
  await using retriever = await retrieverOf([
    mapping('pressed', { old_name_legal_in_godot4: true }),
    mapping('KinematicBody2D'),
  ])
  const code = 'extends KinematicBody2D\nfunc f():\n\t$M.pressed = true'
  const { candidates } = await retriever.retrieve(code, gd)
  for (const each of candidates) expect((await retriever.explain(code, each, gd)).outcome).toBe(each.verdict.outcome)
})
it('a caller cannot change the corpus through a result', async () => {
  await using retriever = await retrieverOf([entry('Abacus.count_all')])
  const { accepted } = await retriever.retrieve('Abacus.count_all()')
  try {
    ;(accepted[0]!.record as unknown as { title: string }).title = 'zz'
  } catch {}
  expect((await retriever.retrieve('Abacus.count_all()')).accepted.length).toBe(1)
})
it('a keyword is a query too', async () => {
  await using retriever = await retrieverOf([page('a', { content: 'signal bus' })])
  expect(idsOf((await retriever.modality('bm25').search('signal', { limit: 1 })).hits)).toEqual(['a'])
})
