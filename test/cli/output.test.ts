import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Candidate } from '../../src/contracts.ts'
import { chunk, corpus, docs, folderOf, retrieve, run } from './run.ts'

const words = ['--corpus', corpus, '--chunk', chunk]
const parse = (line: string): Candidate => JSON.parse(line)

describe('the text report', () => {
  test('shows accepted with proof, then uncertain, then rejected on one line each', async () => {
    const { code, stdout, stderr } = await retrieve(...words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^status {2}evidence: \d+ accepted, \d+ uncertain, \d+ rejected of \d+ candidates\n/)
    const order = ['\naccepted (', '\nuncertain (', '\nrejected ('].map((title) => stdout.indexOf(title))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(order[0]).toBeGreaterThan(0)
    expect(stdout).toMatch(/^accept +\d+ {2}docs_chunks {2}class\/animatedsprite2d\/play {2}0\.\d+\n {4}by literal: /m)
    // Line 27 of the chunk is `\t\t$AnimatedSprite2D.play()`.
    expect(stdout).toMatch(/^ {4}\+ 27:4 {2}AnimatedSprite2D\.play \(chain, [\d.]+\) in title$/m)
    expect(stdout).toMatch(/^reject +\d+ {2}\S+ {2}\S+ {2}[\d.]+ {2}by literal: /m)
  })

  test('shows ten of the rejected and counts the rest', async () => {
    const { rejected } = countsOf((await retrieve(...words, '--only', 'rejected')).stdout)
    const { stdout } = await retrieve(...words)
    expect(rejected).toBeGreaterThan(10)
    expect(stdout.match(/^reject /gm)).toHaveLength(10)
    expect(stdout).toContain(`${rejected - 10} more rejected`)
  })

  test('shows one part when asked, with the status of the whole', async () => {
    const { code, stdout } = await retrieve(...words, '--only', 'uncertain')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^status {2}evidence/)
    expect(stdout).toMatch(/^uncertain +\d/m)
    expect(stdout).not.toMatch(/^(?:accept|reject)/m)
  })

  test('shows commands in records and chunks as text', async () => {
    const title = 'Timer.start\u001b[2J\u202e'
    const path = await folderOf({ corpus: docs({ id: 'evil\u001b]0;x\u0007', title, code_blocks: ['Timer.start()'] }) })
    const situation = { stdin: 'Timer.start()\n# \u001b[31m', terminal: true }
    const { stdout, stderr } = await run(
      ['retrieve', '--corpus', path('corpus'), '--chunk', '-', '--no-color'],
      situation,
    )
    expect(stdout).toContain('evil\\x1b]0;x\\x07')
    expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/)
  })
})

