import { z } from 'zod'
import type {
  ChatModel,
  ChunkQuery,
  Hit,
  Json,
  QueryProfiler,
  Strategy,
  StrategyContext,
  Validator,
} from '../../contracts.ts'
import { messageOf } from '../../errors.ts'
import { literalValidator } from '../../evidence/literal-validator.ts'
import { convexCombination } from '../../fusion/convex.ts'
import { modelProfiler } from '../../models/profiler/model-profiler.ts'
import { parseOptions } from '../../options.ts'
import { describeUnion } from '../../trace/payloads.ts'
import { defineStrategy } from '../define.ts'
import { defaultWeights, type SearchingOptions, searchingOf, searchingShape, validatorSchema } from '../searching.ts'
import { type Found, fuse, merge, searchAll, unite, validate } from '../stages.ts'
import { describeDifference } from './difference.ts'
import { type GroundedProfile, groundProfile } from './grounding.ts'
import { readProfile } from './reading.ts'
import { profileQuery } from './search-query.ts'

/** Options of {@link queryProfile}. */
export interface QueryProfileOptions extends SearchingOptions {
  /** The model that writes the profile; the same as `profiler: modelProfiler({ model })`. */
  readonly model?: ChatModel
  /** Writes the profile. Give this or `model`. */
  readonly profiler?: QueryProfiler
  /**
   * `profile+chunk` (default): the profile adds to the raw chunk. `profile`: it takes its place, except in collections
   * with gates when no migration signal is grounded.
   */
  readonly query?: 'profile' | 'profile+chunk'
  /** Share of literals and signals that must be grounded, 0 to 1; below, the raw chunk is searched alone. Default 0.5. */
  readonly minGrounded?: number
  /** Who decides. Default {@link literalValidator}. */
  readonly validator?: Validator
}

const optionsSchema = z
  .strictObject({
    ...searchingShape(50),
    model: z.custom<ChatModel>((value) => typeof (value as ChatModel | undefined)?.complete === 'function').optional(),
    profiler: z
      .custom<QueryProfiler>(
        (value) => typeof (value as QueryProfiler | undefined)?.profile === 'function',
        'expected a query profiler: an object with `name` and `profile`',
      )
      .optional(),
    query: z.enum(['profile', 'profile+chunk']).default('profile+chunk'),
    minGrounded: z.number().min(0).max(1).default(0.5),
    validator: validatorSchema.optional(),
  })
  .refine(({ model, profiler }) => (model === undefined) !== (profiler === undefined), {
    path: ['profiler'],
    message: 'give a `profiler` or a `model`, one of them',
  })

/** Stands before the names of what the profile found. */
const prefix = 'profile:'
/** What the profile's searches weigh against those of the raw chunk. */
const profileShare = 0.5

/**
 * Strategy E: a model writes a search profile of the chunk, every string of it is looked up in the chunk first, and what
 * is grounded is searched with beside the raw chunk. The trace says what was dropped and what the profile changed.
 *
 * A collection whose records have gates or patterns gets nothing from the profile unless a migration signal is grounded;
 * it still gets what the chunk itself earns. When the profiler fails, writes nothing usable or grounds too little, the raw
 * chunk is searched alone and `degraded` says so.
 *
 * @throws `OPTION_INVALID` for an unknown option or a value out of range.
 * @example
 * ```ts
 * const model = openAICompatible({ baseUrl: 'http://localhost:8000/v1', model: 'Qwen/Qwen3-8B' })
 * const strategy = queryProfile({ model })
 * ```
 */
