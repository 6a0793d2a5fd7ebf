import { z } from 'zod'
import type { Strategy, Validator } from '../contracts.ts'
import { literalValidator } from '../evidence/literal-validator.ts'
import { convexCombination } from '../fusion/convex.ts'
import type { Fusion } from '../fusion/fuse.ts'
import { type Bm25Options, bm25 } from '../modalities/bm25.ts'
import { type EmbeddingOptions, embedding } from '../modalities/embedding.ts'
import { literal } from '../modalities/literal.ts'
import { parseOptions } from '../options.ts'
import { defineStrategy } from './define.ts'
import { fuse, searchAll, unite, validate } from './stages.ts'

/** How deep a modality searches in each collection. */
interface Depth {
  /** Hits a collection, at least 1. Default 50. */
  readonly limit?: number
}

/** Options of {@link parallel}. */
export interface ParallelOptions {
  readonly bm25?: Bm25Options & Depth
  /** `false` switches the modality off. */
  readonly embedding?: false | (EmbeddingOptions & Depth)
  /** `false` switches the modality off. */
  readonly literal?: false | Depth
  /** How scores become one. Default: a convex combination of min-max scores, weights {@link defaultWeights}. */
  readonly fusion?: Fusion
  /**
   * What a section gets of the fused score of the best other section of its page that was found, as a share; 0 for
   * nothing. Default {@link defaultCoherence}.
   */
  readonly coherence?: number
  /** Who decides. Default {@link literalValidator}. */
  readonly validator?: Validator
}

/** Weights of the default fusion. Chosen on the development queries of two corpora; `bench/fusion.ts` prints the figures. */
export const defaultWeights = { bm25: 0.3, literal: 0.6, embedding: 0.1 } as const

/** Chosen by cross-validation over projects on the development queries of two corpora (`bench/fusion.ts`). */
export const defaultCoherence: number = 0.5

const limit = z.int().min(1).default(50)
const depth = z.looseObject({ limit })
const optionsSchema = z.strictObject({
  bm25: depth.default({ limit: 50 }),
  embedding: z.union([z.literal(false), depth]).default({ limit: 50 }),
  literal: z.union([z.literal(false), z.strictObject({ limit })]).default({ limit: 50 }),
  fusion: z
    .custom<Fusion>((value) => typeof (value as Fusion | undefined)?.fuse === 'function', 'expected a fusion')
    .optional(),
  coherence: z.number().min(0).default(defaultCoherence),
  validator: z
    .custom<Validator>(
      (value) => typeof (value as Validator | undefined)?.validate === 'function',
      'expected a validator',
    )
    .optional(),
})

/**
 * Strategy D: BM25, embedding and literal search at the same time, 50 hits each of every collection; the union without
 * duplicates; one fused score; a verdict with proof on every candidate.
 *
 * @throws `OPTION_INVALID` for an unknown option or a value out of range.
 * @example
 * ```ts
 * await using retriever = await Retriever.create({ records: readRecords('corpus.jsonl'), strategy: parallel() })
 * const { accepted } = await retriever.retrieve(chunkText)
 * ```
 */
export function parallel(options: ParallelOptions = {}): Strategy {
  const parsed = parseOptions('parallel', optionsSchema, options)
  const {
    fusion = convexCombination({ normaliser: 'minMax', weights: defaultWeights }),
    validator = literalValidator(),
  } = parsed
  const { limit: bm25Limit, ...bm25Options } = parsed.bm25
  const modalities = [bm25(bm25Options)]
  const depths: Record<string, number> = { bm25: bm25Limit }
  if (parsed.embedding !== false) {
    const { limit: embeddingLimit, ...embeddingOptions } = parsed.embedding
    modalities.push(embedding(embeddingOptions))
    depths.embedding = embeddingLimit
  }
  if (parsed.literal !== false) {
    modalities.push(literal())
    depths.literal = parsed.literal.limit
  }
  return defineStrategy({
    name: 'parallel',
    modalities,
    async run(query, context) {
      const found = await searchAll(query, context, depths)
      const united = await unite(found, context)
      const fused = await fuse(united, found, fusion, context, parsed.coherence)
      return validate(query, fused, validator, context)
    },
  })
}
