import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type CorpusRecord, readRecords } from 'direct-evidence'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mapping, page, retrieverOf, shuffled } from '../helpers/corpus.ts'
import { fingerprint } from '../helpers/fingerprint.ts'
import { bytesOf, firstDifference } from '../helpers/results.ts'

const run = promisify(execFile)
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const queries = [
  '$AnimatedSprite2D.play()',
  'velo',
  'anim clamp',
  'func f(delta):\n\tposition = position.clamp(a, b)\n\tInput.is_action_pressed("x")\n\tvelocity += delta',
]

async function example(): Promise<CorpusRecord[]> {
  const records: CorpusRecord[] = []
  for await (const record of readRecords(at('../../examples/godot/corpus.jsonl'))) records.push(record)
  return records
}

it('repeats itself', async () => {
  await using retriever = await retrieverOf(await example())
  for (const query of queries) {
    const [first, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => retriever.retrieve(query, { language: 'gdscript' })),
    )
    for (const other of others) expect(firstDifference(bytesOf(other), bytesOf(first!))).toBe('')
  }
})

it('gives a fresh process the same bytes', async () => {
  const script = at('../helpers/print-fingerprint.ts')
  const fresh = await Promise.all([1, 2].map(() => run(process.execPath, ['--import', 'tsx', script])))
  const expected = await fingerprint()
  for (const { stdout } of fresh) expect(stdout).toBe(expected)
})

it('does not depend on the order of the corpus', async () => {
  const records = await example()
  await using given = await retrieverOf(records)
  for (let seed = 1; seed <= 5; seed++) {
    await using mixed = await retrieverOf(shuffled(records, seed))
    for (const query of queries) {
      const [a, b] = await Promise.all([given, mixed].map((each) => each.retrieve(query, { language: 'gdscript' })))
      expect(firstDifference(bytesOf(b!), bytesOf(a!))).toBe('')
    }
  }
})

it('does not depend on the way the corpus came to be: any adds and removes equal a fresh build', async () => {
  const word = fc.constantFrom(
    'play',
    'AnimatedSprite2D.play',
    'velocity',
    'position.clamp(low, high)',
    'animate_all()',
    'is_action_pressed',
    'größe',
  )
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const record = fc.oneof(
    fc
      .record({ id, title: word, content: fc.array(word, { maxLength: 4 }).map((all) => all.join(' ')) })
      .map(({ id, ...fields }) => page(id, fields)),
    fc
      .record({ id, source_api: word })
      .map(({ id, ...fields }) => mapping(id, { ...fields, required_when_seen_in_code: [fields.source_api] })),
  )
  const step = fc.record({ kind: fc.constantFrom('add', 'remove', 'search'), record })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      await using changed = await retrieverOf([])
      const held = new Map<string, CorpusRecord>()
      for (const { kind, record } of steps) {
        const key = `${record.collection} ${record.id}`
        if (kind === 'search') await changed.retrieve(queries[1]!)
        else if (kind === 'remove') {
          expect(await changed.remove([record])).toBe(held.delete(key) ? 1 : 0)
        } else if (!held.has(key)) {
          await changed.add([record])
          held.set(key, record)
        }
      }
      await using fresh = await retrieverOf([...held.values()])
      expect(changed.size).toBe(fresh.size)
      for (const query of [...queries, 'play', 'animate_all(velocity)']) {
        const [a, b] = await Promise.all([changed, fresh].map((each) => each.retrieve(query, { language: 'gdscript' })))
        expect(firstDifference(bytesOf(a!), bytesOf(b!))).toBe('')
      }
    }),
    { numRuns: 60 },
  )
})
