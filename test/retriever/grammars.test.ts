import {
  analyzeChunk,
  apiMapping,
  type CorpusRecord,
  defineCollection,
  type Grammars,
  loadGrammars,
  parallel,
  Retriever,
  type Validator,
  verifyEvidence,
} from 'direct-evidence'
import { describe, expect, it } from 'vitest'
import { mapping, refusal } from '../helpers/corpus.ts'
import { candidateOf } from '../helpers/results.ts'

const grammars = await loadGrammars()
const code = 'func f():\n\tvar s = Sprite.instance()\n\tb.connect("pressed", self, "x")\n'
const instance = mapping('instance', { source_pattern: '$A.instance()' })
const connect = mapping('connect', { source_pattern: { rule: { pattern: '$O.connect($S, self, $F)' } } })
const alone: CorpusRecord = {
  id: 'alone',
  collection: 'label_prototypes',
  label: 'Sprite',
  source_pattern: 'Sprite.$M()',
}

function retrieverOf(records: readonly CorpusRecord[], given?: Grammars): Promise<Retriever> {
  return Retriever.create({ records, strategy: parallel(), ...(given === undefined ? {} : { grammars: given }) })
}

describe('with a grammar', () => {
  it('the chunk is read by its tree, and the trace says so', async () => {
    await using retriever = await retrieverOf([instance], grammars)
    const stage = async (text: string, language?: string) =>
      (await retriever.retrieve(text, language === undefined ? {} : { language })).trace.stages[0]
    expect(await stage(code, 'gdscript')).toMatchObject({ stage: 'read', grammar: 'gdscript', partial: false })
    expect(await stage('func f(:\n\tx ==', 'gdscript')).toMatchObject({ grammar: 'gdscript', partial: true })
    expect(await stage('f(x', 'lua')).toMatchObject({ grammar: null, partial: true })
    expect(await stage('f(x)', 'lua')).toMatchObject({ grammar: null, partial: false })
  })

  it('patterns and rule objects decide, alone and behind gates, the same in retrieve and explain', async () => {
    const other = mapping('instance()', { source_pattern: '$A.instance(1)', required_when_seen_in_code: ['instance'] })
    const records = [instance, connect, alone, other]
    await using retriever = await retrieverOf(records, grammars)
    expect(retriever.warnings).toEqual([])
    const result = await retriever.retrieve(code, { language: 'gdscript' })
    expect(result.degraded).toEqual([])
    for (const [record, outcome] of [
      [instance, 'accept'],
      [connect, 'accept'],
      [alone, 'accept'],
      [other, 'reject'],
    ] as const) {
      expect(candidateOf(result, record.id).verdict.outcome, record.id).toBe(outcome)
      expect((await retriever.explain(code, record, { language: 'gdscript' })).outcome, record.id).toBe(outcome)
    }
  })

  it('what a pattern matched is evidence that can be checked on a reading with a tree', async () => {
    await using retriever = await retrieverOf([alone, connect], grammars)
    const { verdict, record } = candidateOf(await retriever.retrieve(code, { language: 'gdscript' }), 'alone')
    const [evidence] = verdict.evidence
    expect(evidence).toMatchObject({ kind: 'pattern', text: 'Sprite.instance()', field: 'source_pattern' })
    expect(verifyEvidence(evidence!, await analyzeChunk(code, { language: 'gdscript', grammars }), record)).toBe(true)
    expect(verifyEvidence(evidence!, code, record)).toBe(false)
  })

  it('a rule object is cited by its JSON text', async () => {
    const rule = { kind: 'attribute', regex: '^Sprite' }
    await using retriever = await retrieverOf([{ ...alone, source_pattern: ['\\bSprite\\b', rule] }], grammars)
    const { verdict, record } = candidateOf(await retriever.retrieve(code, { language: 'gdscript' }), 'alone')
    const cited = verdict.evidence.find(({ field }) => field === 'source_pattern[1]')!
    expect(cited.record).toEqual({ start: 0, end: JSON.stringify(rule).length })
    expect(verifyEvidence(cited, await analyzeChunk(code, { language: 'gdscript', grammars }), record)).toBe(true)
  })
})

