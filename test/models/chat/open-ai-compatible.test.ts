import { describe, expect, it } from 'vitest'
import { DirectEvidenceError } from '../../../src/errors.ts'
import { type OpenAICompatibleOptions, openAICompatible } from '../../../src/models/chat/open-ai-compatible.ts'
import {
  type ChatServer,
  chatServer,
  completion,
  endless,
  json,
  type Responder,
  says,
} from '../../helpers/chat-server.ts'

const question = { messages: [{ role: 'user', content: 'Is it?' }] } as const

function modelOf(server: ChatServer, options: Partial<OpenAICompatibleOptions> = {}) {
  return openAICompatible({ baseUrl: server.baseUrl, model: 'qwen3', timeoutMs: 20_000, ...options })
}

async function failureOf(work: Promise<unknown>): Promise<DirectEvidenceError> {
  const caught = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!DirectEvidenceError.isInstance(caught)) throw new Error(`no typed error but ${caught}`)
  return caught
}

/** What a reply of the server becomes: text, or the code and message of an error. */
async function outcome(respond: Responder, options: Partial<OpenAICompatibleOptions> = {}): Promise<string> {
  await using server = await chatServer(respond)
  try {
    return (await modelOf(server, { maxRetries: 0, ...options }).complete(question)).text
  } catch (error) {
    if (!DirectEvidenceError.isInstance(error)) throw error
    return `${error.code}: ${error.message}`
  }
}

const message = (body: unknown, finishReason?: string): Responder => json(completion(body, finishReason))

describe('a call', () => {
  it('sends the messages and gives the text and what it cost', async () => {
    await using server = await chatServer(says('no'))
    const model = modelOf(server, { apiKey: 'sk-1', headers: { 'x-team': 'blue' }, extraBody: { top_k: 1 } })
    expect(model.id).toBe('qwen3')
    expect(await model.complete({ ...question, maxTokens: 50 })).toEqual({
      text: 'no',
      usage: { inputTokens: 7, outputTokens: 2 },
    })
    const [call] = server.calls
    expect(call!.url).toBe('/v1/chat/completions')
    expect(call!.headers).toMatchObject({ authorization: 'Bearer sk-1', 'x-team': 'blue' })
    expect(call!.body).toEqual({
      model: 'qwen3',
      messages: question.messages,
      temperature: 0,
      max_tokens: 50,
      top_k: 1,
    })
  })

  it('leaves out what the host leaves to the server', async () => {
    await using server = await chatServer(says('no'))
    const model = modelOf(server, { temperature: null, maxTokensField: 'max_completion_tokens', id: 'mine' })
    await model.complete({ ...question, maxTokens: 5 })
    expect(server.calls[0]!.body).toEqual({ model: 'qwen3', messages: question.messages, max_completion_tokens: 5 })
    expect(server.calls[0]!.headers.authorization).toBeUndefined()
    expect(model.id).toBe('mine')
  })

  it('takes a base address with slashes at the end and keeps its query', async () => {
    await using server = await chatServer(says('no'))
    await modelOf(server, { baseUrl: `${server.baseUrl}//?api-version=3` }).complete(question)
    expect(server.calls[0]!.url).toBe('/v1/chat/completions?api-version=3')
  })

  it('runs at most so many at a time', async () => {
    let running = 0
    let most = 0
    await using server = await chatServer((response, call) => {
      most = Math.max(most, ++running)
      setTimeout(() => {
        running--
        says(`${call}`)(response, call)
      }, 5)
    })
    const model = modelOf(server, { concurrency: 2 })
    await Promise.all(Array.from({ length: 9 }, () => model.complete(question)))
    expect(most).toBe(2)
  })
})

