import { APICallError, type LanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it, vi } from 'vitest'
import { type AiSdkLanguageModel, aiSdkModel } from '../../../src/models/chat/ai-sdk-model.ts'

const question = {
  messages: [
    { role: 'system', content: 'Judge.' },
    { role: 'user', content: 'Is it?' },
  ],
} as const

type Generate = NonNullable<NonNullable<ConstructorParameters<typeof MockLanguageModelV3>[0]>['doGenerate']>
type Generated = Awaited<ReturnType<Extract<Generate, (...of: never) => unknown>>>

function generated(text: string, finish: Generated['finishReason']['unified'] = 'stop'): Generated {
  return {
    content: text === '' ? [] : [{ type: 'text', text }],
    finishReason: { unified: finish, raw: finish },
    usage: {
      inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 2, text: 2, reasoning: 0 },
    },
    warnings: [],
  }
}

function refusal(statusCode: number): APICallError {
  return new APICallError({
    message: 'says the provider',
    url: 'http://localhost/v1',
    requestBodyValues: {},
    statusCode,
  })
}

describe('aiSdkModel', () => {
  it('asks a model of the AI SDK', async () => {
    const mock = new MockLanguageModelV3({ provider: 'vllm', modelId: 'qwen3', doGenerate: generated('no') })
    const model = aiSdkModel(mock)
    expect(model.id).toBe('vllm/qwen3')
    expect(await model.complete({ ...question, maxTokens: 50 })).toEqual({
      text: 'no',
      usage: { inputTokens: 7, outputTokens: 2 },
    })
    expect(mock.doGenerateCalls[0]).toMatchObject({
      maxOutputTokens: 50,
      temperature: 0,
      prompt: [
        { role: 'system', content: 'Judge.' },
        { role: 'user', content: [{ type: 'text', text: 'Is it?' }] },
      ],
    })
  })

  it('takes the older form of a model, and any that a provider gives', async () => {
    const older = {
      specificationVersion: 'v2',
      provider: 'vllm',
      modelId: 'qwen3',
      supportedUrls: {},
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'no' }],
        finishReason: 'stop',
        usage: { inputTokens: 7, outputTokens: 2, totalTokens: 9 },
        warnings: [],
      }),
      doStream: async () => {
        throw new Error('not asked for')
      },
    }
    expect(await aiSdkModel(older, { id: 'mine' }).complete(question)).toEqual({
      text: 'no',
      usage: { inputTokens: 7, outputTokens: 2 },
    })
    // Every language model that is an object fits the type.
    const fits = (model: Exclude<LanguageModel, string>): AiSdkLanguageModel => model
    expect(fits).toBeTypeOf('function')
  })

  it('leaves out a temperature that is null and hands options of the provider on', async () => {
    const mock = new MockLanguageModelV3({ doGenerate: generated('no') })
    await aiSdkModel(mock, { temperature: null, providerOptions: { vllm: { top_k: 1 } } }).complete(question)
    expect(mock.doGenerateCalls[0]!.temperature).toBeUndefined()
    expect(mock.doGenerateCalls[0]!.providerOptions).toEqual({ vllm: { top_k: 1 } })
  })

  it.each([
    ['MODEL_REPLY_TRUNCATED', generated('{"verdict":', 'length')],
    ['MODEL_REPLY_INVALID', generated('')],
    ['MODEL_REPLY_INVALID', generated('n', 'content-filter')],
    ['MODEL_REPLY_INVALID', generated('n', 'error')],
  ])('fails with %s when the text is not whole', async (code, result) => {
    const model = aiSdkModel(new MockLanguageModelV3({ doGenerate: result }), { id: 'mine' })
    await expect(model.complete(question)).rejects.toMatchObject({ code, details: { model: 'mine' } })
  })

  it('types the errors of a provider', async () => {
    const failing = (error: unknown, maxRetries: number) => {
      const doGenerate = (): Promise<Generated> => Promise.reject(error)
      return aiSdkModel(new MockLanguageModelV3({ doGenerate }), { maxRetries }).complete(question)
    }
    await expect(failing(refusal(429), 0)).rejects.toMatchObject({
      code: 'MODEL_RATE_LIMITED',
      details: { status: 429 },
    })
    await expect(failing(refusal(401), 2)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('says the provider'),
      details: { status: 401 },
    })
    const cause = new Error('broken')
    await expect(failing(cause, 0)).rejects.toMatchObject({ code: 'MODEL_FAILED', cause })
  })

  it('tries again what may pass, and says the last error', async () => {
    let calls = 0
    const doGenerate = (): Promise<Generated> => {
      calls++
      return Promise.reject(refusal(429))
    }
    const model = aiSdkModel(new MockLanguageModelV3({ doGenerate }), { maxRetries: 1 })
    await expect(model.complete(question)).rejects.toMatchObject({ code: 'MODEL_RATE_LIMITED' })
    expect(calls).toBe(2)
  })

  it('ends with its time and with an abort, though the model does not', async () => {
    const doGenerate = (): Promise<Generated> => new Promise(() => {})
    const mock = new MockLanguageModelV3({ doGenerate })
    const timed = aiSdkModel(mock, { timeoutMs: 100 }).complete(question)
    await expect(timed).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' })
    expect(mock.doGenerateCalls[0]!.abortSignal!.aborted).toBe(true)
    const controller = new AbortController()
    const stopped = aiSdkModel(mock).complete({ ...question, signal: controller.signal })
    controller.abort('stop')
    await expect(stopped).rejects.toBe('stop')
  })

  it('refuses what is no model object, and unknown options', () => {
    const invalid = (option: string) => expect.objectContaining({ code: 'OPTION_INVALID', details: { option } })
    for (const wrong of ['openai/gpt-5', null, {}, { specificationVersion: 'v3', provider: 'a', modelId: 'b' }])
      expect(() => aiSdkModel(wrong as never)).toThrow(invalid('languageModel'))
    expect(() => aiSdkModel(new MockLanguageModelV3(), { retries: 1 } as never)).toThrow(invalid('retries'))
  })
})

describe('without the package ai', () => {
  it('says how to add it', async () => {
    vi.doMock('ai', () => {
      throw new Error('Cannot find package')
    })
    const model = aiSdkModel(new MockLanguageModelV3({ doGenerate: generated('no') }))
    await expect(model.complete(question)).rejects.toMatchObject({
      code: 'DEPENDENCY_MISSING',
      message: expect.stringContaining('npm install ai'),
    })
    vi.doUnmock('ai')
  })
})
