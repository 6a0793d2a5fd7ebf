import { z } from 'zod'
import type { ModalityDefinition, Validator } from '../contracts.ts'
import { convexCombination } from '../fusion/convex.ts'
import type { Fusion } from '../fusion/fuse.ts'
import { type Bm25Options, bm25 } from '../modalities/bm25.ts'
import { type EmbeddingOptions, embedding } from '../modalities/embedding.ts'
import { literal } from '../modalities/literal.ts'

/** How deep a modality searches in each collection. */
export interface Depth {
  /** Hits a collection, at least 1. */
  readonly limit?: number
}

/** How the strategies over records search and fuse; the same for all of them but for the default depth. */
export interface SearchingOptions {
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
}

/** Weights of the default fusion. Chosen on the development queries of two corpora; `bench/fusion.ts` prints the figures. */
export const defaultWeights = { bm25: 0.3, literal: 0.6, embedding: 0.1 } as const

/** Ranking is level from 0.4 to 0.6 on the development queries of two corpora, and better than with 0 or 1. */
export const defaultCoherence: number = 0.5

/** Schema of a validator. */
export const validatorSchema: z.ZodType<Validator> = z.custom<Validator>(
  (value) => typeof (value as Validator | undefined)?.validate === 'function',
  'expected a validator',
)

/** Checked {@link SearchingOptions}, every default filled in. */
export interface CheckedSearching {
  readonly bm25: Bm25Options & Required<Depth>
  readonly embedding: false | (EmbeddingOptions & Required<Depth>)
  readonly literal: false | Required<Depth>
  readonly fusion: Fusion | undefined
  readonly coherence: number
}

/** The part of a strategy's options that says how to search, with its defaults. */
export function searchingShape(defaultLimit: number): {
  readonly [Option in keyof CheckedSearching]: z.ZodType<CheckedSearching[Option]>
} {
  const limit = z.int().min(1).default(defaultLimit)
  const depth = z.looseObject({ limit })
  return {
    bm25: depth.default({ limit: defaultLimit }),
    embedding: z.union([z.literal(false), depth]).default({ limit: defaultLimit }),
    literal: z.union([z.literal(false), z.strictObject({ limit })]).default({ limit: defaultLimit }),
    fusion: z
      .custom<Fusion>((value) => typeof (value as Fusion | undefined)?.fuse === 'function', 'expected a fusion')
      .optional(),
    coherence: z.number().min(0).default(defaultCoherence),
  }
}

/** What a strategy searches with. */
export interface Searching {
  readonly modalities: readonly ModalityDefinition[]
  /** Hits a collection by the name of the modality. */
  readonly depths: Readonly<Record<string, number>>
  readonly fusion: Fusion
  readonly coherence: number
}

/** Makes the modalities of checked options. */
export function searchingOf(options: CheckedSearching): Searching {
  const { limit: bm25Limit, ...bm25Options } = options.bm25
  const modalities = [bm25(bm25Options)]
  const depths: Record<string, number> = { bm25: bm25Limit }
  if (options.embedding !== false) {
    const { limit, ...embeddingOptions } = options.embedding
    modalities.push(embedding(embeddingOptions))
    depths.embedding = limit
  }
  if (options.literal !== false) {
    modalities.push(literal())
    depths.literal = options.literal.limit
  }
  const { fusion = convexCombination({ normaliser: 'minMax', weights: defaultWeights }), coherence } = options
  return { modalities, depths, fusion, coherence }
}
