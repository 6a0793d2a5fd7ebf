import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import { unlessAborted } from '../../abortable.ts'
import type { ChatModel, ChatReply, ChunkQuery, IndexedRecord } from '../../contracts.ts'
import type { CorpusKnowledge } from '../../corpus/knowledge.ts'
import { messageOf } from '../../errors.ts'
import { askModel } from '../chat/ask-model.ts'
import { askAgain, type Prompt, promptFor, promptVersion } from './prompt.ts'
import { type ModelAnswer, readReply } from './reply.ts'

/** Replies that were given before, by the content of the question: a `Map` will do, or a store on disk. */
export interface ReplyCache {
  get(key: string): string | undefined | Promise<string | undefined>
  set(key: string, reply: string): unknown
}

/** How often, how long and how many at a time a model may be asked in one retrieval. */
export interface Allowance {
  readonly maxCalls: number
  readonly timeoutMs: number
  readonly budgetMs: number
  readonly concurrency: number
  readonly maxTokens: number
  readonly longestText: number
}

/** What came of asking about one record. */
export type Consulted =
  | {
      readonly kind: 'answered'
      readonly answer: ModelAnswer
      readonly reply: string
      readonly calls: number
      readonly usage: ChatReply['usage']
      readonly cut: Prompt['cut']
    }
  /** `spent`: the allowance was used up before. `failed`: the model gave no reply. */
  | { readonly kind: 'spent' | 'failed'; readonly why: string; readonly calls: number }

/** Whether an answer can be used; a reason when it cannot, and the model is asked once more. */
export type Accepts = (answer: ModelAnswer) => string | undefined

/** Asks one model about many records within one allowance. */
export class Consultant {
  readonly #model: ChatModel
  readonly #allowance: Allowance
  readonly #cache: ReplyCache | undefined
  readonly #signal: AbortSignal | undefined
  readonly #limit: ReturnType<typeof pLimit>
  readonly #ends: number
  #calls = 0
  /** What the cache failed with first. */
  cacheFault: string | undefined

  constructor(model: ChatModel, allowance: Allowance, cache: ReplyCache | undefined, signal: AbortSignal | undefined) {
    this.#model = model
    this.#allowance = allowance
    this.#cache = cache
    this.#signal = signal
    this.#limit = pLimit(allowance.concurrency)
    this.#ends = performance.now() + allowance.budgetMs
  }

  /**
   * Asks about one record, and once more when the answer cannot be used. Never rejects but with the signal's reason.
   */
  async ask(query: ChunkQuery, entry: IndexedRecord, knowledge: CorpusKnowledge, accepts: Accepts): Promise<Consulted> {
    return this.#limit(async () => {
      this.#signal?.throwIfAborted()
      const prompt = promptFor(query, entry, knowledge, this.#allowance.longestText)
      const key = this.#keyOf(prompt)
      const known = await this.#cached((cache) => cache.get(key))
      if (typeof known === 'string') {
        return { kind: 'answered', answer: readReply(known), reply: known, calls: 0, usage: undefined, cut: prompt.cut }
      }
      const consulted = await this.#converse(prompt, accepts)
      if (consulted.kind === 'answered') await this.#cached((cache) => cache.set(key, consulted.reply))
      return consulted
    })
  }

  /** A cache that fails is none; the result says so. */
  async #cached<Result>(use: (cache: ReplyCache) => Result): Promise<Awaited<Result> | undefined> {
    if (this.#cache === undefined) return undefined
    try {
      return await unlessAborted(Promise.resolve(use(this.#cache)), this.#signal)
    } catch (error) {
      this.#signal?.throwIfAborted()
      this.cacheFault ??= messageOf(error)
      return undefined
    }
  }

  async #converse(prompt: Prompt, accepts: Accepts): Promise<Consulted> {
    let { messages } = prompt
    let usage: ChatReply['usage']
    let last: { readonly reply: string; readonly answer: ModelAnswer } | undefined
    let calls = 0
    for (; calls < 2; calls++) {
      const spent = this.#spent()
      if (spent !== undefined) {
        if (last === undefined) return { kind: 'spent', why: spent, calls }
        break
      }
      this.#calls++
      let reply: ChatReply
      try {
        const timeoutMs = Math.min(this.#allowance.timeoutMs, Math.ceil(this.#ends - performance.now()))
        const { maxTokens } = this.#allowance
        reply = await askModel(this.#model, { messages, maxTokens }, { timeoutMs, signal: this.#signal })
      } catch (error) {
        this.#signal?.throwIfAborted()
        if (last === undefined) return { kind: 'failed', why: messageOf(error), calls: calls + 1 }
        calls++
        break
      }
      usage = sum(usage, reply.usage)
      last = { reply: reply.text, answer: readReply(reply.text) }
      const fault = last.answer.answer === 'undecided' ? last.answer.why : accepts(last.answer)
      if (fault === undefined) {
        calls++
        break
      }
      messages = askAgain(prompt, reply.text, fault)
    }
    return { kind: 'answered', ...last!, calls, usage, cut: prompt.cut }
  }

  /** Why nothing more may be asked. */
  #spent(): string | undefined {
    const { maxCalls, budgetMs } = this.#allowance
    if (this.#calls >= maxCalls) return `${maxCalls} calls were made`
    return this.#ends - performance.now() < 2 ? `${budgetMs} ms were spent` : undefined
  }

  #keyOf({ messages }: Prompt): string {
    const hash = createHash('sha256').update(`${promptVersion}\n${JSON.stringify(this.#model.id)}\n`)
    return hash.update(JSON.stringify(messages)).digest('hex')
  }
}

function sum(a: ChatReply['usage'], b: ChatReply['usage']): ChatReply['usage'] {
  if (a === undefined || b === undefined) return a ?? b
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens }
}