export function queryProfile(options: QueryProfileOptions): Strategy {
  const parsed = parseOptions('queryProfile', optionsSchema, options)
  const { model, profiler: given, query: mode, minGrounded, validator = literalValidator(), ...searching } = parsed
  const profiler = given ?? modelProfiler({ model: model! })
  const { modalities, depths, coherence, fusion } = searchingOf({
    ...searching,
    fusion: searching.fusion ?? convexCombination({ normaliser: 'minMax', weights: weightsWithProfile() }),
  })
  return defineStrategy({
    name: 'queryProfile',
    modalities,
    async run(query, context) {
      const [raw, profile] = await Promise.all([
        searchAll(query, context, depths),
        profileOf(query, profiler, minGrounded, context),
      ])
      const rawFused = await fuse(await unite(raw, context, 'raw:'), raw, fusion, context, {
        coherence,
        prefix: 'raw:',
      })
      const found = profile === undefined ? raw : await searchWith(profile, raw)
      const fused = await fuse(await unite(found, context), found, fusion, context, { coherence })
      const ranked = await validate(query, fused, validator, context)
      context.trace.note('difference', describeDifference(rawFused, fused, ranked))
      return ranked

      async function searchWith(grounded: GroundedProfile, rawFound: Found): Promise<Found> {
        const asked = profileQuery(query, grounded, mode)
        const collections = collectionsFor(grounded, context)
        const own = await searchAll(asked, context, depths, { prefix, collections })
        context.trace.note('profile-candidates', describeUnion(merge(own)))
        const kept = mode === 'profile+chunk' ? rawFound : withoutCollections(rawFound, collections)
        return new Map([...kept, ...own])
      }
    },
  })
}

/** The profile after grounding; undefined when there is none to search with. */
async function profileOf(
  query: ChunkQuery,
  profiler: QueryProfiler,
  minGrounded: number,
  context: StrategyContext,
): Promise<GroundedProfile | undefined> {
  const { signal } = context.scope
  const fallBack = (code: string, why: string): undefined => {
    context.degrade({ stage: 'profile', code, message: `${why}; the raw chunk is searched alone.` })
    return undefined
  }
  try {
    const reply = await context.trace.stage(
      'profile',
      () => profiler.profile(query, { signal }),
      (given) => ({
        profiler: profiler.name,
        received: jsonOf(given?.profile),
        usage: given?.usage === undefined ? null : { ...given.usage },
      }),
    )
    signal?.throwIfAborted()
    const read = readProfile(reply?.profile)
    if (read.outcome === 'unusable')
      return fallBack('profile-unusable', `The profile of "${profiler.name}" cannot be used: ${read.reason}`)
    const grounded = groundProfile(read.profile, query.reading, context.knowledge)
    context.trace.note('literals', { literals: grounded.literals.map(jsonOf) })
    context.trace.note('migration-signals', { signals: grounded.signals.map(jsonOf) })
    context.trace.note('words', { kept: grounded.words, dropped: grounded.droppedWords.map((each) => ({ ...each })) })
    if (grounded.share >= minGrounded) return grounded
    const share = `${Math.round(grounded.share * 100)} % of its strings are in the chunk`
    return fallBack('profile-ungrounded', `The profile of "${profiler.name}" is not of this chunk: ${share}`)
  } catch (error) {
    signal?.throwIfAborted()
    return fallBack('profile-failed', `Profiler "${profiler.name}" failed: ${messageOf(error)}`)
  }
}

/** The caller's collections, without those that need a migration signal when there is none. */
function collectionsFor({ signals }: GroundedProfile, { knowledge, scope }: StrategyContext): ReadonlySet<string> {
  const wanted = scope.collections ?? new Set(knowledge.collections.keys())
  if (signals.some(({ grounded }) => grounded)) return wanted
  const gated = (name: string): boolean =>
    knowledge.collections.get(name)?.fields.some(({ evidence }) => evidence === 'gate' || evidence === 'pattern') ??
    false
  return new Set([...wanted].filter((name) => !gated(name)))
}

function withoutCollections(found: Found, collections: ReadonlySet<string>): Found {
  const rest = (hits: readonly Hit[]): readonly Hit[] => hits.filter(({ collection }) => !collections.has(collection))
  return new Map([...found].map(([name, hits]) => [name, rest(hits)]))
}

/** The default weights, and the same for the profile's searches at a share of them. */
function weightsWithProfile(): Record<string, number> {
  const own = Object.entries(defaultWeights)
  return Object.fromEntries([...own, ...own.map(([name, weight]) => [prefix + name, weight * profileShare] as const)])
}

/** A value as it may stand in a trace; what is no JSON is left out. */
function jsonOf(value: unknown): Json {
  try {
    const text: unknown = JSON.stringify(value)
    return typeof text === 'string' ? (JSON.parse(text) as Json) : null
  } catch {
    return null
  }
}
