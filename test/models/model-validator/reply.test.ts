import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readReply } from '../../../src/models/model-validator/reply.ts'

const answerOf = (reply: string): string => readReply(reply).answer

describe('a reply in prose is decided by its first word', () => {
  it.each([
    ['yes', 'Yes, `play()` is called.'],
    ['yes', '**Yes** — the call is there'],
    ['yes', 'Answer: yes. "play" stands in both.'],
    ['yes', 'YES'],
    ['yes', 'Oui, « play » est dans les deux.'],
    ['yes', 'Réponse : oui'],
    ['yes', 'Sí, `play`'],
    ['yes', 'Sim.'],
    ['yes', 'Ja, „play“ steht in beiden.'],
    ['yes', '네, `play`가 있습니다'],
    ['yes', '예.'],
    ['yes', '是的，「play」'],
    ['yes', '答案：是。'],
    ['yes', 'はい、「play」です'],
    ['no', 'No.'],
    ['no', 'no, none of these is a direct match, yes or otherwise'],
    ['no', 'Non, rien.'],
    ['no', 'Não.'],
    ['no', 'Nein, nur im Kommentar.'],
    ['no', '아니요.'],
    ['no', '아니오, 없습니다'],
    ['no', '否。'],
    ['no', '不是，只是注释'],
    ['no', '没有。'],
    ['no', 'いいえ。'],
    ['undecided', 'Yes and no.'],
    ['undecided', 'yes/no'],
    ['undecided', 'Ja oder nein?'],
    ['undecided', 'Yesterday the code changed'],
    ['undecided', 'Nothing here'],
    ['undecided', '네트워크'],
    ['undecided', '是否匹配'],
    ['undecided', 'The answer is probably yes'],
    ['undecided', 'I cannot say'],
    ['undecided', ''],
    ['undecided', '   \n'],
  ])('%s: %j', (answer, reply) => expect(answerOf(reply)).toBe(answer))

  it('with what it quotes', () => {
    expect(readReply('Yes: `a.b()` and “c d” and «e».')).toMatchObject({ quotes: ['a.b()', 'c d', 'e'] })
  })
})

describe('a reply in JSON', () => {
  it.each([
    ['yes', '{"answer":"yes","quotes":["a"]}'],
    ['yes', '{"verdict":"YES","quote":"a"}'],
    ['yes', '{"direct":true,"evidence":[{"quote":"a"}]}'],
    ['yes', '<think>\n</think>\n\n{"answer":"yes","quotes":["a"]}'],
    ['yes', '```json\n{"answer":"yes","quotes":["a"]}\n```'],
    ['yes', 'Here you are, in `JSON`: {"answer":"yes","quotes":["a"]} (see note {2})'],
    ['yes', 'no doubt</think>{"answer":"yes","quotes":["a"]}'],
    ['no', '{"direct":"false"}'],
    ['no', '{"answer":"oui","direct":null,"verdict":"no"}'.replace('"oui"', '"non"').replace('"direct":null,', '')],
    ['undecided', '<think>{"answer":"yes"}'],
    ['undecided', '{"answer":"yes","answer":"no"}'],
    ['undecided', '{"answer":"yes","direct":false}'],
    ['undecided', '{"answer":"yes"} {"answer":"no"}'],
    ['undecided', '{"answer":"maybe"}'],
    ['undecided', '{"answer":1}'],
    ['undecided', '{"quotes":["a"]}'],
    ['undecided', '{"answer":"yes","quotes":["a"'],
    ['undecided', 'null'],
    ['undecided', '42'],
    ['undecided', '["yes"]'],
  ])('%s: %s', (answer, reply) => expect(answerOf(reply)).toBe(answer))

  it('keeps the quotes as they are written', () => {
    const reply = JSON.stringify({ answer: 'yes', quotes: [' a  b ', { quote: '“c”' }, { text: 'd' }] })
    expect(readReply(reply)).toMatchObject({ quotes: [' a  b ', '“c”', 'd'] })
  })
})

it('never throws and never guesses a yes from noise', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (reply) => {
      const { answer } = readReply(reply)
      if (answer === 'yes') expect(reply.toLowerCase()).toMatch(/yes|oui|s[ií]|sim|ja|[네예是有对]|はい|ええ|true/)
    }),
  )
  for (const hostile of [
    '{'.repeat(200_000),
    '"'.repeat(200_000),
    '`'.repeat(200_001),
    "yes '".repeat(50_000),
    '*'.repeat(200_000),
  ])
    expect(['yes', 'undecided']).toContain(readReply(hostile).answer)
})
