import type { ChunkQuery, Evidence, IndexedRecord, Validator, Verdict } from '../contracts.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import { OwnerVotes } from '../corpus/owner-votes.ts'
import { type Probe, probesOf } from '../corpus/probes.ts'
import { type Agreement, isTypeName, stronger } from '../corpus/receivers.ts'
import { indexOfSorted } from '../corpus/sorted.ts'
import { Pace } from '../pace.ts'
import { contradictionsOf, numberedTypesOf } from './contradictions.ts'
import { findEvidence, weigh } from './find.ts'
import { checkGates } from './gates.ts'
import { namedEvidence, namedMissing, thresholds } from './thresholds.ts'

/**
 * Decides by what stands in both texts, without a model: whether the record's gate and pattern are fulfilled, whether
 * the name it is about is used on the right receiver, or whether enough rare literals are shared.
 *
 * Deterministic; about 20 microseconds a candidate, since records were read when they were indexed.
 */
export function literalValidator(): Validator {
  return {
    name: 'literal',
    async validate(query, candidates, { knowledge, signal }) {
      const pace = new Pace(signal)
      const judge = new Judge(query, knowledge)
      const verdicts: Verdict[] = []
      for (const candidate of candidates) {
        verdicts.push(judge.judge(candidate))
        await pace.breathe()
      }
      return candidates.map((candidate, index) => judge.corroborate(candidate, verdicts[index]!))
    },
  }
}

const stillLegal = 'the name is still legal and proves nothing alone'

class Judge {
  readonly #query: ChunkQuery
  readonly #knowledge: CorpusKnowledge
  readonly #probes: readonly Probe[]
  readonly #numbered: ReturnType<typeof numberedTypesOf>
  readonly #votes = new Map<string, OwnerVotes>()
  readonly #distinctive = new Map<string, readonly Distinctive[]>()
  /** By collection: a gate that is fulfilled beyond doubt. */
  readonly #firm = new Map<string, string>()
  /** Records whose gates are fulfilled by what proves nothing alone. */
  readonly #weak = new Set<IndexedRecord>()

  constructor(query: ChunkQuery, knowledge: CorpusKnowledge) {
    this.#query = query
    this.#knowledge = knowledge
    this.#probes = probesOf(query.reading, knowledge)
    this.#numbered = numberedTypesOf(query.reading, knowledge)
  }

  judge(entry: IndexedRecord): Verdict {
    const { gates, patterns, subject } = entry.reading
    if (gates.length > 0 || patterns.length > 0) return this.#judgeGated(entry)
    return subject === undefined ? this.#judgeMentions(entry) : this.#judgeSubject(entry)
  }

  /** A mapping or prototype: its conditions decide; everything else it shares is shown with them. */
  #judgeGated(entry: IndexedRecord): Verdict {
    const report = checkGates(this.#query, entry, this.#knowledge)
    if (report.outcome === 'closed') return verdict('reject', report.reason, [], report.missing)
    const others = this.#evidence(entry).filter((each) => !report.evidence.some((gate) => gate.text === each.text))
    const evidence = [...report.evidence, ...others]
    if (report.evidence.length === 0)
      return verdict('uncertain', `${report.reason}, but not letter by letter`, evidence, [])
    const weak =
      report.outcome === 'weak'
        ? report.reason
        : entry.reading.weakName && !this.#isOnOwner(entry)
          ? stillLegal
          : undefined
    if (weak !== undefined) {
      // Old names vouch for each other; labels do not.
      if (this.#knowledge.collections.get(entry.collection)?.weakNames !== undefined) this.#weak.add(entry)
      return verdict('uncertain', weak === stillLegal ? `${report.reason}; ${stillLegal}` : weak, evidence, [])
    }
    this.#firm.set(entry.collection, report.evidence[0]!.text)
    return verdict('accept', report.reason, evidence, [])
  }

  /** Whether a name of the subject is used on the type that the record says it belongs to. */
  #isOnOwner({ reading: { owners, subject } }: IndexedRecord): boolean {
    const uses = this.#query.reading.names.get(subject?.path.at(-1) ?? '')?.uses ?? []
    return uses.some(({ receiver }) => receiver.type.length > 0 && owners.includes(receiver.type.at(-1)!))
  }

