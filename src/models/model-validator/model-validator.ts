import { z } from 'zod'
import type {
  ChatModel,
  ChunkQuery,
  Evidence,
  IndexedRecord,
  ModelConsultation,
  ValidateOptions,
  Validator,
  Verdict,
} from '../../contracts.ts'
import { probesOf } from '../../corpus/probes.ts'
import { isObject } from '../../corpus/record-shape.ts'
import { findEvidence } from '../../evidence/find.ts'
import { literalValidator } from '../../evidence/literal-validator.ts'
import { parseOptions } from '../../options.ts'
import { Consultant, type Consulted, type ReplyCache } from './consultant.ts'
import { type CheckedQuotes, checkQuotes } from './quotes.ts'
import type { ModelAnswer } from './reply.ts'

/** Options of {@link modelValidator}. */
export interface ModelValidatorOptions {
  /** The model that is asked. */
  readonly model: ChatModel
  /**
   * `ladder` (default): the literal validator decides what is clear, the model only what it leaves uncertain. `model`:
   * the model is asked about every candidate. `literal`: the model is never asked.
   */
  readonly mode?: 'ladder' | 'model' | 'literal'
  /** Most calls of one retrieval, second attempts included. Default 40. */
  readonly maxCalls?: number
  /** Milliseconds one call may take. Default 30,000. */
  readonly timeoutMs?: number
  /** Milliseconds all calls of one retrieval may take together. Default 60,000. */
  readonly budgetMs?: number
  /** Calls at the same time. Default 4. */
  readonly concurrency?: number
  /** Most tokens of a reply. Default 1,024. */
  readonly maxTokens?: number
  /** Characters of the chunk, and of the record, that the model is shown; the verdict says when text was left out. Default 12,000. */
  readonly longestText?: number
  /** Keeps replies by the content of the question, so that the same question is not asked twice. */
  readonly cache?: ReplyCache
}

const optionsSchema = z.strictObject({
  model: z.custom<ChatModel>(
    (value) => isObject(value) && typeof value.id === 'string' && typeof value.complete === 'function',
    'expected a chat model: an object with `id` and `complete`',
  ),
  mode: z.enum(['ladder', 'model', 'literal']).default('ladder'),
  maxCalls: z.int().min(0).default(40),
  timeoutMs: z.int().min(1).default(30_000),
  budgetMs: z.int().min(1).default(60_000),
  concurrency: z.int().min(1).default(4),
  maxTokens: z.int().min(1).default(1_024),
  longestText: z.int().min(200).default(12_000),
  cache: z
    .custom<ReplyCache>(
      (value) => typeof value === 'object' && value !== null && 'get' in value && 'set' in value,
      'expected an object with `get` and `set`, such as a Map',
    )
    .optional(),
})

/** Characters of a reply that a verdict keeps. */
const keptReply = 2_000

/**
 * The literal validator, helped by a model that may only point. The model is asked whether there is a direct match and
 * must quote it; every quote is looked up letter by letter in the chunk's code and in the record, and without one that
 * stands in both nothing is accepted.
 *
 * What the literal validator rejects stays rejected whatever the model says: a gate that is closed cannot be talked open.
 * A name that proves nothing alone needs a quote of something else. When the model fails, answers nothing usable twice or
 * the allowance is spent, the literal verdict stands and the result says so in `degraded`.
 *
 * @throws `OPTION_INVALID` for an unknown option or a value out of range.
 * @example
 * ```ts
 * const model = openAICompatible({ baseUrl: 'http://localhost:8000/v1', model: 'Qwen/Qwen3-8B' })
 * const strategy = parallel({ validator: modelValidator({ model, maxCalls: 20 }) })
 * ```
 */
export function modelValidator(options: ModelValidatorOptions): Validator {
  const { model, mode, cache, ...allowance } = parseOptions('modelValidator', optionsSchema, options)
  const literal = literalValidator()
  return {
    name: 'model',
    async validate(query, candidates, validateOptions) {
      const { signal, degrade } = validateOptions
      const verdicts = [...(await literal.validate(query, candidates, validateOptions))]
      if (mode === 'literal') return verdicts
      const bench = new Bench(query, validateOptions)
      const consultant = new Consultant(model, allowance, cache, signal)
      const failures: string[] = []
      let notAsked = 0
      await Promise.all(
        candidates.map(async (entry, index) => {
          const given = verdicts[index]!
          if (mode === 'ladder' && given.outcome !== 'uncertain') return
          const accepts = (answer: ModelAnswer): string | undefined => bench.faultOf(answer, entry)
          const consulted = await consultant.ask(query, entry, validateOptions.knowledge, accepts)
          if (consulted.kind === 'failed') failures.push(consulted.why)
          if (consulted.kind === 'spent') notAsked++
          verdicts[index] = bench.decide(given, entry, consulted, model.id)
        }),
      )
      if (failures.length > 0) {
        const message = `${model.id} gave no reply for ${failures.length} candidates: ${failures.sort()[0]}`
        degrade?.({ code: 'model-failed', message })
      }
      if (consultant.cacheFault !== undefined)
        degrade?.({ code: 'cache-failed', message: `The cache of replies failed: ${consultant.cacheFault}` })
      if (notAsked > 0) {
        const message = `${notAsked} candidates were not shown to ${model.id}: the allowance of calls or time was spent.`
        degrade?.({ code: 'model-allowance-spent', message })
      }
      return verdicts
    },
  }
}

