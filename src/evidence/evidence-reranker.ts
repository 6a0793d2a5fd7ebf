import type { ChunkQuery, IndexedRecord, RerankDocument, Reranked, Reranker } from '../contracts.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import { OwnerVotes } from '../corpus/owner-votes.ts'
import { type Probe, probesOf } from '../corpus/probes.ts'
import type { Agreement } from '../corpus/receivers.ts'
import { Pace } from '../pace.ts'
import { contradictionsOf, numberedTypesOf } from './contradictions.ts'
import { Coverage } from './coverage.ts'
import { findEvidence, round, weigh } from './find.ts'
import { bestUse } from './subject-uses.ts'

/**
 * What each kind of evidence adds to the fused score, which is put on a scale from 0 to 1 first. Fitted by pairwise
 * logistic regression on the development queries of two corpora, cross-validated over projects, and rounded;
 * `bench/rerank.ts` prints what it brings.
 */
const weights = {
  /** How the receiver agrees with the owner of the name that the record is about. */
  agreement: { exact: 0.35, typed: 0.32, named: 0.25, hinted: 0.18, open: 0.09, conflict: 0 } satisfies Record<
    Agreement,
    number
  >,
  /** Share of the chunk's evidence that chains make up, in a record about one name. */
  chains: 0.3,
  /** The name that the record is about is not used. */
  unused: -0.2,
  /** The record is about a type as a whole. */
  lone: -0.06,
  /** Share of the distinctive literals that a page has. */
  distinctive: 0.1,
  /** The page speaks of `Vector3` where the chunk has `Vector2`. */
  contradicted: -0.25,
} as const

/**
 * Reranks by evidence, without a model: how the receiver of a name agrees with the record that is about it, how many of
 * the chunk's distinctive literals a page has, and whether it speaks of another dimension than the chunk.
 *
 * Scores are sums of weights, higher is better, comparable within one call. Deterministic; about 20 microseconds a
 * document.
 *
 * @example
 * ```ts
 * const strategy = rerank({ reranker: evidenceReranker() })
 * ```
 */
export function evidenceReranker(): Reranker {
  return {
    name: 'evidence',
    scores: 'evidence',
    async rerank(query, documents, { knowledge, signal }) {
      const pace = new Pace(signal)
      const scale = new Scale(query, documents, knowledge)
      const reranked: Reranked[] = []
      for (const [index, document] of documents.entries()) {
        reranked.push({ index, ...scale.weigh(document) })
        await pace.breathe()
      }
      return reranked
    },
  }
}

/** Weighs the evidence of one chunk's documents. */
class Scale {
  readonly #query: ChunkQuery
  readonly #knowledge: CorpusKnowledge
  readonly #probes: readonly Probe[]
  readonly #numbered: ReturnType<typeof numberedTypesOf>
  readonly #highest: number
  readonly #coverages = new Map<string, Coverage>()
  readonly #votes = new Map<string, OwnerVotes>()

  constructor(query: ChunkQuery, documents: readonly RerankDocument[], knowledge: CorpusKnowledge) {
    this.#query = query
    this.#knowledge = knowledge
    this.#probes = probesOf(query.reading, knowledge)
    this.#numbered = numberedTypesOf(query.reading, knowledge)
    this.#highest = documents.reduce((highest, { fusedScore }) => Math.max(highest, fusedScore), 0)
    for (const { entry } of documents) {
      const { collection } = entry
      if (this.#coverages.has(collection)) continue
      this.#coverages.set(collection, new Coverage(query, collection, this.#probes, knowledge))
      this.#votes.set(collection, new OwnerVotes(query.reading, knowledge.symbols.of(collection)))
    }
  }

  weigh({ entry, fusedScore }: RerankDocument): { score: number; reason: string } {
    const parts = entry.reading.subject === undefined ? this.#pageParts(entry) : this.#subjectParts(entry)
    const base = this.#highest > 0 ? fusedScore / this.#highest : 0
    const score = round(parts.reduce((sum, [, value]) => sum + value, base))
    const told = parts.filter(([, value]) => value !== 0).map(([name, value]) => `${signed(value)} ${name}`)
    return { score, reason: [`${round(base)} fused`, ...told].join(', ') }
  }

  #subjectParts(entry: IndexedRecord): Part[] {
    const { reading, collection } = entry
    const use = bestUse(this.#query.reading, reading, this.#votes.get(collection)!, this.#knowledge)
    const possible = this.#coverages.get(collection)!.possible
    const chains = weigh(this.#evidence(entry).filter(({ kind }) => kind === 'chain'))
    const subject = (use?.subject ?? reading.subject!).path.join('.')
    return [
      use === undefined
        ? [`${subject} is not used`, weights.unused]
        : [`receiver of ${subject}: ${use.agreement}`, weights.agreement[use.agreement]],
      ['chains in common', possible > 0 ? weights.chains * Math.min(1, chains / possible) : 0],
      ['about a type as a whole', reading.subject!.path.length === 1 ? weights.lone : 0],
    ]
  }

  #pageParts(entry: IndexedRecord): Part[] {
    const coverage = this.#coverages.get(entry.collection)!
    const lacking = coverage.missing(entry).length
    const having = coverage.size - lacking
    const against = contradictionsOf(this.#numbered, entry.reading.literals.ids)
    return [
      [
        `${having} of ${coverage.size} distinctive literals`,
        coverage.size > 0 ? (weights.distinctive * having) / coverage.size : 0,
      ],
      [`it speaks of ${against.join(', ')}`, against.length > 0 ? weights.contradicted : 0],
    ]
  }

  #evidence(entry: IndexedRecord): ReturnType<typeof findEvidence> {
    return findEvidence(this.#query, entry, this.#probes, this.#knowledge)
  }
}

/** What one finding adds to the score. */
type Part = readonly [name: string, value: number]

function signed(value: number): string {
  return `${value > 0 ? '+' : '−'}${Math.abs(round(value))}`
}