describe('a reply', () => {
  it('may come in parts', async () => {
    const content = [{ type: 'text', text: 'n' }, { type: 'image_url' }, { type: 'text', text: 'o' }]
    expect(await outcome(message({ content }))).toBe('no')
  })

  it('without text is an error that tells of a reasoning, unless that is asked for', async () => {
    for (const field of ['reasoning_content', 'reasoning'])
      for (const content of [null, '', ' \n']) {
        const body = message({ content, [field]: '{"verdict":"no"}' })
        expect(await outcome(body)).toMatch(/^MODEL_REPLY_INVALID: .*`reasoningFallback`/)
        expect(await outcome(body, { reasoningFallback: true })).toBe('{"verdict":"no"}')
      }
    expect(await outcome(message({ content: null }), { reasoningFallback: true })).toMatch(/^MODEL_REPLY_INVALID/)
  })

  it('prefers the text to the reasoning', async () => {
    const body = message({ content: 'yes', reasoning_content: 'no' })
    expect(await outcome(body, { reasoningFallback: true })).toBe('yes')
  })

  it('with a tool call is its arguments: an object, its text, or the text of that', async () => {
    const value = { verdict: 'no', quotes: ['a "b"'] }
    const forms = [value, JSON.stringify(value, null, 2), JSON.stringify(JSON.stringify(value))]
    for (const form of forms) {
      const body = message({ content: null, tool_calls: [{ function: { name: 'judge', arguments: form } }] })
      expect(await outcome(body)).toBe(JSON.stringify(value))
    }
  })

  it('keeps a key that stands twice in a tool call, for the reader to see', async () => {
    const twice = '{"verdict":"yes","verdict":"no"}'
    const body = message({ content: null, tool_calls: [{ function: { arguments: twice } }] })
    expect(await outcome(body)).toBe(twice)
  })

  it('that is cut off or withheld is an error by name', async () => {
    expect(await outcome(message({ content: '{"verdict":' }, 'length'))).toMatch(/^MODEL_REPLY_TRUNCATED: .*maxTokens/)
    expect(await outcome(message({ content: '' }, 'content_filter'))).toMatch(/^MODEL_REPLY_INVALID: .*filter/)
  })

  it.each<[string, Responder]>([
    ['no choices', json({ choices: [] })],
    ['a null choice', json({ choices: [null] })],
    ['no message', json({ choices: [{}] })],
    ['an empty object', json({})],
    ['an array', json([])],
    ['null', json(null)],
    ['two tool calls', message({ tool_calls: [{}, {}] })],
    ['a tool call without arguments', message({ tool_calls: [{ function: {} }] })],
    ['no JSON', (response) => response.end('<html>gateway</html>')],
    ['nothing', (response) => response.end()],
    ['an event stream', (response) => response.end('data: {"choices":[]}\n\n')],
  ])('that holds %s is an error by name', async (_, respond) => {
    expect(await outcome(respond)).toMatch(/^MODEL_REPLY_INVALID: The model qwen3 at http:/)
  })

  it('larger than its cap is let go', async () => {
    const flood: Responder = (response) => {
      const block = 'x'.repeat(500_000)
      const pour = (): void => {
        while (!response.destroyed && response.write(block));
      }
      response.on('drain', pour)
      pour()
    }
    expect(await outcome(flood)).toMatch(/^MODEL_REPLY_INVALID: .*4000000 bytes/)
  })
})

