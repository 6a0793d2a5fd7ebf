import type { ChunkName, ChunkReading, NameUse } from '../code/chunk.ts'
import { findInCode, lastTokenOf } from '../code/occurrences.ts'
import type { ChunkQuery, IndexedRecord } from '../contracts.ts'
import { findImported } from '../corpus/imported-names.ts'
import type { CorpusKnowledge, ImportAliases } from '../corpus/knowledge.ts'
import { OwnerVotes } from '../corpus/owner-votes.ts'
import type { Probe } from '../corpus/probes.ts'
import { rarityOf } from '../corpus/rarity.ts'
import { literalStrengths, namesOfGate, type Subject, subjectsOf } from '../corpus/reading.ts'
import { type Agreement, isTypeName, resemblance } from '../corpus/receivers.ts'
import type { CorpusRecord } from '../corpus/records.ts'
import { indexOfSorted } from '../corpus/sorted.ts'
import type { CollectionSymbols } from '../corpus/symbol-table.ts'
import { buildPostings, type EmitRows, type Postings } from './postings.ts'
import { type Scored, topOf } from './top.ts'

/** How much a literal counts by where the record states it, in the order of {@link literalStrengths}. */
const strengthShares: readonly number[] = literalStrengths.map(
  (strength) => ({ prose: 0.7, string: 0.5, code: 0.8, symbol: 1, line: 1, subject: 1 })[strength],
)

/** How much a name counts for a record that is about a name like it, by how their receivers agree. */
const agreementShares: Readonly<Record<Agreement, number>> = {
  exact: 1,
  typed: 0.95,
  named: 0.7,
  hinted: 0.6,
  open: 0.3,
  conflict: 0,
}

/**
 * A record that is about a name counts this many times a record that mentions it, times a rarity that is damped: how the
 * receivers agree says more than how many types have the name.
 */
const subjectWeight = 10

/** A fulfilled gate counts this many times the rarest mention. */
const gateWeight = 4

/** What a record with a subject mentions beside it counts this share: it is about the subject. */
const besideSubject = 0.1

/** What a receiver's name that resembles the owner adds to `hinted`, at most. */
const resemblanceShare = 0.2

/** A record about a type as a whole counts this share of one about a member: chunks use members, and name types on the way. */
const loneShare = 0.5

/** A record about a name that the chunk binds: a callback it overrides, perhaps. */
const ownShare = 0.2

/** A gate that stands only as the label of an argument or key counts this share. */
const labelShare = 0.7

/** The evidence literals of one collection, inverted. */
export class LiteralIndex {
  readonly records: readonly IndexedRecord[]
  readonly #postings: Postings
  readonly #places: ReadonlyMap<string, number>
  readonly #symbols: CollectionSymbols
  readonly #aliases: ImportAliases
  /** Records by the last token of their first gate: it stands in the chunk under whatever name the rest was imported. */
  readonly #gated = new Map<string, number[]>()
  readonly #scores: Float64Array

  private constructor(
    records: readonly IndexedRecord[],
    postings: Postings,
    symbols: CollectionSymbols,
    aliases: ImportAliases,
  ) {
    this.records = records
    this.#postings = postings
    this.#symbols = symbols
    this.#aliases = aliases
    this.#places = new Map(records.map(({ id }, place) => [id, place]))
    this.#scores = new Float64Array(records.length)
    for (let place = 0; place < records.length; place++) {
      const { reading } = records[place]!
      const [gate] = reading.gates
      if (gate === undefined) continue
      for (const token of new Set(namesOfGate(reading, gate).map(lastTokenOf))) {
        if (token === undefined) continue
        const known = this.#gated.get(token)
        if (known === undefined) this.#gated.set(token, [place])
        else known.push(place)
      }
    }
  }

  /** Builds in time linear in the literals of the records. */
  static async build(
    collection: string,
    records: readonly IndexedRecord[],
    knowledge: CorpusKnowledge,
    signal?: AbortSignal,
  ): Promise<LiteralIndex> {
    const { literals } = knowledge.vocabularies
    const rowsOf: EmitRows = (place, emit) => {
      const { literals: stated, subject } = records[place]!.reading
      // What the record is about is looked up by receiver, not by name alone.
      const name = subject === undefined ? undefined : literals.find(subject.path.at(-1)!)
      const chain = subject === undefined ? undefined : literals.find(subject.path.join('.'))
      for (let index = 0; index < stated.ids.length; index++) {
        const id = stated.ids[index]!
        if (id === name || id === chain) continue
        emit(id, strengthShares[stated.strengths[index]!]! * (subject === undefined ? 1 : besideSubject))
      }
    }
    const postings = await buildPostings(literals.size, records.length, rowsOf, signal)
    return new LiteralIndex(records, postings, knowledge.symbols.of(collection), knowledge.aliases)
  }

