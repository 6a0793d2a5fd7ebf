import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parallel, Retriever, readRecords } from '../../src/index.ts'
import { bytesOf } from './results.ts'

const example = (name: string): string => fileURLToPath(new URL(`../../examples/godot/${name}`, import.meta.url))

/** One line a chunk: a digest of all that a retrieval over the Godot example must repeat byte for byte. */
export async function fingerprint(): Promise<string> {
  await using retriever = await Retriever.create({
    records: readRecords(example('corpus.jsonl')),
    strategy: parallel(),
  })
  const chunks = [
    ...['player.gd', 'player_godot3.gd'].map((name) => readFileSync(example(name), 'utf8')),
    'anim',
    '$Timer.start()',
  ]
  const lines: string[] = []
  for (const chunk of chunks) {
    const bytes = bytesOf(await retriever.retrieve(chunk, { language: 'gdscript' }))
    lines.push(`${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`)
  }
  return lines.join('\n')
}
