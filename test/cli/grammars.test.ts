import { expect, test } from 'vitest'
import { folderOf, retrieve } from './run.ts'

const mapping = (id: string, source_pattern: unknown): string =>
  `${JSON.stringify({ id, collection: 'api_mapping', source_api: id, required_when_seen_in_code: [id], source_pattern })}\n`

test('--grammars reads the chunk by its tree, so that ast-grep patterns can match', async () => {
  const path = await folderOf({
    'corpus.jsonl': mapping('instance', '$A.instance()'),
    'chunk.gd': 'func f():\n\tvar s = Sprite.instance()\n',
  })
  const words = ['--corpus', path('corpus.jsonl'), '--chunk', path('chunk.gd'), '--json']
  const without = await retrieve(...words)
  expect(without.code).toBe(3)
  expect(JSON.parse(without.stdout).degraded).toMatchObject([{ code: 'grammar-missing' }])
  const withGrammars = await retrieve(...words, '--grammars')
  expect(withGrammars).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(withGrammars.stdout).candidates).toMatchObject([{ id: 'instance', verdict: { outcome: 'accept' } }])
})

test('bad patterns are told on stderr, even quietly, and the search goes on', async () => {
  const path = await folderOf({
    'corpus.jsonl': mapping('instance', '(') + mapping('Sprite', 'Sprite\\.'),
    'chunk.gd': 'Sprite.instance()\n',
  })
  const { code, stderr } = await retrieve('--corpus', path('corpus.jsonl'), '--chunk', path('chunk.gd'), '--quiet')
  expect(code).toBe(0)
  expect(stderr).toMatch(/^direct-evidence: Record "instance" of collection "api_mapping": source_pattern [^\n]+\n$/)
})
