import type { ChatModel, ChatReply, ChatRequest } from '../../contracts.ts'
import { isObject } from '../../corpus/record-shape.ts'
import { DirectEvidenceError, messageOf } from '../../errors.ts'
import { withDeadline } from './deadline.ts'

/** How long a model may take, and what ends the call before. */
export interface AskOptions {
  /** Milliseconds; what waits in the model's own queue counts too. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks any chat model safely: the call ends with its time or with the signal even if the model looks at neither, the
 * reply is checked, and every failure is typed.
 *
 * @throws `MODEL_TIMEOUT` when the time is over, `MODEL_REPLY_INVALID` when the reply has no text, `MODEL_FAILED` with
 * the cause when the model rejects with something else than an error of this library.
 * @throws The reason of the signal, or of the request's signal, when it is aborted; then the model is not called.
 * @example
 * ```ts
 * const { text } = await askModel(model, { messages: [{ role: 'user', content: 'Yes or no?' }] }, { timeoutMs: 30_000 })
 * ```
 */
export async function askModel(model: ChatModel, request: ChatRequest, options: AskOptions): Promise<ChatReply> {
  const { timeoutMs, signal } = options
  return withDeadline(
    { timeoutMs, signals: [signal, request.signal], expired: () => timedOut(model.id, timeoutMs) },
    async (ended) => checkedReply(model.id, async () => model.complete({ ...request, signal: ended })),
  )
}

/**
 * The reply of a call as plain data.
 *
 * @throws `MODEL_REPLY_INVALID` when it has no text, `MODEL_FAILED` when the call fails without an error of this library.
 */
export async function checkedReply(id: string, call: () => Promise<unknown>): Promise<ChatReply> {
  let reply: unknown
  try {
    reply = await call()
  } catch (cause) {
    if (DirectEvidenceError.isInstance(cause)) throw cause
    throw new DirectEvidenceError('MODEL_FAILED', `The model ${id} failed: ${messageOf(cause)}`, { cause, model: id })
  }
  if (!isObject(reply) || typeof reply.text !== 'string') {
    const message = `The model ${id} gave no text; a reply is an object with a string \`text\`.`
    throw new DirectEvidenceError('MODEL_REPLY_INVALID', message, { model: id })
  }
  const usage = usageOf(reply.usage)
  return usage === undefined ? { text: reply.text } : { text: reply.text, usage }
}

export function timedOut(id: string, timeoutMs: number): DirectEvidenceError {
  const message = `The model ${id} did not answer within ${timeoutMs} ms; allow it more time with \`timeoutMs\`.`
  return new DirectEvidenceError('MODEL_TIMEOUT', message, { model: id })
}

/** A usage of two counts, or none: what a call cost is not worth losing its reply for. */
function usageOf(usage: unknown): ChatReply['usage'] {
  if (!isObject(usage)) return undefined
  const { inputTokens, outputTokens } = usage
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
