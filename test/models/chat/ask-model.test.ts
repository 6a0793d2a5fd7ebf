import { describe, expect, it } from 'vitest'
import type { ChatModel } from '../../../src/contracts.ts'
import { DirectEvidenceError } from '../../../src/errors.ts'
import { askModel } from '../../../src/models/chat/ask-model.ts'

const question = { messages: [{ role: 'user', content: 'Is it?' }] } as const
const soon = { timeoutMs: 10_000 }

/** A host's model, which need not keep the contract. */
function hostModel(complete: (...of: Parameters<ChatModel['complete']>) => unknown): ChatModel {
  return { id: 'host', complete: complete as ChatModel['complete'] }
}

describe('askModel', () => {
  it('gives the text and the cost of any model, and nothing else', async () => {
    const usage = { inputTokens: 1, outputTokens: 0 }
    expect(
      await askModel(
        hostModel(async () => ({ text: 'no', usage, raw: {} })),
        question,
        soon,
      ),
    ).toEqual({
      text: 'no',
      usage,
    })
    expect(
      await askModel(
        hostModel(() => ({ text: '' })),
        question,
        soon,
      ),
    ).toEqual({ text: '' })
    const odd = hostModel(() => ({ text: 'no', usage: { inputTokens: 'many' } }))
    expect(await askModel(odd, question, soon)).toEqual({ text: 'no' })
  })

  it('hands the whole request on, and calls the model as its own method', async () => {
    const model = {
      id: 'host',
      answer: 'no',
      async complete(request: Parameters<ChatModel['complete']>[0]) {
        return { text: `${this.answer} ${request.maxTokens} ${request.messages.length}` }
      },
    }
    expect(await askModel(model, { ...question, maxTokens: 3 }, soon)).toEqual({ text: 'no 3 1' })
  })

  it.each([undefined, null, 'no', 42, {}, { text: null }, { text: ['no'] }, []])(
    'refuses %j for a reply, by name',
    async (reply) => {
      const asked = askModel(
        hostModel(async () => reply),
        question,
        soon,
      )
      await expect(asked).rejects.toMatchObject({ code: 'MODEL_REPLY_INVALID', details: { model: 'host' } })
    },
  )

  it('types every failure and keeps its cause', async () => {
    for (const cause of [new Error('out of memory'), new DOMException('mine', 'AbortError'), 'a text', undefined]) {
      const rejecting = hostModel(() => Promise.reject(cause))
      await expect(askModel(rejecting, question, soon)).rejects.toMatchObject({ code: 'MODEL_FAILED', cause })
      const throwing = hostModel(() => {
        throw cause
      })
      await expect(askModel(throwing, question, soon)).rejects.toMatchObject({ code: 'MODEL_FAILED', cause })
    }
    const own = new DirectEvidenceError('MODEL_RATE_LIMITED', 'later')
    await expect(
      askModel(
        hostModel(() => Promise.reject(own)),
        question,
        soon,
      ),
    ).rejects.toBe(own)
    await expect(askModel({ id: 'none' } as ChatModel, question, soon)).rejects.toMatchObject({ code: 'MODEL_FAILED' })
  })

  it('ends with its time, though the model does not', async () => {
    let told: AbortSignal | undefined
    const deaf = hostModel(({ signal }) => {
      told = signal
      return new Promise(() => {})
    })
    const asked = askModel(deaf, question, { timeoutMs: 30 })
    await expect(asked).rejects.toMatchObject({ code: 'MODEL_TIMEOUT', details: { model: 'host' } })
    expect(told!.aborted).toBe(true)
  })

  it('ends with the reason of either signal, though the model does not', async () => {
    for (const place of ['options', 'request'])
      for (const reason of [new Error('stop'), 'stop', null, 0]) {
        const controller = new AbortController()
        const { signal } = controller
        const deaf = hostModel(() => new Promise(() => {}))
        const asked =
          place === 'options'
            ? askModel(deaf, question, { ...soon, signal })
            : askModel(deaf, { ...question, signal }, soon)
        controller.abort(reason)
        await expect(asked.catch((error) => ({ error }))).resolves.toEqual({ error: reason })
      }
  })

  it('does not call the model when a signal is aborted', async () => {
    let calls = 0
    const model = hostModel(() => {
      calls++
      return { text: 'no' }
    })
    const signal = AbortSignal.abort('stop')
    await expect(askModel(model, question, { ...soon, signal })).rejects.toBe('stop')
    await expect(askModel(model, { ...question, signal }, soon)).rejects.toBe('stop')
    expect(calls).toBe(0)
  })

  it('minds no late failure of a model that was given up', async () => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', listen)
    const late = hostModel(async () => {
      await new Promise((later) => setTimeout(later, 30))
      throw new Error('late')
    })
    await expect(askModel(late, question, { timeoutMs: 5 })).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' })
    await new Promise((later) => setTimeout(later, 60))
    process.off('unhandledRejection', listen)
    expect(unhandled).toEqual([])
  })
})
