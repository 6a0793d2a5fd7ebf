import { describe, expect, it } from 'vitest'
import { type AnswerFunction, functionModel } from '../../../src/models/chat/function-model.ts'

const question = { messages: [{ role: 'user', content: 'Is it?' }] } as const

describe('functionModel', () => {
  it('answers with the text or the reply of the function, now or later', async () => {
    const usage = { inputTokens: 1, outputTokens: 2 }
    const answers: readonly AnswerFunction[] = [
      () => 'no',
      async () => 'no',
      () => ({ text: 'no', usage }),
      async () => ({ text: 'no', usage }),
    ]
    for (const answer of answers) {
      const model = functionModel('mine', answer)
      expect(model.id).toBe('mine')
      expect((await model.complete(question)).text).toBe('no')
    }
  })

  it('hands the request on with a signal that ends with the call', async () => {
    const model = functionModel('mine', ({ messages, maxTokens, signal }) => {
      return `${messages[0]!.content} ${maxTokens} ${signal!.aborted}`
    })
    expect(await model.complete({ ...question, maxTokens: 9 })).toEqual({ text: 'Is it? 9 false' })
  })

  it.each([undefined, null, 42, {}, { text: 1 }, ['no']])('refuses %j for an answer, by name', async (reply) => {
    const model = functionModel('mine', (() => reply) as unknown as AnswerFunction)
    const failure = { code: 'MODEL_REPLY_INVALID', details: { model: 'mine' } }
    await expect(model.complete(question)).rejects.toMatchObject(failure)
  })

  it('types what the function throws', async () => {
    const cause = new Error('broken')
    const model = functionModel('mine', () => {
      throw cause
    })
    await expect(model.complete(question)).rejects.toMatchObject({ code: 'MODEL_FAILED', cause })
  })

  it('has a time, an abort and a queue of its own', async () => {
    let running = 0
    let most = 0
    const model = functionModel(
      'mine',
      async ({ signal, messages }) => {
        most = Math.max(most, ++running)
        await new Promise((later) => setTimeout(later, messages.length > 1 ? 60_000 : 5).unref())
        signal!.throwIfAborted()
        running--
        return 'no'
      },
      { timeoutMs: 200, concurrency: 3 },
    )
    await Promise.all(Array.from({ length: 10 }, () => model.complete(question)))
    expect(most).toBe(3)
    const slow = { messages: [...question.messages, ...question.messages] }
    await expect(model.complete(slow)).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' })
    const controller = new AbortController()
    const stopped = model.complete({ ...slow, signal: controller.signal })
    controller.abort('stop')
    await expect(stopped).rejects.toBe('stop')
    expect((await model.complete(question)).text).toBe('no')
  })

  it('refuses what is no id, no function or no option', () => {
    const invalid = (option: string) => expect.objectContaining({ code: 'OPTION_INVALID', details: { option } })
    expect(() => functionModel('', () => 'no')).toThrow(invalid('id'))
    expect(() => functionModel('mine', 'no' as never)).toThrow(invalid('answer'))
    expect(() => functionModel('mine', () => 'no', { timeout: 5 } as never)).toThrow(invalid('timeout'))
  })
})