describe('a refusal', () => {
  it('carries the message of the server, whatever its form and status', async () => {
    const forms: readonly [number, unknown][] = [
      [200, { object: 'error', code: 404, message: 'no such model' }],
      [200, { error: { message: 'no such model', code: 'model_not_found' } }],
      [404, { error: 'no such model' }],
      [400, { detail: 'no such model' }],
      [401, { code: 'InvalidApiKey', message: 'no such model', request_id: '1' }],
    ]
    for (const [status, body] of forms) {
      await using server = await chatServer(json(body, status))
      const error = await failureOf(modelOf(server, { maxRetries: 5 }).complete(question))
      expect(error.code).toBe('MODEL_FAILED')
      expect(error.message).toContain('no such model')
      expect(error.details).toEqual({
        model: 'qwen3',
        status: status === 200 && 'object' in (body as object) ? 404 : status,
      })
      expect(server.calls).toHaveLength(1)
    }
  })

  it('that may pass is tried again', async () => {
    for (const busy of [json({}, 503), json({}, 429), json({ object: 'error', code: 429, message: 'busy' })]) {
      await using server = await chatServer((response, call) => {
        response.setHeader('retry-after', '0')
        const respond = call < 3 ? busy : says('no')
        respond(response, call)
      })
      expect((await modelOf(server).complete(question)).text).toBe('no')
      expect(server.calls).toHaveLength(3)
    }
  })

  it('waits as long as the server asks, in seconds or to a date', async () => {
    for (const header of [() => '1', () => new Date(Date.now() + 2_000).toUTCString()]) {
      await using server = await chatServer((response, call) =>
        call === 1 ? json({}, 429, { 'retry-after': header() })(response, call) : says('no')(response, call),
      )
      const start = performance.now()
      await modelOf(server).complete(question)
      expect(performance.now() - start).toBeGreaterThan(900)
    }
  })

  it('that asks for a longer pause than there is time ends at once', async () => {
    await using server = await chatServer(json({ error: { message: 'slow down' } }, 429, { 'retry-after': '3600' }))
    const error = await failureOf(modelOf(server).complete(question))
    expect(error).toMatchObject({ code: 'MODEL_RATE_LIMITED', details: { model: 'qwen3', status: 429 } })
    expect(error.message).toContain('slow down')
    expect(server.calls).toHaveLength(1)
  })

  it('with status 429 and a body that never ends is a rate limit, within the time', async () => {
    await using server = await chatServer(endless(429))
    expect((await failureOf(modelOf(server, { timeoutMs: 300 }).complete(question))).code).toBe('MODEL_RATE_LIMITED')
    const patient = modelOf(server, { timeoutMs: 15_000, maxRetries: 0 })
    expect((await failureOf(patient.complete(question))).code).toBe('MODEL_RATE_LIMITED')
  })

  it('by a redirect sends nothing to another server', async () => {
    await using other = await chatServer(says('stolen'))
    await using server = await chatServer(json({}, 307, { location: `${other.baseUrl}/chat/completions` }))
    const error = await failureOf(modelOf(server, { headers: { 'api-key': 'secret-key' } }).complete(question))
    expect(error).toMatchObject({ code: 'MODEL_FAILED', details: { status: 307 } })
    expect(other.calls).toHaveLength(0)
  })

  it('to connect is an error that says why', async () => {
    const server = await chatServer(says('no'))
    await server[Symbol.asyncDispose]()
    const error = await failureOf(modelOf(server, { maxRetries: 0 }).complete(question))
    expect(error.code).toBe('MODEL_FAILED')
    expect(error.message).toContain('ECONNREFUSED')
  })

  it('in the middle of an answer is tried again', async () => {
    await using server = await chatServer((response, call) => {
      if (call > 1) return says('no')(response, call)
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setTimeout(() => response.destroy(), 5)
    })
    expect((await modelOf(server).complete(question)).text).toBe('no')
  })
})

describe('the end of a call', () => {
  it('comes with its time, in the head or in the body', async () => {
    for (const silent of [(() => {}) as Responder, endless(200)]) {
      await using server = await chatServer(silent)
      const error = await failureOf(modelOf(server, { timeoutMs: 150 }).complete(question))
      expect(error).toMatchObject({ code: 'MODEL_TIMEOUT', details: { model: 'qwen3' } })
    }
  })

  it.each<[string, Responder]>([
    ['head', () => {}],
    ['body', endless(200)],
    ['body of a refusal', endless(503)],
    ['pause before another attempt', json({}, 503, { 'retry-after': '10' })],
  ])('comes with an abort while it waits for the %s', async (_, respond) => {
    await using server = await chatServer(respond)
    const controller = new AbortController()
    const reason = { why: 'not wanted' }
    const reply = modelOf(server).complete({ ...question, signal: controller.signal })
    setTimeout(() => controller.abort(reason), 100)
    await expect(reply).rejects.toBe(reason)
    await new Promise((later) => setTimeout(later, 50))
    expect(server.calls).toHaveLength(1)
  })

  it('aborts what runs and what waits, starts nothing more, and gives the places back', async () => {
    let open = false
    await using server = await chatServer((response, call) => {
      if (open) says('no')(response, call)
    })
    const model = modelOf(server, { concurrency: 3 })
    const controller = new AbortController()
    const replies = Array.from({ length: 23 }, () => model.complete({ ...question, signal: controller.signal }))
    const ends = Promise.allSettled(replies)
    while (server.calls.length < 3) await new Promise((later) => setTimeout(later, 5))
    const reason = new Error('stop')
    controller.abort(reason)
    expect(await ends).toEqual(replies.map(() => ({ status: 'rejected', reason })))
    open = true
    expect((await model.complete(question)).text).toBe('no')
    expect(server.calls).toHaveLength(4)
  })

  it('is there before the start when the signal is aborted', async () => {
    await using server = await chatServer(says('no'))
    const reason = new Error('stop')
    const reply = modelOf(server).complete({ ...question, signal: AbortSignal.abort(reason) })
    await expect(reply).rejects.toBe(reason)
    expect(server.calls).toHaveLength(0)
  })

  it('leaves no timer and no listener', async () => {
    await using server = await chatServer(says('no'))
    const model = modelOf(server)
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...of: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(signal, of)
    }
    signal.removeEventListener = (...of: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(signal, of)
    }
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    await model.complete({ ...question, signal })
    const before = timers()
    for (let call = 0; call < 50; call++) await model.complete({ ...question, signal })
    expect(listeners).toBe(0)
    expect(timers()).toBeLessThanOrEqual(before)
  })
})

