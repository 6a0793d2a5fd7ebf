import { readDeclarations } from '../code/declarations.ts'
import { isKeyword } from '../code/keywords.ts'
import { linePrefix, stringPrefix } from '../code/literals.ts'
import { fold, longestWord, partsOf } from '../code/parts.ts'
import { isCodeLike, readProse, symbolPath } from '../code/prose.ts'
import { readCode } from '../code/reading.ts'
import type { Collection, EvidenceRole, FieldReading } from './collections.ts'
import type { CorpusRecord } from './records.ts'
import type { Vocabularies } from './vocabulary.ts'

/** Terms of one searched field: distinct ids ascending, how often each occurs, and the length of the field in terms. */
export interface FieldTerms {
  /** Index of the field in its collection. */
  readonly field: number
  readonly ids: Uint32Array
  readonly counts: Uint16Array
  readonly length: number
}

/** How firmly a record states a literal, weakest first. */
export const literalStrengths = ['prose', 'string', 'code', 'symbol', 'line', 'subject'] as const
export type LiteralStrength = (typeof literalStrengths)[number]

/**
 * The distinct evidence literals of a record, by ascending id, each at the place where it is stated most firmly.
 * Parallel arrays, because a corpus has millions of them.
 */
export interface RecordLiterals {
  readonly ids: Uint32Array
  /** Index into {@link literalStrengths}. */
  readonly strengths: Uint8Array
  /** Index into {@link RecordReading.paths}. */
  readonly paths: Uint32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

/** The API name that a record is about. */
export interface Subject {
  /** Its segments: `AnimatedSprite2D`, `play`. */
  readonly path: readonly string[]
  readonly field: string
  readonly start: number
  readonly end: number
}

/** A condition of a record on the chunk. */
export interface Condition {
  readonly text: string
  readonly field: string
}

/** How a record was read at index time; what validation needs is all here, so that no record is read twice. */
export interface RecordReading {
  readonly terms: readonly FieldTerms[]
  /** Field paths such as `title` and `code_blocks[0]`. */
  readonly paths: readonly string[]
  readonly literals: RecordLiterals
  readonly subject: Subject | undefined
  /** Every one must be in the chunk's code. */
  readonly gates: readonly Condition[]
  /** Every one must match the chunk's code. */
  readonly patterns: readonly Condition[]
  /** Types that the subject belongs to, where a field of their own names them. */
  readonly owners: readonly string[]
  /** What its code imports under which name: `tf` for `tensorflow`. */
  readonly imports: readonly (readonly [name: string, module: string])[]
  /** The record's old name is still legal: it proves nothing alone. */
  readonly weakName: boolean
}

/** One text of a record with the way it is to be read. */
export interface FieldText {
  readonly field: number
  readonly path: string
  readonly text: string
  readonly reads: FieldReading
  readonly evidence: EvidenceRole
  readonly weight: number
}

/** The texts of a record's known fields, in the order of the collection's definition. */
export function fieldTexts(record: CorpusRecord, collection: Collection): FieldText[] {
  const texts: FieldText[] = []
  for (let field = 0; field < collection.fields.length; field++) {
    const { name, reads, evidence, weight } = collection.fields[field]!
    const value = Object.hasOwn(record, name) ? record[name] : undefined
    if (typeof value === 'string') texts.push({ field, path: name, text: value, reads, evidence, weight })
    else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        const text: unknown = value[index]
        if (typeof text === 'string') texts.push({ field, path: `${name}[${index}]`, text, reads, evidence, weight })
      }
    }
  }
  return texts
}

/** The text at a field path of a record, as evidence cites it; undefined when there is none. */
export function readField(record: CorpusRecord, path: string): string | undefined {
  const match = /^(.*?)(?:\[(\d+)\])?$/s.exec(path)
  const name = match?.[1] ?? ''
  const value = Object.hasOwn(record, name) ? record[name] : undefined
  const index = match?.[2]
  const text: unknown = index === undefined ? value : Array.isArray(value) ? value[Number(index)] : undefined
  return typeof text === 'string' ? text : undefined
}

/** Reads one record: its terms for search and its literals for proof. Linear in its text. */
export function readRecord(record: CorpusRecord, collection: Collection, vocabularies: Vocabularies): RecordReading {
  const texts = fieldTexts(record, collection)
  const collector = new Collector(vocabularies)
  const gates: Condition[] = []
  const patterns: Condition[] = []
  const owners: string[] = []
  let subject: Subject | undefined
  for (const text of texts) {
    if (text.evidence === 'gate') gates.push({ text: text.text, field: text.path })
    if (text.evidence === 'owner') owners.push(...text.text.split(/[\s,;|]+/).filter(Boolean))
    if (text.evidence === 'pattern') patterns.push({ text: text.text, field: text.path })
    else collector.read(text)
    if (text.evidence === 'subject') subject ??= subjectOf(text, texts)
  }
  if (subject !== undefined)
    collector.literal(subject.path.join('.'), 'subject', subject.field, subject.start, subject.end)
  return { ...collector.finish(), subject, gates, patterns, owners, weakName: isWeakName(record, collection.weakNames) }
}

function isWeakName(record: CorpusRecord, prefix: string | undefined): boolean {
  if (prefix === undefined) return false
  for (const [name, value] of Object.entries(record)) if (value === true && name.startsWith(prefix)) return true
  return false
}

