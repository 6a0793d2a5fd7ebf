import type { ChunkReading } from '../code/chunk.ts'
import { type ChunkLiteral, literalsOf } from '../code/literals.ts'
import type { CorpusKnowledge } from './knowledge.ts'

/** A literal of a chunk that the corpus knows, with its id. */
export interface Probe {
  readonly id: number
  readonly literal: ChunkLiteral
}

/** The chunk's literals that some record states or has stated, in the order of the chunk's reading. */
export function probesOf(chunk: ChunkReading, { vocabularies }: CorpusKnowledge): Probe[] {
  return literalsOf(chunk).flatMap((literal) => {
    const id = vocabularies.literals.find(literal.key)
    return id === undefined ? [] : [{ id, literal }]
  })
}
