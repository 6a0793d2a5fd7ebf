import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { ChatModel, ChatReply } from '../../contracts.ts'
import { parseOptions } from '../../options.ts'
import { adapter, type Call, type CallOptions, callOptionFields } from './adapter.ts'
import { type Answer, openConnection } from './connection.ts'
import { baseUrlSchema } from './endpoint.ts'
import { pauseMs } from './retry.ts'

/** Options of {@link openAICompatible}. */
export interface OpenAICompatibleOptions extends CallOptions {
  /** Address of the API, http or https, usually ending in `/v1`; `/chat/completions` is added. */
  readonly baseUrl: string
  /** The model's name as the server knows it. */
  readonly model: string
  /** Sent as `Authorization: Bearer`. */
  readonly apiKey?: string
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>
  /** Stands in traces and verdicts. Default `model`; name two adapters of one model apart when their settings differ. */
  readonly id?: string
  /** Attempts after the first when the server is busy or cannot be reached, within `timeoutMs`. Default 2. */
  readonly maxRetries?: number
  /** Default 0; `null` leaves it to the server, since some models refuse it. */
  readonly temperature?: number | null
  /** Reads the reasoning when a reply has no text: for servers whose reasoning parser takes the answer. Default false. */
  readonly reasoningFallback?: boolean
  /** The field that carries `maxTokens`. Default `max_tokens`, which all servers know but OpenAI's newer models do not. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** More fields of the request's body, such as `chat_template_kwargs`, `response_format` or one tool. */
  readonly extraBody?: Readonly<Record<string, unknown>>
  /** Another `fetch`: behind a proxy, or with a longer limit than the 300 s in which Node's own wants a head. */
  readonly fetch?: typeof globalThis.fetch
}

/** What a header can carry; a line break at the end of a key would otherwise fail with the key in the message. */
const visible = z.string().regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces or line breaks')

const optionsSchema = z.strictObject({
  ...callOptionFields,
  baseUrl: baseUrlSchema,
  model: z.string().min(1),
  apiKey: visible.optional(),
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header'),
      z.string().regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'),
    )
    .default({}),
  id: z.string().min(1).optional(),
  maxRetries: z.int().min(0).max(10).default(2),
  temperature: z.number().min(0).max(2).nullable().default(0),
  reasoningFallback: z.boolean().default(false),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).default('max_tokens'),
  extraBody: z
    .record(z.string(), z.unknown())
    .default({})
    .refine((body) => !['model', 'messages', 'stream'].some((key) => Object.hasOwn(body, key)), {
      message: 'must not hold `model`, `messages` or `stream`, which the adapter sets',
    }),
  fetch: z.custom<typeof globalThis.fetch>((value) => typeof value === 'function', 'must be a function').optional(),
})

/**
 * A chat model behind an HTTP API of OpenAI's form: Qwen and others through vLLM, Ollama, llama.cpp, DashScope, and
 * OpenAI itself.
 *
 * `complete` asks once, and again when the server is busy or cannot be reached, after the pause that `Retry-After` asks
 * for or one of 0.5 s, 1 s, 2 s. A tool call is answered with its arguments as text of JSON. It fails with
 *
 * - `MODEL_RATE_LIMITED`: status 429 to the end, or a pause asked for that is longer than the time left;
 * - `MODEL_TIMEOUT`: no whole answer within `timeoutMs`;
 * - `MODEL_REPLY_INVALID`: no text in the reply, no JSON, or more than 4 MB of it;
 * - `MODEL_REPLY_TRUNCATED`: the text was cut off at its limit of tokens;
 * - `MODEL_FAILED`: any other refusal, with the server's message, or no connection.
 *
 * Errors name the model and, where there is one, the HTTP status. Neither they nor the id ever hold the key or a
 * header's value; redirects are not followed, so that nothing is sent to another server.
 *
 * @throws `OPTION_INVALID` for an unknown option or a value outside its range, among them a `baseUrl` with a password.
 * @example
 * ```ts
 * import { openAICompatible } from 'direct-evidence'
 *
 * const model = openAICompatible({
 *   baseUrl: 'http://localhost:8000/v1',
 *   model: 'Qwen/Qwen3-8B',
 *   extraBody: { chat_template_kwargs: { enable_thinking: false } },
 * })
 * ```
 */
export function openAICompatible(options: OpenAICompatibleOptions): ChatModel {
  const settings = parseOptions('openAICompatible', optionsSchema, options)
  const { model, maxRetries, temperature, extraBody, maxTokensField } = settings
  const id = settings.id ?? model
  const ask = openConnection({ ...settings, id, fetch: settings.fetch ?? globalThis.fetch })
  return adapter(id, settings, ({ request, signal, onTimeout }: Call) => {
    const { messages, maxTokens } = request
    const body = JSON.stringify({
      model,
      messages,
      ...(temperature === null ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { [maxTokensField]: maxTokens }),
      ...extraBody,
    })
    const until = performance.now() + settings.timeoutMs
    return retried(() => ask(body, signal, onTimeout), { maxRetries, until, signal })
  })
}

interface Retries {
  readonly maxRetries: number
  /** When the call ends, by `performance.now()`. */
  readonly until: number
  readonly signal: AbortSignal
}

async function retried(attempt: () => Promise<Answer>, { maxRetries, until, signal }: Retries): Promise<ChatReply> {
  for (let failed = 1; ; failed++) {
    const answer = await attempt()
    if (answer.kind === 'reply') return answer.reply
    const { error, retryAfterMs } = answer
    const waitMs = retryAfterMs ?? pauseMs(failed)
    // A pause that outlasts the call is not begun.
    if (failed > maxRetries || !answer.passing || performance.now() + waitMs >= until) throw error
    await pause(waitMs, undefined, { signal })
  }
}
