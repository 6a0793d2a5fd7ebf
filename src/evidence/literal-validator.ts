import type { ChunkQuery, Evidence, IndexedRecord, Validator, Verdict } from '../contracts.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import { OwnerVotes } from '../corpus/owner-votes.ts'
import { type Probe, probesOf } from '../corpus/probes.ts'
import { isTypeName } from '../corpus/receivers.ts'
import { Pace } from '../pace.ts'
import { contradictionsOf, numberedTypesOf } from './contradictions.ts'
import { Coverage } from './coverage.ts'
import { findEvidence, weigh } from './find.ts'
import { checkGates } from './gates.ts'
import { hasName, type OwnershipReport, otherOwners, ownershipOf } from './owners.ts'
import { bestUse, subjectEvidence } from './subject-uses.ts'
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
  readonly #coverages = new Map<string, Coverage>()
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
    const owner = ownershipOf(this.#query.reading, entry, this.#knowledge)
    const reason = `${report.reason}${this.#onOwner(owner)}`
    if (owner?.ownership === 'differs') return verdict('reject', reason, others, report.missing)
    // Before all that could still make it an accept.
    if (report.outcome === 'unchecked') return verdict('uncertain', reason, evidence, [])
    const weak =
      report.outcome === 'weak' ? report.reason : this.#provesLittle(entry, owner) ? `${reason}; ${stillLegal}` : ''
    if (weak !== '') {
      // Old names vouch for each other; labels do not.
      if (this.#knowledge.collections.get(entry.collection)?.weakNames !== undefined) this.#weak.add(entry)
      return verdict('uncertain', weak, evidence, [])
    }
    if (owner?.ownership === 'apart') return verdict('uncertain', reason, evidence, [])
    if (owner?.ownership === 'unknown' && entry.reading.weakName === undefined) {
      const others = otherOwners(entry.reading.subject!.path.at(-1)!, owner.owners, this.#knowledge)
      if (others.length > 0) return verdict('uncertain', `${reason}; ${others[0]} has that name too`, evidence, [])
    }
    this.#firm.set(entry.collection, report.evidence[0]!.text)
    return verdict('accept', reason, evidence, [])
  }

  /** How the name is used, for a record that says to which type it belongs. */
  #onOwner(report: OwnershipReport | undefined): string {
    if (report === undefined) return ''
    const owners = report.owners.join(' or ')
    switch (report.ownership) {
      case 'agrees':
        return `, of ${report.type === '' ? owners : report.type}`
      case 'differs':
        return `, but of ${report.type}, not of ${owners}`
      case 'apart':
        return `, but of ${report.type}, which is not known to be ${owners}`
      case 'unknown':
        return `, of a type that is not shown`
    }
  }

  /**
   * Whether the record's old name is still legal and is not used on its own type; or is, and the corpus knows that type
   * to have the name still.
   */
  #provesLittle({ reading }: IndexedRecord, report: OwnershipReport | undefined): boolean {
    if (reading.weakName !== true) return false
    if (report?.ownership !== 'agrees') return true
    const name = reading.subject!.path.at(-1)!
    return [report.type, ...report.owners].some((type) => hasName(type, name, this.#knowledge))
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
    const { reading } = entry
    const evidence = this.#evidence(entry)
    const symbols = this.#knowledge.symbols.of(entry.collection)
    const use = bestUse(this.#query.reading, reading, this.#votesOf(entry.collection), this.#knowledge)
    const subject = use?.subject ?? reading.subject!
    const written = subject.path.join('.')
    const name = subject.path.at(-1)!
    if (use === undefined) {
      const own = this.#query.reading.names.has(name)
      const why = own ? `${name} is a name that the chunk binds itself` : `${name} is not used in the code`
      return this.#judgeBeside(evidence, why, written)
    }
    const owner = subject.path.slice(0, -1).join('.')
    const own = subjectEvidence(use)
    const all = [own, ...evidence.filter((each) => each.text !== name || each.field !== subject.field)]
    const accept = (reason: string): Verdict => verdict('accept', reason, all, [])
    switch (use.agreement) {
      case 'exact':
        return accept(`the code uses ${written}`)
      case 'typed':
        return accept(`the code uses ${name} on a ${owner}`)
      case 'named':
        return accept(`the code uses ${name} and names ${owner}, the only owner of that name it names`)
      case 'hinted':
        return verdict('uncertain', `the code uses ${name}; its receiver may be a ${owner}`, all, [owner])
      case 'open':
        if (symbols.count(name) === 1 && isTypeName(subject.path.at(-2) ?? ''))
          return accept(`the code uses ${name}, which only ${owner} has`)
        return verdict('uncertain', `the code uses ${name} on a receiver of unknown type`, all, [owner])
      case 'conflict':
        return verdict(
          'reject',
          `the code uses ${name} on ${use.receiver || 'another receiver'}, not on ${owner}`,
          evidence,
          [written],
        )
    }
  }

  /** A record about a name that the chunk does not use may still share its code. */
  #judgeBeside(evidence: readonly Evidence[], why: string, written: string): Verdict {
    const strong = evidence.filter(({ kind }) => kind === 'line' || kind === 'chain')
    const weight = weigh(strong)
    if (weight >= thresholds.beside)
      return verdict('accept', `${why}, but shares ${summary(strong)}`, evidence, [written])
    if (weight >= thresholds.uncertain)
      return verdict('uncertain', `${why}, but shares ${summary(strong)}`, evidence, [written])
    return verdict('reject', why, evidence, [written])
  }

  /**
   * A page or section: it must cover enough of what the chunk has to share, or have whole lines of it, or list a name of
   * it that few others list. One that speaks of `Vector3` where the chunk has `Vector2` is judged a step lower.
   */
  #judgeMentions(entry: IndexedRecord): Verdict {
    const coverage = this.#coverageOf(entry.collection)
    const evidence = this.#evidence(entry)
    const lacking = coverage.missing(entry)
    const missing = lacking.slice(0, namedMissing)
    if (evidence.length === 0) return verdict('reject', 'no literal of the code stands in the record', [], missing)
    const against = contradictionsOf(this.#numbered, entry.reading.literals.ids)
    const weight = weigh(evidence)
    const enough =
      (weight >= thresholds.accept && weight >= thresholds.covered * coverage.possible) ||
      weigh(evidence.filter(({ kind }) => kind === 'line')) >= thresholds.lines
    const symbol = enough ? undefined : coverage.tellingSymbol(entry)
    const reason = [
      `shares ${shareOf(coverage.size, lacking.length)}${summary(evidence)}`,
      ...(symbol === undefined ? [] : [`few other records list ${symbol}`]),
      ...(missing.length === 0 ? [] : [`missing: ${missing.slice(0, shown).join(', ')}`]),
      ...(against.length === 0 ? [] : [`but it speaks of ${against.join(', ')}`]),
    ].join('; ')
    if (enough || symbol !== undefined)
      return verdict(against.length === 0 ? 'accept' : 'uncertain', reason, evidence, missing)
    const undecided = weight >= thresholds.uncertain || evidence.some(isTelling)
    return undecided && against.length === 0
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

  #coverageOf(collection: string): Coverage {
    let coverage = this.#coverages.get(collection)
    if (coverage === undefined) {
      coverage = new Coverage(this.#query, collection, this.#probes, this.#knowledge)
      this.#coverages.set(collection, coverage)
    }
    return coverage
  }
}

/** `3 of 8 distinctive literals: `, where there are any. */
function shareOf(distinctive: number, missing: number): string {
  return distinctive === 0 ? '' : `${Math.max(0, distinctive - missing)} of ${distinctive} distinctive literals: `
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
  return `${texts.slice(0, shown).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
