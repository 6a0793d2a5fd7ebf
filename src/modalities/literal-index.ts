import type { ChunkName, ChunkReading } from '../code/chunk.ts'
import type { ChunkLiteral } from '../code/literals.ts'
import type { ChunkQuery, IndexedRecord } from '../contracts.ts'
import { findInCode } from '../code/occurrences.ts'
import { literalStrengths } from '../corpus/reading.ts'
import { OwnerVotes } from '../corpus/owner-votes.ts'
import { isEveryday } from '../code/keywords.ts'
import { type Agreement, agreementOf, isTypeName, resemblance } from '../corpus/receivers.ts'
import type { CorpusRecord } from '../corpus/records.ts'
import type { CollectionSymbols } from '../corpus/symbol-table.ts'
import type { Vocabulary } from '../corpus/vocabulary.ts'
import { indexOfSorted } from '../corpus/sorted.ts'
import { buildPostings, type EmitRows, type Postings } from './postings.ts'
import { type Scored, topOf } from './top.ts'

/** How much a literal counts by where the record states it, in the order of {@link literalStrengths}. */
const strengthShares: readonly number[] = literalStrengths.map(
  (strength) => ({ prose: +(process.env.SP ?? 0.5), string: +(process.env.SS ?? 0.5), code: +(process.env.SC ?? 0.8), symbol: 1, line: +(process.env.SL ?? 1), subject: 1 })[strength],
)

/** How much a name counts for a record that is about a name like it, by how their receivers agree. */
const agreementShares: Readonly<Record<Agreement, number>> = {
  exact: 1,
  typed: 0.95,
  named: 0.7,
  hinted: 0.7,
  open: 0.3,
  conflict: 0,
}

/** A record that is about a name counts this many times a record that mentions it. */
const subjectWeight = 3

/** A fulfilled gate counts this many times the rarest mention. */
const gateWeight = 4

/** What a record with a subject mentions beside it counts this share: it is about the subject. */
const besideSubject = 0.1

const P = { single: 1, everyday: 1, resW: 0, own: 0, mention: 0.1, open: 0.3, hinted: 0.7, sub: 3, boost: 0, ...JSON.parse(process.env.P ?? '{}') }
const firstName = /[\p{L}\p{Pc}][\p{L}\p{M}\p{N}\p{Pc}]*/u

/** The evidence literals of one collection, inverted. */
export class LiteralIndex {
  readonly records: readonly IndexedRecord[]
  readonly #postings: Postings
  readonly #places: ReadonlyMap<string, number>
  readonly #symbols: CollectionSymbols
  /** Records by the first identifier of their first gate. */
  readonly #gated = new Map<string, number[]>()
  readonly #scores: Float64Array

  private constructor(records: readonly IndexedRecord[], postings: Postings, symbols: CollectionSymbols) {
    this.records = records
    this.#postings = postings
    this.#symbols = symbols
    this.#places = new Map(records.map(({ id }, place) => [id, place]))
    this.#scores = new Float64Array(records.length)
    for (let place = 0; place < records.length; place++) {
      const [gate] = records[place]!.reading.gates
      if (gate === undefined) continue
      const name = firstName.exec(gate.text)?.[0] ?? gate.text
      const known = this.#gated.get(name)
      if (known === undefined) this.#gated.set(name, [place])
      else known.push(place)
    }
  }

  /** Builds in time linear in the literals of the records. */
  static async build(
    records: readonly IndexedRecord[],
    literals: Vocabulary,
    symbols: CollectionSymbols,
    signal?: AbortSignal,
  ): Promise<LiteralIndex> {
    const rowsOf: EmitRows = (place, emit) => {
      const { literals: stated, subject } = records[place]!.reading
      // What the record is about is looked up by receiver, not by name alone.
      const name = subject === undefined ? undefined : literals.find(subject.path.at(-1)!)
      const chain = subject === undefined ? undefined : literals.find(subject.path.join('.'))
      for (let index = 0; index < stated.ids.length; index++) {
        const id = stated.ids[index]!
        if (id === name || id === chain) continue
        emit(id, strengthShares[stated.strengths[index]!]! * (subject === undefined ? 1 : P.mention))
      }
    }
    return new LiteralIndex(records, await buildPostings(literals.size, records.length, rowsOf, signal), symbols)
  }

