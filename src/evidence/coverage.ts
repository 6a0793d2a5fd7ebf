import type { ChunkQuery, IndexedRecord } from '../contracts.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import type { Probe } from '../corpus/probes.ts'
import { literalStrengths } from '../corpus/reading.ts'
import { indexOfSorted } from '../corpus/sorted.ts'
import { weigh } from './find.ts'
import { thresholds } from './thresholds.ts'

/** A literal of the chunk that records of the collection state, with what it would weigh as evidence. */
interface Known {
  readonly id: number
  readonly key: string
  readonly text: string
  readonly weight: number
  readonly having: number
  readonly rarity: number
}

/** Weight from which a literal is one that a record is the poorer for lacking: calls, chains, types, constants. */
const distinctiveWeight = 0.8

/** What a chunk has for the records of one collection to share: the measure of how much of it one record covers. */
export class Coverage {
  /** Weight of all literals that any record of the collection states. */
  readonly possible: number
  /** The calls, chains, types and constants that some record states, rarest first. */
  readonly #distinctive: readonly Known[]
  /** Qualified names that few records state. */
  readonly #telling: readonly Known[]

  constructor(query: ChunkQuery, collection: string, probes: readonly Probe[], { statistics }: CorpusKnowledge) {
    const known: Known[] = []
    const distinctive: Known[] = []
    for (const { id, literal } of probes) {
      const having = statistics.having(collection, id)
      if (having === 0 || literal.weight === 0) continue
      const rarity = statistics.rarityShare(collection, having)
      const text = query.chunkText.slice(literal.span.start, literal.span.end)
      const each: Known = { id, key: literal.key, text, weight: literal.weight * rarity, having, rarity }
      known.push(each)
      if (literal.weight >= distinctiveWeight && literal.kind !== 'line') distinctive.push(each)
    }
    this.possible = weigh(known.sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1)))
    this.#distinctive = distinctive.sort((a, b) => a.having - b.having || (a.key < b.key ? -1 : 1))
    this.#telling = this.#distinctive.filter(({ key, rarity }) => rarity >= thresholds.fewRecords && key.includes('.'))
  }

  /** A qualified name that the record lists and few others do: it is about that name, among others. */
  tellingSymbol({ reading: { literals } }: IndexedRecord): string | undefined {
    return this.#telling.find(({ id }) => {
      const at = indexOfSorted(literals.ids, id)
      return at >= 0 && firm.has(literalStrengths[literals.strengths[at]!]!)
    })?.key
  }

  /** The distinctive literals that a record lacks, rarest first; a chain says that its last name is missing too. */
  missing({ reading: { literals } }: IndexedRecord): readonly string[] {
    const texts = this.#distinctive.filter(({ id }) => indexOfSorted(literals.ids, id) < 0).map(({ text }) => text)
    return withoutLastNames(texts)
  }

  /** How many distinctive literals there are to share. */
  get size(): number {
    return (this.#size ??= withoutLastNames(this.#distinctive.map(({ text }) => text)).length)
  }
  #size: number | undefined
}

/** Where a record states a name for its own sake. */
const firm: ReadonlySet<string> = new Set(['symbol', 'subject'])

/** `Input.is_action_pressed` says that `is_action_pressed` is there too. */
function withoutLastNames(texts: readonly string[]): readonly string[] {
  const lastNames = new Set(
    texts.filter((text) => text.includes('.')).map((text) => text.slice(text.lastIndexOf('.') + 1)),
  )
  return [...new Set(texts)].filter((text) => !lastNames.has(text))
}
