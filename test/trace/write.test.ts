import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { traceSchema } from '../../src/trace/schema.ts'
import { writeTrace } from '../../src/trace/write.ts'
import { parallelTrace, traceOf } from './example.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'direct-evidence-trace-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const allFiles = [
  '1-bm25-candidates.jsonl',
  '2-embedding-candidates.jsonl',
  '3-union.jsonl',
  '4-provenance.jsonl',
  '5-evidence.jsonl',
  '6-verdicts.jsonl',
  'literal-candidates.jsonl',
  'fused.jsonl',
  'trace.json',
]

async function readLines(file: string): Promise<unknown[]> {
  const text = await readFile(join(folder, file), 'utf8')
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
}

test('writes one file for each log and the whole trace, into a folder it creates', async () => {
  const trace = await parallelTrace()
  const deep = join(folder, 'a', 'b')
  const paths = await writeTrace(trace, deep)
  expect(paths.map((path) => basename(path))).toEqual(allFiles)
  expect((await readdir(deep)).sort()).toEqual([...allFiles].sort())
  expect(traceSchema.parse(JSON.parse(await readFile(join(deep, 'trace.json'), 'utf8')))).toEqual(trace)
})

test('a line of a log is one entry of its stage', async () => {
  await writeTrace(await parallelTrace(), folder)
  expect(await readLines('1-bm25-candidates.jsonl')).toEqual([
    { collection: 'docs_chunks', id: 'play', rank: 1, score: 9.12345, why: { terms: ['play', 'sprite'] } },
  ])
  expect(await readLines('3-union.jsonl')).toEqual([
    { collection: 'docs_chunks', id: 'play' },
    { collection: 'docs_chunks', id: 'input' },
  ])
  expect(await readLines('6-verdicts.jsonl')).toMatchObject([
    { id: 'play', outcome: 'accept', answer: 'yes' },
    { id: 'input', outcome: 'reject', answer: 'no' },
  ])
})

test('the same trace gives the same bytes', async () => {
  const trace = await parallelTrace()
  await writeTrace(trace, join(folder, 'a'))
  await writeTrace(trace, join(folder, 'b'))
  for (const file of allFiles) {
    expect(await readFile(join(folder, 'a', file))).toEqual(await readFile(join(folder, 'b', file)))
  }
})

test('a stage that found nothing gives an empty file, a stage that failed or did not run gives none', async () => {
  await writeTrace(
    traceOf([
      { stage: 'bm25', ms: 1, hits: [] },
      { stage: 'embedding', ms: 1, error: 'no model' },
    ]),
    folder,
  )
  expect((await readdir(folder)).sort()).toEqual(['1-bm25-candidates.jsonl', 'trace.json'])
  expect(await readFile(join(folder, '1-bm25-candidates.jsonl'), 'utf8')).toBe('')
})

test('logs of an earlier trace are removed, other files are left alone', async () => {
  await writeTrace(await parallelTrace(), folder)
  await writeFile(join(folder, 'notes.jsonl'), 'mine')
  await writeTrace(traceOf([]), folder)
  expect((await readdir(folder)).sort()).toEqual(['notes.jsonl', 'trace.json'])
})

test('a stage that ran twice gives the lines of both runs', async () => {
  const stages = ['a', 'b'].map((id) => ({ stage: 'union', ms: 0, candidates: [{ collection: 'c', id }] }))
  await writeTrace(traceOf(stages), folder)
  expect(await readLines('3-union.jsonl')).toMatchObject([{ id: 'a' }, { id: 'b' }])
})

test('characters that other readers take for line ends or commands are escaped, and come back the same', async () => {
  const id = 'a\u2028b\u2029c\u0085d\u009be\nf\ud800'
  const trace = traceOf([{ stage: 'union', ms: 0, candidates: [{ collection: 'c', id }] }], id)
  await writeTrace(trace, folder)
  for (const file of ['3-union.jsonl', 'trace.json']) {
    expect(await readFile(join(folder, file), 'utf8')).not.toMatch(/[\u007f-\u009f\u2028\u2029]/)
  }
  expect(await readLines('3-union.jsonl')).toEqual([{ collection: 'c', id }])
  expect(JSON.parse(await readFile(join(folder, 'trace.json'), 'utf8'))).toEqual(trace)
})

test('a folder that is a file is refused with its cause', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  await expect(writeTrace(traceOf([]), file)).rejects.toMatchObject({
    code: 'TRACE_UNWRITABLE',
    details: { file },
    cause: { code: 'EEXIST' },
  })
})

test('a failure leaves no half-written file behind', async () => {
  await mkdir(join(folder, 'trace.json'))
  await expect(writeTrace(traceOf([]), folder)).rejects.toMatchObject({ code: 'TRACE_UNWRITABLE' })
  expect(await readdir(folder)).toEqual(['trace.json'])
})

test('a trace that is no JSON is refused before anything is touched', async () => {
  await writeTrace(await parallelTrace(), folder)
  const hits: unknown[] = []
  hits.push(hits)
  const trace = traceOf([{ stage: 'bm25', ms: 0, hits: hits as never }])
  await expect(writeTrace(trace, folder)).rejects.toMatchObject({ code: 'TRACE_UNWRITABLE' })
  expect((await readdir(folder)).sort()).toEqual([...allFiles].sort())
})
