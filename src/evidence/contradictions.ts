import type { ChunkReading } from '../code/chunk.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import { indexOfSorted } from '../corpus/sorted.ts'

/** A type that the chunk names, with its relatives: the same name but for the number in it. */
interface NumberedType {
  readonly name: string
  /** Literal id, or -1 when no record states it. */
  readonly id: number
  readonly relatives: readonly { readonly name: string; readonly id: number }[]
}

const numbered = /^(\p{Lu}\p{L}*?)([1-9])([dD]?\p{L}*)$/u

/** The numbered types of a chunk's code (`Vector2`, `CharacterBody3D`) and the relatives that the corpus knows. */
export function numberedTypesOf(chunk: ChunkReading, { vocabularies }: CorpusKnowledge): NumberedType[] {
  const types: NumberedType[] = []
  for (const { name, own } of chunk.names.values()) {
    const parts = own ? null : numbered.exec(name)
    if (parts === null) continue
    const [, stem = '', number = '', ending = ''] = parts
    const relatives = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].flatMap((other) => {
      const relative = `${stem}${other}${ending}`
      const id = other === number ? undefined : vocabularies.literals.find(relative)
      return id === undefined ? [] : [{ name: relative, id }]
    })
    types.push({ name, id: vocabularies.literals.find(name) ?? -1, relatives })
  }
  return types
}

/**
 * Types of a record that speak against it: it names a relative of a type that the chunk names, and not the type itself.
 * Empty when as many types agree as disagree: a page may well compare two and three dimensions.
 */
export function contradictionsOf(types: readonly NumberedType[], literals: Uint32Array): string[] {
  let agreeing = 0
  const against: string[] = []
  for (const { id, relatives } of types) {
    if (id >= 0 && indexOfSorted(literals, id) >= 0) agreeing++
    else {
      const relative = relatives.find((other) => indexOfSorted(literals, other.id) >= 0)
      if (relative !== undefined) against.push(relative.name)
    }
  }
  return against.length > agreeing ? against : []
}