  /** Rarity of a literal that `having` of the collection's records state; between 0 and about ln N. */
  #rarity(having: number): number {
    const total = this.records.length
    return Math.log(1 + (total - having + 0.5) / (having + 0.5))
  }

  search(
    chunk: ChunkReading,
    probes: readonly (readonly [id: number, literal: ChunkLiteral])[],
    limit: number,
    filter: ((record: CorpusRecord) => boolean) | undefined,
  ): Scored[] {
    const scores = this.#scores.fill(0)
    const { offsets, places, values } = this.#postings
    for (const [id, { weight }] of probes) {
      if (weight === 0 || id + 1 >= offsets.length) continue
      const from = offsets[id]!
      const to = offsets[id + 1]!
      const rarity = this.#rarity(to - from) * weight
      for (let at = from; at < to; at++) scores[places[at]!]! += rarity * values[at]!
    }
    const votes = new OwnerVotes(chunk, this.#symbols)
    for (const name of chunk.names.values()) this.#scoreSubjects(name, chunk, votes, scores)
    this.#scoreGates(chunk, scores)
    return topOf(scores, limit, (place) => filter === undefined || filter(this.records[place]!.record))
  }

  /** The chunk's literals that a record states, strongest first. */
  explain(query: ChunkQuery, probes: readonly (readonly [id: number, literal: ChunkLiteral])[], place: number): string[] {
    const { literals, subject } = this.records[place]!.reading
    const shared = probes.filter(([id, { weight }]) => weight > 0 && indexOfSorted(literals.ids, id) >= 0)
    const texts = shared
      .sort(([, a], [, b]) => b.weight - a.weight || (a.key < b.key ? -1 : 1))
      .map(([, { span }]) => query.chunkText.slice(span.start, span.end))
    const name = subject?.path.at(-1)
    return [...new Set(name !== undefined && query.reading.names.has(name) ? [name, ...texts] : texts)]
  }

  /** A record whose gate is fulfilled is always found, and ahead of those whose gate is not. */
  #scoreGates(chunk: ChunkReading, scores: Float64Array): void {
    const texts = new Set(chunk.places.keys())
    for (const content of chunk.strings.keys()) texts.add(content)
    for (const text of texts) {
      for (const place of this.#gated.get(text) ?? []) {
        const { gates } = this.records[place]!.reading
        let share = 0
        for (const gate of gates) {
          const [best] = findInCode(chunk, gate.text, 1)
          if (best !== undefined) share += best.as === 'own' ? 0.2 : best.as === 'label' ? 0.7 : 1
        }
        scores[place]! += (gateWeight * share * Math.log(1 + this.records.length)) / gates.length
      }
    }
  }

  #scoreSubjects(name: ChunkName, chunk: ChunkReading, votes: OwnerVotes, scores: Float64Array): void {
    const count = this.#symbols.count(name.name)
    if (count === 0 || (name.own && P.own === 0)) return
    const rarity = this.#rarity(count)
    for (const entry of this.#symbols.named(name.name)) {
      const { subject } = entry.reading
      const place = this.#places.get(entry.id)
      if (subject === undefined || place === undefined) continue
      let best = 0
      for (const use of name.uses) {
        let agreement = agreementOf(use, subject, chunk, this.#symbols)
        if (agreement === 'open' && votes.elect(use, subject.path.at(-2) ?? '')) agreement = 'hinted'
        const owner = subject.path.at(-2) ?? ''
        let share =
          agreement === 'open' ? (isTypeName(owner) ? Math.max(P.open, 1 / count): P.open) : agreement === 'hinted' ? P.hinted + P.resW * resemblance(use.receiver.hint, owner) : agreementShares[agreement]
        if (share > best) best = share
      }
      if (subject.path.length === 1) best *= P.single
      if (isEveryday(name.name)) best *= P.everyday
      if (name.own) best *= P.own
      scores[place]! += P.sub * rarity * best + (best > 0.5 ? P.boost : 0)
    }
  }
}