  /**
   * A name that proves nothing alone is accepted beside one that is certain: code that uses one old name for sure is old
   * code. Needs every candidate to have been judged.
   */
  corroborate(entry: IndexedRecord, given: Verdict): Verdict {
    const firm = this.#firm.get(entry.collection)
    if (firm === undefined || !this.#weak.has(entry)) return given
    return { ...given, outcome: 'accept', reason: `${given.reason}; ${firm}, which is certain, stands beside it` }
  }

  /** A record about one API name: the name must be used, and on a receiver that agrees with its owner. */
  #judgeSubject(entry: IndexedRecord): Verdict {
    const subject = entry.reading.subject!
    const evidence = this.#evidence(entry)
    const name = subject.path.at(-1)!
    const written = subject.path.join('.')
    const used = this.#query.reading.names.get(name)
    if (used === undefined || used.own) {
      const why =
        used === undefined ? `${name} is not used in the code` : `${name} is a name that the chunk binds itself`
      return this.#judgeBeside(evidence, why, written)
    }
    const symbols = this.#knowledge.symbols.of(entry.collection)
    const votes = this.#votesOf(entry.collection)
    let best: Agreement = 'conflict'
    let receiver = ''
    let at = used.span
    for (const use of used.uses) {
      const agreement = votes.agreementOf(use, subject)
      if (stronger(agreement, best) || receiver === '') {
        best = stronger(agreement, best) ? agreement : best
        receiver = use.receiver.type.join('.') || use.receiver.hint
        at = { start: use.use.start, end: use.use.end }
      }
    }
    const owner = subject.path.slice(0, -1).join('.')
    const own: Evidence = {
      text: name,
      kind: used.role === 'call' ? 'call' : used.role === 'type' ? 'type' : 'member',
      weight: 2,
      chunk: at,
      field: subject.field,
      record: { start: subject.end - name.length, end: subject.end },
    }
    const all = [own, ...evidence.filter((each) => each.text !== name || each.field !== subject.field)]
    switch (best) {
      case 'exact':
        return verdict('accept', `the code uses ${written}`, all, [])
      case 'typed':
        return verdict('accept', `the code uses ${name} on a ${owner}`, all, [])
      case 'named':
        return verdict(
          'accept',
          `the code uses ${name} and names ${owner}, the only owner of that name it names`,
          all,
          [],
        )
      case 'hinted':
        return verdict('uncertain', `the code uses ${name}; its receiver may be a ${owner}`, all, [owner])
      case 'open': {
        const unique = symbols.count(name) === 1 && isTypeName(subject.path.at(-2) ?? '')
        if (unique) return verdict('accept', `the code uses ${name}, which only ${owner} has`, all, [])
        return verdict('uncertain', `the code uses ${name} on a receiver of unknown type`, all, [owner])
      }
      case 'conflict':
        return verdict(
          'reject',
          `the code uses ${name} on ${receiver || 'another receiver'}, not on ${owner}`,
          evidence,
          [written],
        )
    }
  }

