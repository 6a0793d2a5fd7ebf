import { type ChunkReading, readChunk } from './chunk.ts'
import type { Grammars } from './trees/grammars.ts'

/**
 * Reads a chunk as the retriever does: by its syntax tree where a grammar is given that fits, by the lexer otherwise.
 *
 * For validators and tests of your own, and for `verifyEvidence`, which needs the tree to check what an ast-grep pattern
 * matched.
 *
 * @example
 * ```ts
 * const reading = await analyzeChunk('$AnimatedSprite2D.play()', { language: 'gdscript', grammars })
 * console.log(reading.code.partial, [...reading.chains.keys()]) // false [ 'AnimatedSprite2D.play' ]
 * ```
 */
export async function analyzeChunk(
  text: string,
  options: { readonly language?: string | undefined; readonly grammars?: Grammars | undefined } = {},
): Promise<ChunkReading> {
  const { language, grammars } = options
  return readChunk(text, language, await grammars?.parse(text, language))
}
