import { z } from 'zod'
import type { ChatModel, ChatReply, ChatRequest } from '../../contracts.ts'
import { parseOptions } from '../../options.ts'
import { adapter, type CallOptions, callOptionFields } from './adapter.ts'

/** Options of {@link functionModel}. */
export interface FunctionModelOptions extends CallOptions {}

/** Answers a request; `request.signal` is aborted when the answer is no longer wanted. */
export type AnswerFunction = (request: ChatRequest) => string | ChatReply | Promise<string | ChatReply>

const optionsSchema = z.strictObject(callOptionFields)
const argumentsSchema = z.strictObject({
  id: z.string().min(1),
  answer: z.custom<AnswerFunction>((value) => typeof value === 'function', 'must be a function'),
})

/**
 * A chat model from a plain function: a client you already have, a model in this process, a canned answer in a test.
 *
 * @param id Name and, where there is one, revision; it stands in traces and verdicts.
 * @returns A model whose `complete` fails with `MODEL_REPLY_INVALID` when the function gives anything but text,
 * `MODEL_TIMEOUT` when it takes too long, `MODEL_FAILED` with the cause when it throws.
 * @throws `OPTION_INVALID` for an empty id, no function, an unknown option or a value outside its range.
 * @example
 * ```ts
 * import { functionModel } from 'direct-evidence'
 *
 * const model = functionModel('always-no', () => '{"verdict":"no"}')
 * await model.complete({ messages: [{ role: 'user', content: 'Is it?' }] }) // { text: '{"verdict":"no"}' }
 * ```
 */
export function functionModel(id: string, answer: AnswerFunction, options: FunctionModelOptions = {}): ChatModel {
  parseOptions('functionModel', argumentsSchema, { id, answer })
  return adapter(id, parseOptions('functionModel', optionsSchema, options), async ({ request }) => {
    const reply = await answer(request)
    return typeof reply === 'string' ? { text: reply } : reply
  })
}
