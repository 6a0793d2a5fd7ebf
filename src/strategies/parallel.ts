import { z } from 'zod'
import type { Strategy, Validator } from '../contracts.ts'
import { literalValidator } from '../evidence/literal-validator.ts'
import { parseOptions } from '../options.ts'
import { defineStrategy } from './define.ts'
import { type SearchingOptions, searchingOf, searchingShape, validatorSchema } from './searching.ts'
import { fuse, searchAll, unite, validate } from './stages.ts'

/** Options of {@link parallel}. Searches are 50 deep by default. */
export interface ParallelOptions extends SearchingOptions {
  /** Who decides. Default {@link literalValidator}. */
  readonly validator?: Validator
}

const optionsSchema = z.strictObject({ ...searchingShape(50), validator: validatorSchema.optional() })

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
  const { validator = literalValidator(), ...searching } = parseOptions('parallel', optionsSchema, options)
  const { modalities, depths, fusion, coherence } = searchingOf(searching)
  return defineStrategy({
    name: 'parallel',
    modalities,
    async run(query, context) {
      const found = await searchAll(query, context, depths)
      const united = await unite(found, context)
      const fused = await fuse(united, found, fusion, context, { coherence })
      return validate(query, fused, validator, context)
    },
  })
}
