import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { main } from '../../src/cli/command-line.ts'

export const corpus = 'examples/godot/corpus.jsonl'
export const chunk = 'examples/godot/player.gd'

export interface Situation {
  readonly stdin?: string | Readable
  readonly env?: Readonly<Record<string, string>>
  /** stdout and stderr are terminals. */
  readonly terminal?: boolean
  readonly signal?: AbortSignal
}

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line in this process. */
export async function run(words: readonly string[], situation: Situation = {}): Promise<Ended> {
  const { stdin = '', env = {}, terminal = false, signal } = situation
  const stdout = collector(terminal)
  const stderr = collector(terminal)
  const code = await main(words, {
    stdout: stdout.stream,
    stderr: stderr.stream,
    stdin: typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin,
    env,
    signal,
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

export const retrieve = (...words: readonly string[]): Promise<Ended> => run(['retrieve', ...words])

/** Slow enough that nobody passes who does not wait for it. */
function collector(isTTY: boolean): { readonly stream: Writable & { isTTY: boolean }; text(): string } {
  let text = ''
  const stream = new Writable({
    highWaterMark: 16,
    write(bytes: Buffer, _encoding, done) {
      setImmediate(() => {
        text += bytes.toString()
        done()
      })
    },
  })
  return { stream: Object.assign(stream, { isTTY }), text: () => text }
}

/** Writes files into a folder that is gone after the test, and gives a function from name to path. */
export async function folderOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<(name: string) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'direct-evidence-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return (name) => join(folder, name)
}

/** JSONL of records of `docs_chunks`. */
export function docs(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify({ collection: 'docs_chunks', ...record })}\n`).join('')
}
