import { expect, it } from 'vitest'
import { entry, page, retrieverOf } from '../helpers/corpus.ts'

const chunk = 'func f(x):\n\tx.start(3.0)\n\tposition = position.clamp(a, b)\n'

it('is the best uncertain record when nothing is accepted', async () => {
  await using retriever = await retrieverOf([
    entry('Timer.start'),
    entry('Thread.start'),
    page('p', { content: 'Baking.' }),
  ])
  const result = await retriever.retrieve(chunk, { language: 'gdscript' })
  expect(result.status).toBe('undecided')
  expect(result.nearMiss).toBe(result.uncertain[0])
  expect(result.nearMiss?.verdict.missing.length).toBeGreaterThan(0)
})

it('is the rejected record with the most evidence when nothing is uncertain, with what it lacked', async () => {
  const many = Array.from({ length: 30 }, (_, index) => page(`p${index}`, { content: 'Some start() here.' }))
  await using retriever = await retrieverOf(many)
  const result = await retriever.retrieve('a.start()\nb.stop_all()\n', { language: 'gdscript' })
  expect(result.status).toBe('no-direct-evidence')
  expect(result.nearMiss).toMatchObject({ verdict: { outcome: 'reject', reason: expect.stringContaining('start') } })
})

it('is absent when something is accepted, or nothing shares a literal', async () => {
  await using retriever = await retrieverOf([entry('Input.get_axis'), page('p', { content: 'Baking.' })])
  expect(await retriever.retrieve('Input.get_axis("a", "b")', { language: 'gdscript' })).not.toHaveProperty('nearMiss')
  expect(await retriever.retrieve('nothing_of_the_kind()', { language: 'gdscript' })).not.toHaveProperty('nearMiss')
})
