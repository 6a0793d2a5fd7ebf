import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { chunk, corpus, retrieve, run } from './run.ts'

const good = ['--corpus', corpus, '--chunk', chunk]

describe('help and version', () => {
  test('the help names the command and the exit codes', async () => {
    const { code, stdout, stderr } = await run(['--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('retrieve')
    for (const exitCode of ['0', '1', '2', '3', '70', '130'])
      expect(stdout).toMatch(new RegExp(`^ +${exitCode}  `, 'm'))
    expect(stderr).toBe('')
    expect((await run(['-h'])).stdout).toBe(stdout)
  })

  test('the help of retrieve names every option and fits the line', async () => {
    const { code, stdout } = await retrieve('--help')
    expect(code).toBe(0)
    const names = 'corpus chunk language strategy collection limit only json jsonl trace no-embedding color no-color'
    for (const name of `${names} on-error quiet help`.split(' ')) expect(stdout).toContain(`--${name}`)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
  })

  test('help is given whatever the values of other options are', async () => {
    expect((await retrieve('--limit', 'x', '-h')).code).toBe(0)
  })

  test("the version is the package's", async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    for (const option of ['--version', '-V']) expect((await run([option])).stdout).toBe(`${version}\n`)
  })
})

describe('bad usage is refused by name, on one line, with exit code 2 and nothing on stdout', () => {
  test.each([
    ['no command', [], /Name a command.*direct-evidence --help/],
    ['an unknown command', ['retreive'], /Unknown command `retreive`.*--help/],
    ['an option before the command', ['--json', 'retrieve'], /Unknown option `--json` before the command/],
    ['an unknown option', ['retrieve', ...good, '--jsn'], /Unknown option `--jsn`.*retrieve --help/],
    ['an unknown short option', ['retrieve', ...good, '-q'], /Unknown option `-q`/],
    ['an inherited name', ['retrieve', ...good, '--constructor'], /Unknown option `--constructor`/],
    ['no corpus', ['retrieve', '--chunk', chunk], /--corpus FILE/],
    ['no chunk', ['retrieve', '--corpus', corpus], /--chunk FILE.*stdin/],
    ['a stray word', ['retrieve', '--chunk', chunk, 'other.gd', '--corpus', corpus], /Unexpected argument `other.gd`/],
    ['a word after --', ['retrieve', ...good, '--', 'x'], /Unexpected argument `x`/],
    ['a missing value at the end', ['retrieve', ...good, '--limit'], /`--limit` needs a value/],
    ['an option in place of a value', ['retrieve', ...good, '--trace', '--json'], /`--trace` needs a value.*`--json`/],
    ['an empty value', ['retrieve', ...good, '--trace='], /`--trace` has an empty value/],
    ['a value for a flag', ['retrieve', ...good, '--json=yes'], /`--json` takes no value/],
    ['limit 0', ['retrieve', ...good, '--limit', '0'], /`--limit` must be a whole number from 1, not `0`/],
    ['a negative limit', ['retrieve', ...good, '--limit', '-1'], /`--limit`.*not `-1`/],
    ['limit x', ['retrieve', ...good, '--limit', 'x'], /`--limit`.*not `x`/],
    ['limit 1e3', ['retrieve', ...good, '--limit', '1e3'], /`--limit`/],
    ['a limit beyond numbers', ['retrieve', ...good, '--limit', '99999999999999999999'], /`--limit`/],
    [
      'a bad --only',
      ['retrieve', ...good, '--only', 'accept'],
      /`--only` must be one of accepted, uncertain, rejected/,
    ],
    ['a bad --on-error', ['retrieve', ...good, '--on-error', 'skip'], /`--on-error` must be one of stop, collect/],
    ['a bad --strategy', ['retrieve', ...good, '--strategy', 'D'], /`--strategy` must be one of parallel, rerank/],
    [
      'an unknown collection',
      ['retrieve', ...good, '--collection', 'docs'],
      /`--collection` must be one of docs_chunks/,
    ],
    ['two formats', ['retrieve', ...good, '--json', '--jsonl'], /`--json` and `--jsonl`/],
    ['the corpus on stdin', ['retrieve', '--corpus', '-', '--chunk', chunk], /`--corpus`: only --chunk reads stdin/],
    ['commands for the terminal', ['retrieve', '--\u001b[31m'], /Unknown option `--\\x1b\[31m`/],
  ])('%s', async (_name, words, message) => {
    const { code, stdout, stderr } = await run(words)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^direct-evidence: [^\n]*\n$/)
    expect(stderr).toMatch(message)
  })
})