describe('colour', () => {
  const coloured = async (more: string[], terminal: boolean, env: Record<string, string> = {}): Promise<boolean> => {
    const { stdout } = await run(['retrieve', ...words, ...more], { terminal, env })
    return stdout.includes('\u001b[')
  }

  test('is on for a terminal alone', async () => {
    expect(await coloured([], true)).toBe(true)
    expect(await coloured([], false)).toBe(false)
  })

  test('is off with NO_COLOR, on a dumb terminal and by --no-color', async () => {
    expect(await coloured([], true, { NO_COLOR: '1' })).toBe(false)
    expect(await coloured([], true, { NO_COLOR: '' })).toBe(true)
    expect(await coloured([], true, { TERM: 'dumb' })).toBe(false)
    expect(await coloured(['--no-color'], true)).toBe(false)
  })

  test('is forced by --color, and the later of two wins', async () => {
    expect(await coloured(['--color'], false, { NO_COLOR: '1' })).toBe(true)
    expect(await coloured(['--color', '--no-color'], false)).toBe(false)
    expect(await coloured(['--no-color', '--color'], false)).toBe(true)
  })

  test('adds nothing but colour', async () => {
    const plain = await retrieve(...words)
    const { stdout } = await retrieve(...words, '--color')
    expect(stdout.replace(/\u001b\[\d+m/g, '')).toBe(plain.stdout)
  })

  test('never comes into JSON', async () => {
    expect(await coloured(['--json', '--color'], true)).toBe(false)
  })
})

describe('--json and --jsonl', () => {
  test('give the same whole candidates', async () => {
    const { stdout: json } = await retrieve(...words, '--json')
    const { stdout: jsonl } = await retrieve(...words, '--jsonl')
    const { status, candidates, degraded, ...more } = JSON.parse(json)
    expect({ status, degraded, more }).toEqual({ status: 'evidence', degraded: [], more: {} })
    expect(candidates.length).toBeGreaterThan(10)
    expect(jsonl.trimEnd().split('\n').map(parse)).toEqual(candidates)
    for (const { record, verdict, hits } of candidates) {
      expect(record.id).toBeTypeOf('string')
      expect(verdict.reason).toBeTypeOf('string')
      expect(hits).toBeTypeOf('object')
    }
  })

  test('are the same byte for byte each time', async () => {
    expect(await retrieve(...words, '--json')).toEqual(await retrieve(...words, '--json'))
  })

  test('keep to the part asked for', async () => {
    const { stdout } = await retrieve(...words, '--jsonl', '--only', 'accepted')
    const lines = stdout.trimEnd().split('\n').map(parse)
    expect(new Set(lines.map(({ verdict }) => verdict.outcome))).toEqual(new Set(['accept']))
    const { candidates } = JSON.parse((await retrieve(...words, '--json', '--only', 'rejected')).stdout)
    expect(new Set(candidates.map(({ verdict }: Candidate) => verdict.outcome))).toEqual(new Set(['reject']))
  })

  test('escape what some readers take for the end of a line', async () => {
    const content = 'a\u2028b\u2029c\u0085d'
    const path = await folderOf({ corpus: docs({ id: 'timer', title: 'Timer.start', content }) })
    for (const format of ['--json', '--jsonl']) {
      const situation = { stdin: 'Timer.start()' }
      const { stdout } = await run(['retrieve', '--corpus', path('corpus'), '--chunk', '-', format], situation)
      expect(stdout).not.toMatch(/[\u2028\u2029\u0085]/)
      expect(stdout).toContain('a\\u2028b\\u2029c\\u0085d')
    }
  })

  test('say so when there is nothing', async () => {
    const path = await folderOf({ corpus: docs({ id: 'timer', title: 'Timer.start' }) })
    const nothing = ['retrieve', '--corpus', path('corpus'), '--chunk', '-']
    const json = await run([...nothing, '--json'])
    expect(JSON.parse(json.stdout)).toEqual({ status: 'no-direct-evidence', candidates: [], degraded: [] })
    expect(json.code).toBe(1)
    expect(await run([...nothing, '--jsonl'])).toEqual({ code: 1, stdout: '', stderr: '' })
  })
})

describe('the search', () => {
  test('keeps to collections and limit', async () => {
    const more = ['--collection', 'api_mapping', 'label_prototypes', '--limit', '3', '--jsonl']
    const lines = (await retrieve(...words, ...more)).stdout.trimEnd().split('\n').map(parse)
    expect(lines).toHaveLength(3)
    for (const { collection } of lines) expect(['api_mapping', 'label_prototypes']).toContain(collection)
  })

  test('goes without embedding when told', async () => {
    const { stdout } = await retrieve(...words, '--no-embedding', '--jsonl')
    for (const { hits } of stdout.trimEnd().split('\n').map(parse)) expect(Object.keys(hits)).not.toContain('embedding')
  })

  test('ends with 3 when nothing is accepted and something is uncertain', async () => {
    const situation = { stdin: 'thing.clamp(low, high)' }
    const { code, stdout } = await run(['retrieve', '--corpus', corpus, '--chunk', '-'], situation)
    expect(stdout).toMatch(/^status {2}undecided/)
    expect(code).toBe(3)
  })
})

describe('--trace', () => {
  test('writes the folder and tells its path on stderr', async () => {
    const path = await folderOf({})
    const { code, stderr } = await retrieve(...words, '--trace', path('deep/trace'), '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: `trace: ${path('deep/trace')}\n` })
    expect(await readdir(path('deep/trace'))).toEqual(expect.arrayContaining(['trace.json', '6-verdicts.jsonl']))
  })

  test('is silent with --quiet, and an input error when it cannot be written', async () => {
    const path = await folderOf({ file: '' })
    expect((await retrieve(...words, '--trace', path('trace'), '--quiet')).stderr).toBe('')
    const { code, stdout, stderr } = await retrieve(...words, '--trace', path('file'))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^direct-evidence: The trace could not be written[^\n]*\n$/)
  })
})

function countsOf(report: string): { readonly rejected: number } {
  return { rejected: Number(/(\d+) rejected of/.exec(report)?.[1]) }
}

test('--strategy rerank says of each candidate where it was moved', async () => {
  const { code, stdout } = await retrieve(...words, '--strategy', 'rerank', '--jsonl')
  expect(code).toBe(0)
  for (const line of stdout.trimEnd().split('\n')) expect(parse(line).rerank).toMatchObject({ by: 'evidence' })
})
