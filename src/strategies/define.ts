import type { Strategy } from '../contracts.ts'
import { DirectEvidenceError } from '../errors.ts'

/**
 * Checks a strategy of your own and gives it back. The stages of the built-in strategies (`searchAll`, `unite`, `fuse`,
 * `validate`) are there to compose it from.
 *
 * @throws `OPTION_INVALID` when the name is empty, two modalities share a name, or `run` is not a function.
 * @example
 * ```ts
 * const lexicalOnly = defineStrategy({
 *   name: 'lexical-only',
 *   modalities: [bm25()],
 *   async run(query, context) {
 *     const found = await searchAll(query, context, { bm25: 100 })
 *     const fused = await fuse(await unite(found, context), found, reciprocalRankFusion(), context)
 *     return validate(query, fused, literalValidator(), context)
 *   },
 * })
 * ```
 */
export function defineStrategy(strategy: Strategy): Strategy {
  const names = strategy.modalities.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (typeof strategy.name !== 'string' || strategy.name === '') throw invalid('name', 'A strategy needs a name.')
  if (twice !== undefined) throw invalid('modalities', `Two modalities are named "${twice}"; give each its own name.`)
  if (typeof strategy.run !== 'function') throw invalid('run', 'A strategy needs a function `run`.')
  return strategy
}

function invalid(option: string, message: string): DirectEvidenceError {
  return new DirectEvidenceError('OPTION_INVALID', message, { option })
}
