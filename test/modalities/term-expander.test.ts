import { expect, it } from 'vitest'
import { Vocabulary } from '../../src/corpus/vocabulary.ts'
import { TermExpander } from '../../src/modalities/term-expander.ts'

function vocabularyOf(...words: string[]): Vocabulary {
  const vocabulary = new Vocabulary()
  for (const word of words) vocabulary.intern(word)
  return vocabulary
}

async function expand(vocabulary: Vocabulary, word: string, weight = 1): Promise<Map<string, number>> {
  return new TermExpander(vocabulary).expand(new Map([[word, weight]]))
}

it('gives a known word its own weight and its relatives less', async () => {
  const found = await expand(vocabularyOf('timer', 'timers', 'clock'), 'timer', 0.8)
  expect([...found.keys()].sort()).toEqual(['timer', 'timers'])
  expect(found.get('timer')).toBe(0.8)
  expect(found.get('timers')).toBeLessThan(0.8)
  expect(found.get('timers')).toBeGreaterThan(0)
})

it('finds words by prefix and by spelling', async () => {
  const vocabulary = vocabularyOf('animation', 'velocity', 'rest')
  expect([...(await expand(vocabulary, 'anim')).keys()]).toEqual(['animation'])
  expect([...(await expand(vocabulary, 'velocty')).keys()]).toEqual(['velocity'])
  expect((await expand(vocabulary, 'unheard')).size).toBe(0)
})

it('does not take one or two letters for a prefix', async () => {
  const vocabulary = vocabularyOf('animation', 'another', 'an')
  expect([...(await expand(vocabulary, 'an')).keys()]).toEqual(['an'])
  expect((await expand(vocabulary, 'a')).size).toBe(0)
})

it('finds only what is worth finding', async () => {
  const vocabulary = vocabularyOf('animation', 'animal')
  const keeps = (term: number): boolean => vocabulary.word(term) === 'animal'
  const found = await new TermExpander(vocabulary).expand(new Map([['anim', 1]]), keeps)
  expect([...found.keys()]).toEqual(['animal'])
})

it('finds words that came in after it was first asked', async () => {
  const vocabulary = vocabularyOf('timer')
  const expander = new TermExpander(vocabulary)
  expect((await expander.expand(new Map([['velo', 1]]))).size).toBe(0)
  vocabulary.intern('velocity')
  expect([...(await expander.expand(new Map([['velo', 1]]))).keys()]).toEqual(['velocity'])
})

it('answers several callers at once as it answers one', async () => {
  const vocabulary = vocabularyOf(...Array.from({ length: 3_000 }, (_, index) => `word${index}`), 'velocity')
  const expander = new TermExpander(vocabulary)
  const answers = await Promise.all(Array.from({ length: 8 }, () => expander.expand(new Map([['velo', 1]]))))
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(answers[0]?.size).toBe(1)
})

it.each(['__proto__', 'constructor', 'hasOwnProperty', 'größe', '(a+)+$', '\ud83d'])(
  'takes %j for an ordinary word',
  async (word) => {
    const found = await expand(vocabularyOf('timer', word), word)
    expect(found.get(word)).toBe(1)
  },
)

it('keeps the number of relatives bounded', async () => {
  const vocabulary = vocabularyOf(...Array.from({ length: 500 }, (_, index) => `prefix${index}`))
  expect((await expand(vocabulary, 'prefix')).size).toBeLessThanOrEqual(13)
})
