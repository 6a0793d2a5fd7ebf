import { expect, test } from 'vitest'
import { stageSchemas } from '../../src/trace/payloads.ts'
import { traceSchema } from '../../src/trace/schema.ts'
import { parallelTrace, traceOf } from './example.ts'

test('a recorded trace fits its schema after a round trip through JSON, and nothing is lost', async () => {
  const trace = await parallelTrace()
  expect(traceSchema.parse(JSON.parse(JSON.stringify(trace)))).toEqual(trace)
})

test('the stages of a parallel trace log what the schemas of their payloads say', async () => {
  const { stages } = await parallelTrace()
  expect(stages.map(({ stage }) => stage)).toEqual(Object.keys(stageSchemas))
  for (const stage of stages) {
    const schema = stageSchemas[stage.stage as keyof typeof stageSchemas]
    expect(schema.safeParse(stage).error, stage.stage).toBeUndefined()
  }
})

test('a stage of another strategy may log any JSON', () => {
  const trace = traceOf([{ stage: 'profile', ms: 3, dropped: [{ text: 'x', why: null }], grounded: 0.5 }])
  expect(traceSchema.parse(trace)).toEqual(trace)
})

test.each([
  ['another format', { format: 'else' }],
  ['another version', { version: 2 }],
  ['a wall clock', { startedAt: '2024-01-01' }],
  ['a stage without a time', { stages: [{ stage: 'bm25' }] }],
  ['a time that is no number', { stages: [{ stage: 'bm25', ms: Number.NaN }] }],
  ['a log that is no JSON', { stages: [{ stage: 'bm25', ms: 0, hits: new Map() }] }],
  ['an unknown status', { status: 'fine' }],
])('a trace with %s is refused', (_name, change) => {
  expect(traceSchema.safeParse({ ...traceOf([]), ...change }).success).toBe(false)
})

test('a record that stands twice in the union is a fault', () => {
  const key = { collection: 'a', id: '1' }
  expect(stageSchemas.union.safeParse({ candidates: [key, { ...key, id: '2' }] }).success).toBe(true)
  expect(stageSchemas.union.safeParse({ candidates: [key, key] }).success).toBe(false)
})