  search(
    chunk: ChunkReading,
    probes: readonly Probe[],
    limit: number,
    filter: ((record: CorpusRecord) => boolean) | undefined,
  ): Scored[] {
    const scores = this.#scores.fill(0)
    const { offsets, places, values } = this.#postings
    for (const { id, literal } of probes) {
      const { weight } = literal
      if (weight === 0 || id + 1 >= offsets.length) continue
      const from = offsets[id]!
      const to = offsets[id + 1]!
      const rarity = rarityOf(to - from, this.records.length) * weight
      for (let at = from; at < to; at++) scores[places[at]!]! += rarity * values[at]!
    }
    const votes = new OwnerVotes(chunk, this.#symbols)
    for (const name of chunk.names.values()) this.#scoreSubjects(name, votes, scores)
    const fulfilled = this.#scoreGates(chunk, scores)
    const keeps = (place: number): boolean => filter === undefined || filter(this.records[place]!.record)
    const top = topOf(scores, limit, keeps)
    // Evidence does not depend on depth: a record whose gate is fulfilled comes along beyond the limit.
    const found = new Set(top.map(({ place }) => place))
    const beyond = fulfilled
      .filter((place) => !found.has(place) && keeps(place))
      .map((place) => ({ place, score: scores[place]! }))
    return [...top, ...beyond.sort((a, b) => b.score - a.score || a.place - b.place)]
  }

  /** The chunk's literals that a record states, strongest first. */
  explain(query: ChunkQuery, probes: readonly Probe[], place: number): string[] {
    const { literals, subject } = this.records[place]!.reading
    const shared = probes.filter(({ id, literal }) => literal.weight > 0 && indexOfSorted(literals.ids, id) >= 0)
    const texts = shared
      .sort(({ literal: a }, { literal: b }) => b.weight - a.weight || (a.key < b.key ? -1 : 1))
      .map(({ literal: { span } }) => query.chunkText.slice(span.start, span.end))
    const name = subject?.path.at(-1)
    return [...new Set(name !== undefined && query.reading.names.has(name) ? [name, ...texts] : texts)]
  }

  /** Scores records by their gates, so that fulfilled ones lead; gives the places of those. */
  #scoreGates(chunk: ChunkReading, scores: Float64Array): number[] {
    const fulfilled: number[] = []
    const places = new Set([...chunk.places.keys()].flatMap((text) => this.#gated.get(text) ?? []))
    for (const place of places) {
      const { reading } = this.records[place]!
      const { gates } = reading
      let share = 0
      for (const gate of gates) share += this.#shareOfGate(chunk, namesOfGate(reading, gate))
      scores[place]! += (gateWeight * share * Math.log(1 + this.records.length)) / gates.length
      if (share >= gates.length * labelShare) fulfilled.push(place)
    }
    return fulfilled
  }

  #shareOfGate(chunk: ChunkReading, names: readonly string[]): number {
    let share = 0
    for (const name of names) {
      const best = findInCode(chunk, name, 1)[0] ?? findImported(chunk, name, this.#aliases)[0]
      if (best !== undefined)
        share = Math.max(share, best.as === 'own' ? ownShare : best.as === 'label' ? labelShare : 1)
    }
    return share
  }

  #scoreSubjects(name: ChunkName, votes: OwnerVotes, scores: Float64Array): void {
    const count = this.#symbols.count(name.name)
    if (count === 0) return
    const rarity = Math.sqrt(rarityOf(count, this.records.length) * Math.log(1 + this.records.length))
    for (const entry of this.#symbols.named(name.name)) {
      const place = this.#places.get(entry.id)
      if (place === undefined) continue
      let best = 0
      for (const subject of subjectsOf(entry.reading, name.name)) {
        const share = subject.path.length === 1 ? loneShare : 1
        for (const use of name.uses) best = Math.max(best, share * this.#shareOf(use, subject, votes, count))
      }
      if (name.own) best *= ownShare
      scores[place]! += subjectWeight * rarity * best
    }
  }

  #shareOf(use: NameUse, subject: Subject, votes: OwnerVotes, count: number): number {
    const owner = subject.path.at(-2) ?? ''
    const agreement = votes.agreementOf(use, subject)
    if (agreement === 'hinted') return agreementShares.hinted + resemblanceShare * resemblance(use.receiver.hint, owner)
    // A name that few types have is likely theirs, whatever the receiver.
    if (agreement === 'open' && isTypeName(owner)) return Math.max(agreementShares.open, 1 / count)
    return agreementShares[agreement]
  }
}
