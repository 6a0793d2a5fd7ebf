import { z } from 'zod'
import type { ChatMessage, ChatModel, ChatReply } from '../../contracts.ts'
import { isObject } from '../../corpus/record-shape.ts'
import { DirectEvidenceError, messageOf } from '../../errors.ts'
import { parseOptions } from '../../options.ts'
import { adapter, type Call, type CallOptions, callOptionFields } from './adapter.ts'

/**
 * What a language model of the AI SDK has: any `LanguageModelV2` or `LanguageModelV3`, as `openai('gpt-5')` or
 * `ollama('qwen3')` gives it. Written down here so that the types of this library need no package `ai`.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
}

/** Options of {@link aiSdkModel}. */
export interface AiSdkModelOptions extends CallOptions {
  /** Stands in traces and verdicts. Default `provider/modelId`. */
  readonly id?: string
  /** Attempts after the first, by the AI SDK's own rules. Default 2. */
  readonly maxRetries?: number
  /** Default 0; `null` leaves it to the provider, since some models refuse it. */
  readonly temperature?: number | null
  /** Handed on to the provider as it is. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** What is used of the package `ai`. */
interface AiSdk {
  generateText(options: {
    readonly model: AiSdkLanguageModel
    readonly messages: readonly ChatMessage[]
    readonly allowSystemInMessages: true
    readonly abortSignal: AbortSignal
    readonly maxRetries: number
    readonly maxOutputTokens?: number | undefined
    readonly temperature?: number | undefined
    readonly providerOptions?: AiSdkModelOptions['providerOptions']
  }): Promise<{ readonly text: string; readonly finishReason: string; readonly usage: unknown }>
}

const modelSchema = z.strictObject({
  languageModel: z.custom<AiSdkLanguageModel>(
    (value) =>
      isObject(value) &&
      ['specificationVersion', 'provider', 'modelId'].every((key) => typeof value[key] === 'string') &&
      typeof value.doGenerate === 'function',
    'must be a language model object of the AI SDK, not a name',
  ),
})

const optionsSchema = z.strictObject({
  ...callOptionFields,
  id: z.string().min(1).optional(),
  maxRetries: z.int().min(0).max(10).default(2),
  temperature: z.number().min(0).max(2).nullable().default(0),
  providerOptions: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
})

/**
 * A chat model over a language model of the AI SDK. Needs the optional package `ai` from version 5 on; it is loaded with
 * the first call.
 *
 * `complete` fails with `DEPENDENCY_MISSING` without that package, `MODEL_RATE_LIMITED`, `MODEL_TIMEOUT`,
 * `MODEL_REPLY_INVALID` for a reply without text, `MODEL_REPLY_TRUNCATED` for one cut off at its limit, and
 * `MODEL_FAILED` with the provider's error as cause for all else.
 *
 * @throws `OPTION_INVALID` when it is no such model, or for an unknown option or a value outside its range.
 * @example
 * ```ts
 * import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
 * import { aiSdkModel } from 'direct-evidence'
 *
 * const local = createOpenAICompatible({ name: 'vllm', baseURL: 'http://localhost:8000/v1' })
 * const model = aiSdkModel(local('Qwen/Qwen3-8B'))
 * ```
 */
export function aiSdkModel(languageModel: AiSdkLanguageModel, options: AiSdkModelOptions = {}): ChatModel {
  parseOptions('aiSdkModel', modelSchema, { languageModel })
  const settings = parseOptions('aiSdkModel', optionsSchema, options)
  const id = settings.id ?? `${languageModel.provider}/${languageModel.modelId}`
  return adapter(id, settings, async ({ request, signal }: Call): Promise<ChatReply> => {
    const { generateText } = await loadAiSdk()
    signal.throwIfAborted()
    const { maxRetries, temperature, providerOptions } = settings
    try {
      const { text, finishReason, usage } = await generateText({
        model: languageModel,
        messages: request.messages,
        allowSystemInMessages: true,
        abortSignal: signal,
        maxRetries,
        maxOutputTokens: request.maxTokens,
        temperature: temperature ?? undefined,
        providerOptions,
      })
      refuseUnfinished(id, text, finishReason)
      return { text, usage: usage as ChatReply['usage'] }
    } catch (cause) {
      throw DirectEvidenceError.isInstance(cause) ? cause : failure(id, cause)
    }
  })
}

function refuseUnfinished(id: string, text: string, finishReason: string): void {
  if (finishReason === 'length') {
    const message = `The model ${id} was cut off at its limit of tokens; allow more with \`maxTokens\`.`
    throw new DirectEvidenceError('MODEL_REPLY_TRUNCATED', message, { model: id })
  }
  if (finishReason === 'content-filter' || finishReason === 'error' || text.trim() === '') {
    const message = `The model ${id} gave no whole text; it finished with "${finishReason}".`
    throw new DirectEvidenceError('MODEL_REPLY_INVALID', message, { model: id })
  }
}

/** The AI SDK wraps the last error when it has retried. */
function failure(id: string, cause: unknown): DirectEvidenceError {
  const last = isObject(cause) && isObject(cause.lastError) ? cause.lastError : cause
  const status = isObject(last) && typeof last.statusCode === 'number' ? last.statusCode : undefined
  const code = status === 429 ? 'MODEL_RATE_LIMITED' : 'MODEL_FAILED'
  const details = status === undefined ? { cause, model: id } : { cause, model: id, status }
  return new DirectEvidenceError(code, `The model ${id} failed: ${messageOf(last)}`, details)
}

async function loadAiSdk(): Promise<AiSdk> {
  try {
    return (await import('ai')) as unknown as AiSdk
  } catch (cause) {
    const message = 'aiSdkModel needs the package ai, which could not be loaded. Install it with `npm install ai`.'
    throw new DirectEvidenceError('DEPENDENCY_MISSING', message, { cause })
  }
}