describe('the key', () => {
  const apiKey = 'sk-"very"/secret+key'

  it('is nowhere in an error, whatever the server echoes', async () => {
    const header = 'another-secret'
    const echoes = [
      apiKey,
      `Bearer ${apiKey}`,
      JSON.stringify(apiKey),
      encodeURIComponent(apiKey),
      Buffer.from(apiKey).toString('base64'),
      `${'x'.repeat(278)}${apiKey}`,
      `${'x'.repeat(290)}${apiKey}`,
      header,
      'query-secret',
    ]
    for (const echo of echoes)
      for (const respond of [
        json({ error: { message: `bad key ${echo}` } }, 401),
        json({ error: { message: `bad key ${echo}` } }),
        ((response) => response.end(`no JSON: ${echo}`)) as Responder,
        ((response) => response.writeHead(500).end(echo)) as Responder,
      ]) {
        await using server = await chatServer(respond)
        const baseUrl = `${server.baseUrl}?key=query-secret`
        const model = modelOf(server, { apiKey, headers: { 'api-key': header }, baseUrl, maxRetries: 0 })
        const error = await failureOf(model.complete(question))
        const shown = `${error.stack} ${error.message} ${JSON.stringify(error.details)} ${String(error.cause)} ${model.id}`
        for (const secret of [apiKey, echo, 'very', header, 'query-secret']) expect(shown).not.toContain(secret)
      }
  })

  it('is nowhere in what a fetch throws', async () => {
    const fetch = async (): Promise<Response> => {
      throw new Error(`cannot send ${apiKey}`, { cause: new Error(`since ${apiKey}`) })
    }
    const model = openAICompatible({ baseUrl: 'http://localhost/v1', model: 'm', apiKey, fetch, maxRetries: 0 })
    const error = await failureOf(model.complete(question))
    expect(`${error.stack}${JSON.stringify(error.details)}`).not.toContain('very')
    expect(error.cause).toBeUndefined()
  })

  it('is nowhere in the error about an option', () => {
    const secret = 'hunter2'
    const wrong: readonly Partial<OpenAICompatibleOptions>[] = [
      { apiKey: `${secret}\n` },
      { headers: { 'api-key': `${secret}\r\n` } },
      { baseUrl: `http://user:${secret}@localhost/v1` },
      { baseUrl: `ftp://localhost/${secret}` },
      { baseUrl: `${secret}` },
    ]
    for (const options of wrong) {
      const make = (): unknown => openAICompatible({ baseUrl: 'http://localhost', model: 'm', ...options })
      expect(make).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }))
      expect(make).not.toThrow(secret)
    }
  })
})

describe('an option', () => {
  it('that is unknown, out of range or set by the adapter is refused by name', () => {
    const wrong: readonly [object, string][] = [
      [{ temprature: 0 }, 'temprature'],
      [{ timeoutMs: 0 }, 'timeoutMs'],
      [{ timeoutMs: 2 ** 31 }, 'timeoutMs'],
      [{ concurrency: 0 }, 'concurrency'],
      [{ maxRetries: -1 }, 'maxRetries'],
      [{ extraBody: { stream: true } }, 'extraBody'],
      [{ headers: { 'a b': '' } }, 'headers.a b'],
      [{ model: '' }, 'model'],
      [{ fetch: 'curl' }, 'fetch'],
    ]
    for (const [options, option] of wrong) {
      const make = (): unknown => openAICompatible({ baseUrl: 'http://localhost', model: 'm', ...options })
      expect(make).toThrow(expect.objectContaining({ code: 'OPTION_INVALID', details: { option } }))
    }
  })
})