describe('without the grammar that a pattern needs', () => {
  it('nothing is accepted because of it: uncertain behind gates, rejected alone, and said once', async () => {
    await using retriever = await retrieverOf([instance, connect, alone])
    const result = await retriever.retrieve(code, { language: 'gdscript' })
    expect(result.accepted).toEqual([])
    expect(candidateOf(result, 'instance').verdict).toMatchObject({ outcome: 'uncertain' })
    expect(candidateOf(result, 'instance').verdict.reason).toContain('no grammar for gdscript is loaded')
    expect(candidateOf(result, 'alone').verdict).toMatchObject({ outcome: 'reject' })
    expect(result.degraded.map(({ stage, code: each }) => ({ stage, each }))).toEqual([
      { stage: 'validate', each: 'grammar-missing' },
    ])
    expect((await retriever.explain(code, instance, { language: 'gdscript' })).outcome).toBe('uncertain')
  })

  it('a pattern alone leaves the answer undecided, since nobody looked', async () => {
    await using retriever = await retrieverOf([alone])
    expect((await retriever.retrieve(code, { language: 'gdscript' })).status).toBe('undecided')
  })

  it('names that are certain do not vouch for it', async () => {
    const certain = mapping('connect')
    const weak = mapping('instance', { source_pattern: '$A.instance()', old_name_legal_in_godot4: true })
    await using retriever = await retrieverOf([certain, weak])
    const result = await retriever.retrieve(code, { language: 'gdscript' })
    expect(candidateOf(result, 'connect').verdict.outcome).toBe('accept')
    expect(candidateOf(result, 'instance').verdict.outcome).toBe('uncertain')
  })

  it('nor does any validator of the host', async () => {
    const yes: Validator = {
      name: 'yes',
      validate: async ({ chunkText }, entries) =>
        entries.map(() => {
          const start = chunkText.indexOf('instance')
          const span = { start, end: start + 'instance'.length }
          const record = { start: 0, end: 'instance'.length }
          const evidence = {
            text: 'instance',
            kind: 'call',
            weight: 3,
            chunk: span,
            field: 'source_api',
            record,
          } as const
          return { outcome: 'accept', by: 'yes', reason: 'yes', evidence: [evidence], missing: [] }
        }),
    }
    await using retriever = await Retriever.create({ records: [instance], strategy: parallel({ validator: yes }) })
    const result = await retriever.retrieve(code, { language: 'gdscript' })
    expect(candidateOf(result, 'instance').verdict.outcome).toBe('uncertain')
  })

  it('records of another language, and chunks that no gate opens, say nothing about it', async () => {
    const other = mapping('instance', { source_pattern: '$A.instance()', language: 'python' })
    const closed = mapping('nowhere', { source_pattern: '$A.nowhere()', match_terms: ['instance'] })
    await using retriever = await retrieverOf([other, closed])
    const result = await retriever.retrieve(code, { language: 'gdscript' })
    expect(result.degraded).toEqual([])
    expect(result.rejected.length).toBe(result.candidates.length)
  })
})

describe('bad patterns', () => {
  const good = mapping('connect', { source_pattern: 'connect\\(' })
  const circular: Record<string, unknown> = { kind: 'call' }
  circular.not = circular
  const bad = [
    mapping('zz', { source_pattern: '(' }),
    mapping('instance', { source_pattern: ['instance', '$A.('], language: 'gdscript' }),
    mapping('circular', { required_when_seen_in_code: ['connect'], source_pattern: circular }),
  ]

  it('are told at load in the order of the records, and stop no other', async () => {
    await using retriever = await retrieverOf([...bad, good], grammars)
    expect(retriever.warnings.map(({ code: each, id, field }) => [each, id, field])).toEqual([
      ['pattern-invalid', 'circular', 'source_pattern'],
      ['pattern-invalid', 'instance', 'source_pattern[1]'],
      ['pattern-invalid', 'zz', 'source_pattern'],
    ])
    for (const { id, message } of retriever.warnings) expect(message).toContain(`Record "${id}"`)
    const result = await retriever.retrieve(code, { language: 'gdscript' })
    expect(result.accepted.map(({ id }) => id)).toEqual(['connect'])
  })

  it('come and go with their records', async () => {
    await using retriever = await retrieverOf([good])
    await retriever.add(bad.slice(0, 1))
    expect(retriever.warnings.map(({ id }) => id)).toEqual(['zz'])
    await refusal(retriever.add([mapping('yy', { source_pattern: '(' }), good]))
    expect(retriever.warnings.map(({ id }) => id)).toEqual(['zz'])
    await retriever.remove([{ collection: 'api_mapping', id: 'zz' }])
    expect(retriever.warnings).toEqual([])
  })

  it('that are no pattern at all are refused with their record', async () => {
    expect((await refusal(retrieverOf([mapping('x', { source_pattern: 3 })]))).code).toBe('RECORD_INVALID')
    const own = defineCollection({
      name: 'own',
      fields: { p: { reads: 'code', evidence: 'pattern' }, t: { reads: 'code' } },
    })
    expect(own.parse({ id: '1', p: [{ kind: 'call' }, 'x'] }).p).toEqual([{ kind: 'call' }, 'x'])
    expect(() => own.parse({ id: '1', p: [[1]] })).toThrow('must be a pattern')
    expect(() => own.parse({ id: '1', t: {} })).toThrow('must be a string')
    expect(apiMapping.parse({ id: '1', source_pattern: null }).source_pattern).toBe(null)
  })
})