/** Turns what a model said into verdicts. */
class Bench {
  readonly #query: ChunkQuery
  readonly #knowledge: ValidateOptions['knowledge']
  readonly #probes: ReturnType<typeof probesOf>

  constructor(query: ChunkQuery, { knowledge }: ValidateOptions) {
    this.#query = query
    this.#knowledge = knowledge
    this.#probes = probesOf(query.reading, knowledge)
  }

  /** What is wrong with an answer that is a yes without proof. */
  faultOf(answer: ModelAnswer, entry: IndexedRecord): string | undefined {
    if (answer.answer !== 'yes') return undefined
    const { quotes, evidence } = this.#check(answer, entry)
    if (evidence.length > 0) return undefined
    if (quotes.length === 0) return 'a yes needs a quote'
    return quotes
      .map(({ text, reason }) => `${JSON.stringify(text.slice(0, 80))} is ${reason}`)
      .join('; ')
      .slice(0, 500)
  }

  decide(given: Verdict, entry: IndexedRecord, consulted: Consulted, model: string): Verdict {
    if (consulted.kind !== 'answered') {
      const why =
        consulted.kind === 'spent' ? `the model was not asked: ${consulted.why}` : `the model failed: ${consulted.why}`
      return { ...given, reason: `${given.reason}; ${why}` }
    }
    const { answer, reply, calls, usage, cut } = consulted
    const { quotes, evidence } = this.#check(answer, entry)
    const told: ModelConsultation = {
      model,
      answer: answer.answer,
      quotes,
      reply: reply.slice(0, keptReply),
      calls,
      ...(usage === undefined ? {} : { usage }),
    }
    const seen = cut.chunk + cut.record === 0 ? '' : '; it saw only the beginning'
    const decided = (outcome: Verdict['outcome'], by: string, reason: string): Verdict => ({
      ...given,
      outcome,
      by,
      reason: `${reason}${seen}`,
      evidence: withoutRepeats([...evidence, ...given.evidence]),
      model: told,
    })
    if (answer.answer === 'undecided')
      return decided(given.outcome, 'literal', `${given.reason}; the model's reply is not usable: ${answer.why}`)
    if (answer.answer === 'no') {
      const why = answer.why === '' ? 'the model sees no direct match' : `the model sees no direct match: ${answer.why}`
      return decided('reject', 'model', `${why} (${given.reason})`)
    }
    if (evidence.length === 0) {
      // A yes that shows nothing is no reason to believe more, and none to believe less.
      return decided(
        given.outcome,
        'literal',
        `unverified: the model says yes without a quote that stands in both texts (${given.reason})`,
      )
    }
    const quoted = evidence.map(({ text }) => text.slice(0, 80)).join(', ')
    if (given.outcome === 'reject')
      return decided(
        'reject',
        'literal',
        `${given.reason}; the model says yes and quotes ${quoted}, which does not change that`,
      )
    if (given.outcome === 'uncertain' && !provesMore(evidence, entry))
      return decided('uncertain', 'literal', `${given.reason}; the model says yes, but quotes only that`)
    return decided('accept', 'model', `the model sees a direct match: ${quoted}`)
  }

  #check(answer: ModelAnswer, entry: IndexedRecord): CheckedQuotes {
    if (answer.answer === 'undecided') return { quotes: [], evidence: [] }
    const known = findEvidence(this.#query, entry, this.#probes, this.#knowledge)
    return checkQuotes(answer.quotes, this.#query, entry, known, this.#knowledge)
  }
}

/** Whether a quote holds more than the names of the gate that was found to prove nothing alone. */
function provesMore(evidence: readonly Evidence[], { reading: { gates, patterns } }: IndexedRecord): boolean {
  if (gates.length === 0 && patterns.length === 0) return true
  const named = new Set(gates.flatMap(({ text }) => text.match(words) ?? []))
  return evidence.some(({ text }) => (text.match(words) ?? []).some((word) => !named.has(word)))
}

const words = /[\p{L}\p{Pc}][\p{L}\p{M}\p{N}\p{Pc}]*/gu

function withoutRepeats(evidence: readonly Evidence[]): Evidence[] {
  const seen = new Set<string>()
  return evidence.filter(({ text, field, chunk }) => {
    const place = `${field} ${chunk.start} ${text}`
    return !seen.has(place) && seen.add(place)
  })
}