  /** A record about a name that the chunk does not use may still share its code. */
  #judgeBeside(evidence: readonly Evidence[], why: string, written: string): Verdict {
    const strong = evidence.filter(({ kind }) => kind === 'line' || kind === 'chain')
    const weight = weigh(strong)
    if (weight >= thresholds.accept) return verdict('accept', `${why}, but ${summary(strong)}`, evidence, [written])
    if (weight >= thresholds.uncertain)
      return verdict('uncertain', `${why}, but ${summary(strong)}`, evidence, [written])
    return verdict('reject', why, evidence, [written])
  }

  /**
   * A page or section: enough rare literals of the chunk must stand in it. One that speaks of `Vector3` where the chunk
   * has `Vector2` is judged a step lower.
   */
  #judgeMentions(entry: IndexedRecord): Verdict {
    const evidence = this.#evidence(entry)
    const missing = this.#missing(entry)
    if (evidence.length === 0) return verdict('reject', 'no literal of the code stands in the record', [], missing)
    const against = contradictionsOf(this.#numbered, entry.reading.literals.ids)
    const but = against.length > 0 ? `, but speaks of ${against.join(', ')}` : ''
    const reason = `${summary(evidence)}${but}`
    const weight = weigh(evidence)
    if (weight >= thresholds.accept) return verdict(but === '' ? 'accept' : 'uncertain', reason, evidence, missing)
    const undecided = weight >= thresholds.uncertain || evidence.some(isTelling)
    return undecided && but === ''
      ? verdict('uncertain', reason, evidence, missing)
      : verdict('reject', `too little: ${reason}`, evidence, missing)
  }

  #evidence(entry: IndexedRecord): Evidence[] {
    return findEvidence(this.#query, entry, this.#probes, this.#knowledge)
  }

  #votesOf(collection: string): OwnerVotes {
    let votes = this.#votes.get(collection)
    if (votes === undefined) {
      votes = new OwnerVotes(this.#query.reading, this.#knowledge.symbols.of(collection))
      this.#votes.set(collection, votes)
    }
    return votes
  }

  /** The rarest calls, chains and types of the chunk that other records of the collection have and this one lacks. */
  #missing(entry: IndexedRecord): string[] {
    const { ids } = entry.reading.literals
    const texts = this.#distinctiveOf(entry.collection)
      .filter(({ id }) => indexOfSorted(ids, id) < 0)
      .map(({ text }) => text)
    // `Input.is_action_pressed` says that `is_action_pressed` is missing too.
    const inChains = new Set(
      texts.filter((text) => text.includes('.')).map((text) => text.slice(text.lastIndexOf('.') + 1)),
    )
    return [...new Set(texts)].filter((text) => !inChains.has(text)).slice(0, namedMissing)
  }

  /** The calls, chains and types of the chunk that some record of the collection states, rarest first. */
  #distinctiveOf(collection: string): readonly Distinctive[] {
    let distinctive = this.#distinctive.get(collection)
    if (distinctive === undefined) {
      const { statistics } = this.#knowledge
      distinctive = this.#probes
        .filter(({ literal }) => literal.weight >= 0.8 && literal.kind !== 'line')
        .map(({ id, literal }) => ({ id, literal, having: statistics.having(collection, id) }))
        .filter(({ having }) => having > 0)
        .sort((a, b) => a.having - b.having || (a.literal.key < b.literal.key ? -1 : 1))
        .map(({ id, literal: { span } }) => ({ id, text: this.#query.chunkText.slice(span.start, span.end) }))
      this.#distinctive.set(collection, distinctive)
    }
    return distinctive
  }
}

/** A literal that a record is the poorer for lacking. */
interface Distinctive {
  readonly id: number
  readonly text: string
}

/** A whole line or a chain on a name of the API: not to be dismissed, however common it is in a narrow corpus. */
function isTelling({ kind, weight }: Evidence): boolean {
  return (kind === 'line' || kind === 'chain') && weight >= thresholds.telling
}

function verdict(
  outcome: Verdict['outcome'],
  reason: string,
  evidence: readonly Evidence[],
  missing: readonly string[],
): Verdict {
  return {
    outcome,
    by: 'literal',
    reason,
    evidence: evidence.filter(({ weight }) => weight > 0).slice(0, namedEvidence),
    missing,
  }
}

/** Literals shown in a reason. */
const shown = 4

function summary(evidence: readonly Evidence[]): string {
  const texts = [...new Set(evidence.filter(({ weight }) => weight > 0).map(({ text }) => text))]
  const rest = texts.length - shown
  return `shares ${texts.slice(0, shown).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
