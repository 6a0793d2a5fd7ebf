import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { chunk, corpus, docs, folderOf, retrieve, run } from './run.ts'

const timer = { id: 'timer', title: 'Timer.start', content: 'Timer.start begins the countdown.' }
const tween = { id: 'tween', title: 'Tween.kill', content: 'Tween.kill ends the animation.' }
const code = 'var timer: Timer = Timer.new()\ntimer.start()\n'

describe('the corpus', () => {
  test('takes several files after one option, and the option again', async () => {
    const path = await folderOf({ a: docs(timer), b: docs(tween), c: docs({ ...timer, id: 'third' }), 'x.gd': code })
    const words = ['--corpus', path('a'), path('b'), `--corpus=${path('c')}`, '--chunk', path('x.gd'), '--json']
    const { candidates } = JSON.parse((await retrieve(...words)).stdout)
    expect(candidates.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(['timer', 'third']))
  })

  test('may be gzip', async () => {
    const path = await folderOf({ a: gzipSync(docs(timer)), 'x.gd': code })
    expect((await retrieve('--corpus', path('a'), '--chunk', path('x.gd'))).code).toBe(0)
  })

  test.each([
    ['no JSON', `${docs(timer)}{"id":\n`, /:2: The record: it is not valid JSON/],
    ['a field of the wrong type', docs(timer, { ...tween, title: 7 }), /:2: Record "tween".*field "title"/],
    ['an id that is taken', docs(timer, timer), /:2: Record "timer".* has the id of another record/],
    ['an unknown collection', docs(timer, { ...tween, collection: 'other' }), /:2: There is no collection "other"/],
  ])('with %s stops with file and line on one line, exit code 2', async (_name, content, message) => {
    const path = await folderOf({ 'bad.jsonl': content, 'x.gd': code })
    const { code: exitCode, stdout, stderr } = await retrieve('--corpus', path('bad.jsonl'), '--chunk', path('x.gd'))
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^direct-evidence: [^\n]*bad\.jsonl:2: [^\n]*\n$/)
  })

  test('with bad lines goes on without them when errors are collected', async () => {
    const lines = [
      docs(timer),
      '{"id":\n',
      docs({ ...tween, title: 7 }),
      docs({ id: 'x', collection: 'other' }),
      docs(timer),
    ]
    const path = await folderOf({ bad: `${lines.join('')}{"id":"\u001b[31m",\n`, good: docs(timer), 'x.gd': code })
    const bad = await retrieve(
      '--corpus',
      path('bad'),
      '--chunk',
      path('x.gd'),
      '--on-error',
      'collect',
      '--json',
      '--quiet',
    )
    const good = await retrieve('--corpus', path('good'), '--chunk', path('x.gd'), '--json')
    expect(bad.code).toBe(0)
    expect(bad.stdout).toBe(good.stdout)
    const told = bad.stderr.trimEnd().split('\n')
    expect(told.map((line) => /:(\d+): /.exec(line)?.[1])).toEqual(['2', '3', '4', '5', '6', undefined])
    expect(told.at(-1)).toBe('direct-evidence: 5 lines refused, 1 record read')
    expect(bad.stderr).not.toContain('\u001b')
  })

  test('without a single record is an input error', async () => {
    const path = await folderOf({ empty: '', bad: 'no\n', 'x.gd': code })
    for (const words of [['empty'], ['bad', '--on-error', 'collect']]) {
      const [name = '', ...rest] = words
      const { code: exitCode, stderr } = await retrieve('--corpus', path(name), '--chunk', path('x.gd'), ...rest)
      expect(exitCode).toBe(2)
      expect(stderr).toContain('There is no record to search')
    }
  })

  test('that is not there is an input error with its name', async () => {
    const { code: exitCode, stderr } = await retrieve('--corpus', 'no-such.jsonl', '--chunk', chunk)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^direct-evidence: [^\n]*no-such\.jsonl[^\n]*\n$/)
  })
})

describe('the chunk', () => {
  test('is read from stdin, and gives what its file gives', async () => {
    const path = await folderOf({ corpus: docs(timer, tween), 'x.gd': `\uFEFF${code}` })
    const words = ['retrieve', '--corpus', path('corpus'), '--jsonl', '--language', 'gdscript', '--chunk']
    const fromFile = await run([...words, path('x.gd')])
    expect(await run([...words, '-'], { stdin: code })).toEqual(fromFile)
    expect(fromFile.stdout).not.toBe('')
  })

  test('that cannot be read or is not text is an input error', async () => {
    const path = await folderOf({ latin: Uint8Array.of(0x76, 0xe4, 0x72) })
    const unreadable = await retrieve('--corpus', corpus, '--chunk', 'no-such.gd')
    expect(unreadable).toMatchObject({ code: 2, stdout: '' })
    expect(unreadable.stderr).toMatch(/^direct-evidence: The chunk no-such\.gd [^\n]*\n$/)
    const latin = await retrieve('--corpus', corpus, '--chunk', path('latin'))
    expect(latin).toMatchObject({ code: 2, stdout: '' })
    expect(latin.stderr).toContain('not valid UTF-8')
  })

  test('in a language nobody knows is read all the same, with a note', async () => {
    const { code: exitCode, stderr } = await retrieve('--corpus', corpus, '--chunk', chunk, '--language', 'klingon')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('klingon')
  })

  test('is no longer waited for after an interruption', async () => {
    const interruption = new AbortController()
    const stdin = new Readable({ read: () => {} })
    setTimeout(() => interruption.abort(), 20)
    const words = ['retrieve', '--corpus', corpus, '--chunk', '-']
    const ended = await run(words, { stdin, signal: interruption.signal })
    expect(ended).toEqual({ code: 130, stdout: '', stderr: '' })
    expect(stdin.destroyed).toBe(true)
  })
})

test('an interruption ends the reading of a corpus with 130 and leaves nothing on stdout', async () => {
  const interruption = new AbortController()
  const records = Array.from({ length: 20_000 }, (_, index) => ({ ...timer, id: `timer-${index}` }))
  const path = await folderOf({ corpus: docs(...records), 'x.gd': code })
  const words = ['retrieve', '--corpus', path('corpus'), '--chunk', path('x.gd')]
  setTimeout(() => interruption.abort(), 100)
  expect(await run(words, { signal: interruption.signal })).toEqual({ code: 130, stdout: '', stderr: '' })
})
