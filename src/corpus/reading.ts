import { readDeclarations } from '../code/declarations.ts'
import { isKeyword } from '../code/keywords.ts'
import { linePrefix, stringPrefix } from '../code/literals.ts'
import { fold, longestWord, partsOf } from '../code/parts.ts'
import { isCodeLike, readProse, symbolPath } from '../code/prose.ts'
import { readCode } from '../code/reading.ts'
import type { Collection, EvidenceRole, FieldReading } from './collections.ts'
import { isObject } from './record-shape.ts'
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
  /** Other names of the subject. */
  readonly aliases: readonly Subject[]
  /** Every one must be in the chunk's code. */
  readonly gates: readonly Condition[]
  /** Every one must match the chunk's code. */
  readonly patterns: readonly Condition[]
  /** Types that the subject belongs to, where a field of their own names them. */
  readonly owners: readonly string[]
  /** What its code imports under which name: `tf` for `tensorflow`. */
  readonly imports: readonly (readonly [name: string, module: string])[]
  /** Whether the record's old name is still legal and proves nothing alone; undefined where the record does not say. */
  readonly weakName: boolean | undefined
  /** The document that the record is a part of; a record with a subject stands alone. */
  readonly document: string | undefined
}

/** The subject and its other names, as far as they end in this name. */
export function subjectsOf({ subject, aliases }: RecordReading, name: string): readonly Subject[] {
  if (subject === undefined) return []
  const all = aliases.length === 0 ? [subject] : [subject, ...aliases]
  return all.filter(({ path }) => path.at(-1) === name)
}

/** The names that fulfil a gate: its own text and, for a gate that is the subject, the subject's other names. */
export function namesOfGate({ subject, aliases }: RecordReading, { text }: Condition): readonly string[] {
  if (aliases.length === 0 || text !== subject?.path.join('.')) return [text]
  return [text, ...aliases.map(({ path }) => path.join('.'))]
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
    const take = (each: unknown, path: string): void => {
      const text = typeof each === 'string' ? each : evidence === 'pattern' ? ruleText(each) : undefined
      if (text !== undefined) texts.push({ field, path, text, reads, evidence, weight })
    }
    if (Array.isArray(value)) for (let index = 0; index < value.length; index++) take(value[index], `${name}[${index}]`)
    else take(value, name)
  }
  return texts
}

/** The JSON text of a rule object; undefined for what is no object. */
function ruleText(value: unknown): string | undefined {
  if (!isObject(value)) return undefined
  try {
    return JSON.stringify(value)
  } catch {
    // Circular or bottomless: a rule that says nothing, and is reported as such.
    return '{}'
  }
}

/** The language that a record says it is for. */
export function languageOf(record: CorpusRecord): string | undefined {
  const language = Object.hasOwn(record, 'language') ? record.language : undefined
  return typeof language === 'string' && language.trim() !== '' ? language : undefined
}

/**
 * The text at a field path of a record, as evidence cites it: of a rule object its JSON text; undefined when there is
 * none.
 */
export function readField(record: CorpusRecord, path: string): string | undefined {
  const match = /^(.*?)(?:\[(\d+)\])?$/s.exec(path)
  const name = match?.[1] ?? ''
  const value = Object.hasOwn(record, name) ? record[name] : undefined
  const index = match?.[2]
  const text: unknown = index === undefined ? value : Array.isArray(value) ? value[Number(index)] : undefined
  return typeof text === 'string' ? text : ruleText(text)
}

/** Reads one record: its terms for search and its literals for proof. Linear in its text. */
export function readRecord(record: CorpusRecord, collection: Collection, vocabularies: Vocabularies): RecordReading {
  const texts = fieldTexts(record, collection)
  const collector = new Collector(vocabularies)
  const gates: Condition[] = []
  const patterns: Condition[] = []
  const owners: string[] = []
  const aliases: Subject[] = []
  let subject: Subject | undefined
  for (const text of texts) {
    if (text.evidence === 'gate') gates.push({ text: text.text, field: text.path })
    if (text.evidence === 'owner') owners.push(...text.text.split(/[\s,;|]+/).filter(Boolean))
    if (text.evidence === 'pattern') patterns.push({ text: text.text, field: text.path })
    else collector.read(text)
    if (text.evidence === 'subject') subject ??= subjectOf(text, texts)
    if (text.evidence === 'alias') aliases.push(...namedIn(text))
  }
  for (const named of subject === undefined ? [] : [subject, ...aliases])
    collector.literal(named.path.join('.'), 'subject', named.field, named.start, named.end)
  return {
    ...collector.finish(),
    subject,
    aliases: subject === undefined ? [] : aliases,
    gates,
    patterns,
    owners,
    weakName: isWeakName(record, collection.weakNames),
    document: subject === undefined ? documentOf(record, collection.partOf) : undefined,
  }
}

function documentOf(record: CorpusRecord, field: string | undefined): string | undefined {
  const document = field !== undefined && Object.hasOwn(record, field) ? record[field] : undefined
  return typeof document === 'string' && document !== '' ? document : undefined
}

function isWeakName(record: CorpusRecord, prefix: string | undefined): boolean | undefined {
  if (prefix === undefined) return undefined
  const said = Object.keys(record).filter((name) => name.startsWith(prefix) && typeof record[name] === 'boolean')
  return said.length === 0 ? undefined : said.some((name) => record[name] === true)
}

/** A title such as `Timer` is an API name when the record also lists it among its symbols; `Introduction` is not. */
function subjectOf(text: FieldText, texts: readonly FieldText[]): Subject | undefined {
  const [subject] = namedIn(text)
  const lone = subject?.path.length === 1 ? subject.path[0]! : undefined
  if (lone !== undefined && !isCodeLike(lone) && !/[(]/.test(text.text)) {
    const listed = texts.some((other) => other !== text && other.reads === 'symbol' && other.text === lone)
    if (!listed) return undefined
  }
  return subject
}

/** The API name that a text is as a whole, if it is one. */
function namedIn({ text, path: field }: FieldText): Subject[] {
  const path = symbolPath(text)
  if (path === undefined) return []
  const start = text.indexOf(path[0]!)
  const last = path.at(-1)!
  return [{ path, field, start, end: text.indexOf(last, start + path.slice(0, -1).join(' ').length) + last.length }]
}

interface Found {
  readonly strength: number
  readonly path: number
  readonly start: number
  readonly end: number
}

/** Code without these words imports nothing. */
const importing = /^[ \t]*(?:import|from|use|using)\b|\brequire\(/m

/** Roles of fields whose names and lines are evidence. */
const bearing: ReadonlySet<EvidenceRole> = new Set(['mention', 'subject', 'alias'])

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
    const bears = bearing.has(text.evidence)
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
    const bears = bearing.has(text.evidence)
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
