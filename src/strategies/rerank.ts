import { z } from 'zod'
import type { Reranker, Strategy, Validator } from '../contracts.ts'
import { evidenceReranker } from '../evidence/evidence-reranker.ts'
import { literalValidator } from '../evidence/literal-validator.ts'
import { parseOptions } from '../options.ts'
import { defineStrategy } from './define.ts'
import { rerankCandidates } from './rerank-stage.ts'
import { type SearchingOptions, searchingOf, searchingShape, validatorSchema } from './searching.ts'
import { fuse, searchAll, unite, validate } from './stages.ts'

/** Options of {@link rerank}. Searches are 80 deep by default. */
export interface RerankStrategyOptions extends SearchingOptions {
  /** Who compares the chunk with each candidate. Default {@link evidenceReranker}, which needs no model. */
  readonly reranker?: Reranker
  /** Candidates from the top that the reranker sees, at least 1. Default 160; the others stay behind them. */
  readonly depth?: number
  /** Who decides. Default {@link literalValidator}. */
  readonly validator?: Validator
}

const optionsSchema = z.strictObject({
  ...searchingShape(80),
  reranker: z
    .custom<Reranker>(
      (value) =>
        typeof (value as Reranker | undefined)?.rerank === 'function' && typeof (value as Reranker).name === 'string',
      'expected a reranker: an object with `name`, `scores` and `rerank`',
    )
    .optional(),
  depth: z.int().min(1).default(160),
  validator: validatorSchema.optional(),
})

/**
 * Strategy F: a wide union, a reranker that compares the raw chunk with each candidate, then the validator. Every score
 * stays beside the others, and each candidate says from which place the reranker moved it and why.
 *
 * @throws `OPTION_INVALID` for an unknown option or a value out of range.
 * @example
 * ```ts
 * await using retriever = await Retriever.create({ records: readRecords('corpus.jsonl'), strategy: rerank() })
 * const { candidates } = await retriever.retrieve(chunkText)
 * for (const { id, rerank } of candidates) console.log(id, rerank?.rankBefore, rerank?.rankAfter, rerank?.reason)
 * ```
 */
export function rerank(options: RerankStrategyOptions = {}): Strategy {
  const parsed = parseOptions('rerank', optionsSchema, options)
  const { reranker = evidenceReranker(), depth, validator = literalValidator(), ...searching } = parsed
  const { modalities, depths, fusion, coherence } = searchingOf(searching)
  return defineStrategy({
    name: 'rerank',
    modalities,
    async run(query, context) {
      const found = await searchAll(query, context, depths)
      const united = await unite(found, context)
      const fused = await fuse(united, found, fusion, context, { coherence })
      const reranked = await rerankCandidates(query, fused, { reranker, depth }, context)
      return validate(query, reranked, validator, context)
    },
  })
}