/** A title such as `Timer` is an API name when the record also lists it among its symbols; `Introduction` is not. */
function subjectOf(text: FieldText, texts: readonly FieldText[]): Subject | undefined {
  const path = symbolPath(text.text)
  if (path === undefined) return undefined
  const lone = path[0] ?? ''
  if (path.length === 1 && !isCodeLike(lone) && !/[(]/.test(text.text)) {
    const listed = texts.some((other) => other !== text && other.reads === 'symbol' && other.text === lone)
    if (!listed) return undefined
  }
  const start = text.text.indexOf(lone)
  const last = path.at(-1) ?? ''
  return {
    path,
    field: text.path,
    start,
    end: text.text.indexOf(last, start + path.slice(0, -1).join(' ').length) + last.length,
  }
}

interface Found {
  readonly strength: number
  readonly path: number
  readonly start: number
  readonly end: number
}

/** Code without these words imports nothing. */
const importing = /^[ \t]*(?:import|from|use|using)\b|\brequire\(/m

/** Gathers terms and literals of one record. */
class Collector {
  readonly #vocabularies: Vocabularies
  readonly #literals = new Map<number, Found>()
  readonly #paths: string[] = []
  readonly #pathIndexes = new Map<string, number>()
  readonly #imports = new Map<string, string>()
  readonly #fields = new Map<number, { counts: Map<number, number>; length: number }>()

  constructor(vocabularies: Vocabularies) {
    this.#vocabularies = vocabularies
  }

  read(text: FieldText): void {
    if (text.reads === 'code') this.#readCode(text)
    else this.#readWords(text)
  }

  literal(key: string, strength: LiteralStrength, field: string, start: number, end: number): void {
    const id = this.#vocabularies.literals.intern(key)
    const rank = literalStrengths.indexOf(strength)
    const known = this.#literals.get(id)
    if (known !== undefined && known.strength >= rank) return
    let path = this.#pathIndexes.get(field)
    if (path === undefined) {
      path = this.#paths.push(field) - 1
      this.#pathIndexes.set(field, path)
    }
    this.#literals.set(id, { strength: rank, path, start, end })
  }

  #readCode(text: FieldText): void {
    const bears = text.evidence === 'mention' || text.evidence === 'subject'
    const code = readCode(text.text, undefined)
    if (importing.test(text.text)) {
      for (const [name, path] of readDeclarations(code.tokens, code.partner, code.traits).imports)
        this.#imports.set(name, path.join('.'))
    }
    for (const token of code.tokens) {
      if (token.kind === 'comment' || token.kind === 'string') {
        for (const { path } of readProse(token.text)) for (const name of path) this.#term(name, text)
      }
    }
    for (const use of code.uses) {
      if (use.receiver === undefined && isKeyword(use.name)) continue
      this.#term(use.name, text)
      if (!bears || use.name.length > longestWord) continue
      this.literal(use.name, 'code', text.path, use.start, use.end)
      if (use.path.length > 1) this.literal(use.path.join('.'), 'code', text.path, use.pathStart, use.end)
    }
    if (!bears) return
    for (const line of code.lines) this.literal(linePrefix + line.key, 'line', text.path, line.start, line.end)
    for (const token of code.tokens) {
      if (token.kind !== 'string' || token.text.length < 5 || token.text.length > longestWord) continue
      const content = token.text.slice(1, -1)
      if (!content.includes('\n'))
        this.literal(stringPrefix + content, 'string', text.path, token.start + 1, token.end - 1)
    }
  }

  #readWords(text: FieldText): void {
    const bears = text.evidence === 'mention' || text.evidence === 'subject'
    const symbol = text.reads === 'symbol'
    const whole = symbol && symbolPath(text.text) !== undefined
    for (const { path, start, end, codeLike } of readProse(text.text)) {
      for (const name of path) this.#term(name, text)
      if (!bears || !(codeLike || whole || /^\p{Lu}/u.test(path[0] ?? ''))) continue
      const strength = whole ? 'symbol' : 'prose'
      if (path.length > 1) this.literal(path.join('.'), strength, text.path, start, end)
      let at = start
      for (const name of path) {
        at = text.text.indexOf(name, at)
        if (!isKeyword(name)) this.literal(name, strength, text.path, at, at + name.length)
        at += name.length
      }
    }
  }

  #term(word: string, text: FieldText): void {
    if (text.weight === 0 || word.length > longestWord) return
    let field = this.#fields.get(text.field)
    if (field === undefined) this.#fields.set(text.field, (field = { counts: new Map(), length: 0 }))
    const { counts } = field
    const { terms } = this.#vocabularies
    const whole = terms.intern(fold(word))
    counts.set(whole, (counts.get(whole) ?? 0) + 1)
    field.length++
    for (const part of partsOf(word)) {
      const id = terms.intern(part)
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }

  finish(): Pick<RecordReading, 'terms' | 'paths' | 'literals' | 'imports'> {
    const terms: FieldTerms[] = []
    for (const [field, { counts, length }] of [...this.#fields].sort(([a], [b]) => a - b)) {
      const ids = Uint32Array.from(counts.keys()).sort()
      terms.push({ field, ids, counts: Uint16Array.from(ids, (id) => Math.min(counts.get(id) ?? 0, 65_535)), length })
    }
    const found = [...this.#literals].sort(([a], [b]) => a - b)
    return {
      terms,
      imports: [...this.#imports],
      paths: this.#paths,
      literals: {
        ids: Uint32Array.from(found, ([id]) => id),
        strengths: Uint8Array.from(found, ([, literal]) => literal.strength),
        paths: Uint32Array.from(found, ([, literal]) => literal.path),
        starts: Uint32Array.from(found, ([, literal]) => literal.start),
        ends: Uint32Array.from(found, ([, literal]) => literal.end),
      },
    }
  }
}
