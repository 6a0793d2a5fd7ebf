import type { ChatReply } from '../../contracts.ts'
import { isObject } from '../../corpus/record-shape.ts'
import { readJson } from '../json-reader.ts'

/** What the body of a chat completion says. */
export type Completion =
  | { readonly kind: 'reply'; readonly reply: ChatReply }
  | { readonly kind: 'truncated' }
  /** `body` is what came instead, uncut: whoever shows it takes secrets out first. */
  | { readonly kind: 'unusable'; readonly what: string; readonly body?: string }
  /** `status` is the one that the body names, if it names one. */
  | { readonly kind: 'refused'; readonly message: string; readonly status: number | undefined }

/**
 * Reads the body of an answer of `/chat/completions`. Servers differ: an error may come with status 200, the text as a
 * string or as parts, the arguments of a tool call as an object, as text, or as text of text.
 */
export function readCompletion(body: string, reasoningFallback: boolean): Completion {
  const parsed = parse(body)
  if (!isObject(parsed)) return { kind: 'unusable', what: 'a body that is no JSON object', body }
  const choices = parsed.choices
  if (!Array.isArray(choices)) {
    const message = serverMessage(body)
    return message === undefined
      ? unusable('a body without `choices`')
      : { kind: 'refused', message, status: statusOf(parsed) }
  }
  const choice: unknown = choices[0]
  if (!isObject(choice)) return unusable('no choices')
  const finish = choice.finish_reason
  if (finish === 'length') return { kind: 'truncated' }
  if (finish === 'content_filter') return unusable('a text withheld by its content filter')
  const message = choice.message
  if (!isObject(message)) return unusable('a choice without a message')
  const text = textOf(message, reasoningFallback)
  if (typeof text !== 'string') return text
  const usage = usageOf(parsed.usage)
  return { kind: 'reply', reply: usage === undefined ? { text } : { text, usage } }
}

/** What a server says in an error body of any of the usual forms; undefined when it says nothing of the kind. */
export function serverMessage(body: string): string | undefined {
  const parsed = parse(body)
  if (!isObject(parsed)) return undefined
  const { error, message, detail } = parsed
  const said = isObject(error) ? error.message : error
  for (const candidate of [said, message, detail])
    if (typeof candidate === 'string' && candidate !== '') return candidate
  const structured = error ?? detail
  return isObject(structured) ? JSON.stringify(structured) : undefined
}

/** The text of a message: the arguments of its tool call, its content, or what the host allowed instead. */
function textOf(message: Readonly<Record<string, unknown>>, reasoningFallback: boolean): string | Completion {
  const calls = message.tool_calls
  if (Array.isArray(calls) && calls.length > 0) {
    return calls.length === 1 ? argumentsOf(calls[0]) : unusable(`${calls.length} tool calls where one was wanted`)
  }
  const content = contentOf(message.content)
  if (content !== undefined && content.trim() !== '') return content
  const reasoning = message.reasoning_content ?? message.reasoning
  if (typeof reasoning !== 'string' || reasoning.trim() === '') return unusable('no text')
  if (reasoningFallback) return reasoning
  return unusable(
    'no text but a reasoning; set `reasoningFallback` to read that, or mend the reasoning parser of the server',
  )
}

/** Content as one string: parts of other kinds than text are passed over. */
function contentOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  const parts: readonly unknown[] = content
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      return isObject(part) && typeof part.text === 'string' ? part.text : ''
    })
    .join('')
}

/**
 * The arguments of a tool call as text of JSON, equal for an object, its text, and the text of that text. Text in which
 * something is wrong, such as a key that stands twice, is left as it came, for the reader of the reply to see.
 */
function argumentsOf(call: unknown): string | Completion {
  const called = isObject(call) && isObject(call.function) ? call.function.arguments : undefined
  if (isObject(called)) return JSON.stringify(called)
  if (typeof called !== 'string') return unusable('a tool call without arguments')
  const text = called.trim()
  const inner = text.startsWith('"') ? parse(text) : undefined
  const once = typeof inner === 'string' ? inner.trim() : text
  const read = readJson(once, 0, 'strict')
  return read.ok && read.doubledKey === undefined && read.end === once.length ? JSON.stringify(read.value) : once
}

function usageOf(usage: unknown): ChatReply['usage'] {
  if (!isObject(usage)) return undefined
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage
  return typeof inputTokens === 'number' && typeof outputTokens === 'number' ? { inputTokens, outputTokens } : undefined
}

/** A status named in an error body, as a number or in digits. */
function statusOf(parsed: Readonly<Record<string, unknown>>): number | undefined {
  const { error, code, status } = parsed
  const inner = isObject(error) ? [error.code, error.status] : []
  const named = [...inner, code, status].map(Number).find((number) => number >= 400 && number <= 599)
  if (named !== undefined) return named
  const kinds = JSON.stringify([...inner, isObject(error) ? error.type : undefined, code])
  return /rate.?limit/i.test(kinds) ? 429 : undefined
}

function unusable(what: string): Completion {
  return { kind: 'unusable', what }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
