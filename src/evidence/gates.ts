import { cutsWord } from '../code/lexing/words.ts'
import { findInCode, type Occurrence } from '../code/occurrences.ts'
import type { ChunkQuery, Evidence, IndexedRecord, Span } from '../contracts.ts'
import { findImported } from '../corpus/imported-names.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import type { Condition } from '../corpus/reading.ts'
import { languageOf, namesOfGate, readField } from '../corpus/reading.ts'
import { bindingOf } from './bindings.ts'
import { reportPattern } from './source-patterns.ts'

/** What became of a record's gates and patterns on a chunk. */
export interface GateReport {
  /**
   * `weak`: fulfilled, but only by labels or keys, which name no API, or through a name of unknown meaning. `unchecked`:
   * the gates are fulfilled, and whether the pattern is cannot be told.
   */
  readonly outcome: 'open' | 'weak' | 'unchecked' | 'closed'
  readonly reason: string
  readonly evidence: readonly Evidence[]
  readonly missing: readonly string[]
}

/** What one fulfilled gate weighs: it alone decides, so it is more than any mention. */
const gateWeight = 3

/** Checks every gate and pattern of a record against the chunk's code. */
export function checkGates(query: ChunkQuery, entry: IndexedRecord, knowledge: CorpusKnowledge): GateReport {
  const { gates, patterns } = entry.reading
  const evidence: Evidence[] = []
  const places: Occurrence[] = []
  const missing: string[] = []
  let reason = ''
  let doubt = ''
  let labels = 0
  for (const gate of gates) {
    const found = findGate(query, entry, gate, knowledge)
    if (found.absence !== undefined) {
      missing.push(gate.text)
      if (reason === '') reason = found.absence
      continue
    }
    doubt ||= found.doubt
    const [best] = found.places
    if (best!.as === 'label') labels++
    places.push(...found.places)
    evidence.push(...gateEvidence(query, entry, gate, best!))
  }
  if (missing.length > 0) return { outcome: 'closed', reason, evidence: [], missing }
  let unchecked = ''
  for (const { field, text } of patterns) {
    const language = languageOf(entry.record)
    const report = reportPattern(query.reading, field, text, language, gates.length > 0 ? places : undefined)
    // A pattern alone that cannot be checked proves nothing.
    if (report.outcome === 'none' || (report.outcome === 'unchecked' && gates.length === 0))
      return { outcome: 'closed', reason: report.reason, evidence: [], missing: [text] }
    if (report.outcome === 'unchecked') unchecked = report.reason
    else if (gates.length === 0) evidence.push(patternEvidence(query, { field, text }, report.span))
  }
  if (unchecked !== '') return { outcome: 'unchecked', reason: unchecked, evidence, missing: [] }
  const named = gates.length > 0 ? gates.map(({ text }) => text).join(', ') : 'its pattern'
  if (doubt !== '') return { outcome: 'weak', reason: doubt, evidence, missing: [] }
  if (labels === gates.length && labels > 0 && patterns.length === 0) {
    return { outcome: 'weak', reason: `${named} occurs only as the label of an argument or key`, evidence, missing: [] }
  }
  return {
    outcome: 'open',
    reason: `the code has ${named}${patterns.length > 0 && gates.length > 0 ? ' in the required form' : ''}`,
    evidence,
    missing: [],
  }
}

/** Where a gate stands in the code, or why it does not. */
interface GatePlaces {
  /** Best first; not empty unless there is an absence. */
  readonly places: readonly Occurrence[]
  readonly absence?: string
  /** Why it may mean something else; empty where nothing speaks for that. */
  readonly doubt: string
}

/** Looks for the gate as it is written, then through the chunk's imports, then under the subject's other names. */
function findGate(query: ChunkQuery, entry: IndexedRecord, gate: Condition, knowledge: CorpusKnowledge): GatePlaces {
  const { reading } = query
  let absent: string | undefined
  for (const name of namesOfGate(entry.reading, gate)) {
    const root = rootOf.exec(name)?.[0]
    const binding = root === undefined ? undefined : bindingOf(root, reading, knowledge)
    const found = findInCode(reading, name)
    const written = found.filter(({ as }) => (binding === undefined ? as !== 'own' : binding !== 'differs'))
    if (written.length > 0) {
      const doubt = binding === 'unknown' ? `${name} stands in the code, but what ${root} is cannot be seen` : ''
      return { places: written, doubt }
    }
    const imported = findImported(reading, name, knowledge.aliases)
    if (imported.length > 0) return { places: imported, doubt: '' }
    absent ??= absence(query, name, root, found)
  }
  return { places: [], absence: absent ?? `${gate.text} does not occur`, doubt: '' }
}

/** The root of a dotted name. */
const rootOf = /^[\p{L}\p{Pc}][\p{L}\p{M}\p{N}\p{Pc}]*(?=\.|::|->)/u

/** Why a gate is closed, as far as the chunk shows it. */
function absence(query: ChunkQuery, text: string, root: string | undefined, found: readonly Occurrence[]): string {
  if (found.length > 0)
    return root === undefined
      ? `${text} is a name that the chunk binds itself`
      : `the chunk binds ${root} to something else`
  if (query.chunkText.includes(text))
    return `${text} is not a token of the code (part of a longer name, comment, string or node path)`
  return `${text} does not occur`
}

/** The gate's text in the chunk, and in the record where it is said most plainly. */
function gateEvidence(query: ChunkQuery, entry: IndexedRecord, gate: Condition, at: Occurrence): Evidence[] {
  const text = query.chunkText.slice(at.start, at.end)
  const { subject, aliases } = entry.reading
  const fields = [subject?.field, gate.field, ...aliases.map(({ field }) => field)]
  for (const field of fields) {
    const said = field === undefined ? undefined : readField(entry.record, field)
    // Written as it is there, or the last name of what is reached through an import.
    const start = said === undefined ? -1 : wholeIndexOf(said, text)
    if (field === undefined || start < 0) continue
    const record = { start, end: start + text.length }
    const chunk = { start: at.start, end: at.end }
    return [{ text, kind: kindOf(text, gate.text, at), weight: gateWeight, chunk, field, record }]
  }
  return []
}

function kindOf(text: string, gate: string, { as }: Occurrence): Evidence['kind'] {
  if (as === 'string') return 'string'
  if (text !== gate) return 'member'
  return text.startsWith('@') ? 'annotation' : text.includes('.') ? 'chain' : 'identifier'
}

/** Where `part` stands in `text` without being part of a longer name; -1 when it does not. */
function wholeIndexOf(text: string, part: string): number {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!cutsWord(text, { start: at, end: at + part.length })) return at
  }
  return -1
}

function patternEvidence(query: ChunkQuery, pattern: Condition, match: Span): Evidence {
  return {
    text: query.chunkText.slice(match.start, match.end),
    kind: 'pattern',
    weight: gateWeight,
    chunk: match,
    field: pattern.field,
    record: { start: 0, end: pattern.text.length },
  }
}
