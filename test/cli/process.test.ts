import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { chunk, corpus, type Ended, folderOf } from './run.ts'

/** Starts the real process, as the package's `bin` does. */
function start(...words: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'retrieve', ...words])
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function finish(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

test('stdout is one complete JSON object, the chunk comes from stdin, the exit code says evidence', async () => {
  const child = start('--corpus', corpus, '--chunk', '-', '--json')
  child.stdin.end(await readFile(chunk))
  const { code, stdout, stderr } = await finish(child)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout).candidates.length).toBeGreaterThan(10)
})

test('the other exit codes reach the shell', async () => {
  const nothing = start('--corpus', corpus, '--chunk', '-')
  nothing.stdin.end()
  expect((await finish(nothing)).code).toBe(1)
  const { code, stdout, stderr } = await finish(start('--corpus', 'no-such.jsonl', '--chunk', chunk))
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^[^\n]*no-such\.jsonl[^\n]*\n$/)
})

test('a reader that leaves early is no failure', async () => {
  // More than any pipe holds, so that the process meets the closed end.
  const content = 'Timer.start '.repeat(20_000)
  const records = Array.from({ length: 20 }, (_, index) => ({
    collection: 'docs_chunks',
    id: `timer-${index}`,
    content,
  }))
  const path = await folderOf({ corpus: records.map((record) => `${JSON.stringify(record)}\n`).join('') })
  const child = start('--corpus', path('corpus'), '--chunk', '-', '--jsonl', '--no-embedding')
  child.stdin.end('Timer.start()')
  const closed = once(child, 'close')
  const stderr = text(child.stderr)
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code, signal] = await closed
  expect([0, 1, 3]).toContain(code)
  expect({ signal, stderr: await stderr }).toEqual({ signal: null, stderr: '' })
})

test.skipIf(process.platform === 'win32')(
  'an interruption ends the process with 130, also while it waits for stdin',
  async () => {
    const child = start('--corpus', 'no-such.jsonl', '--chunk', '-', '--language', 'klingon')
    // The note on the language is told right before stdin is read.
    await once(child.stderr, 'data')
    child.kill('SIGINT')
    const [code, signal] = await once(child, 'close')
    expect({ code, signal }).toEqual({ code: 130, signal: null })
  },
)
