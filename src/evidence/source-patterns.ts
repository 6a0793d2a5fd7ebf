import type { ChunkReading } from '../code/chunk.ts'
import { areSameLanguage, grammarNameOf } from '../code/trees/grammar-table.ts'
import { type Grammars, longestParsed, packagesFor } from '../code/trees/grammars.ts'
import { hasMetavariable } from '../code/trees/metavariables.ts'
import { isRule, type PatternFault, readTreePattern, type TreePattern } from '../code/trees/tree-pattern.ts'
import type { IndexedRecord, Span } from '../contracts.ts'
import { languageOf } from '../corpus/reading.ts'
import { compilePattern, coversCode, faultOfRegex, longestPattern, matchPattern, patternMatches } from './patterns.ts'

/** What became of a record's pattern on a chunk. */
export type PatternReport =
  | { readonly outcome: 'match'; readonly span: Span }
  | { readonly outcome: 'none'; readonly reason: string }
  /** It could not be told: a grammar is missing, or the search would take too long. */
  | { readonly outcome: 'unchecked'; readonly reason: string }

/** A pattern as it was read: a pattern on trees, a regular expression, or none. */
type SourcePattern = TreePattern | PatternFault | 'regex'

/** Patterns that were read are kept: the same ones are matched on every chunk. */
const mostRead = 4_096
const read = new Map<string, SourcePattern>()

/**
 * Reads the text of a pattern field. What holds a meta-variable is an ast-grep pattern, the JSON text of an object is a
 * rule object, everything else is a regular expression.
 */
function readSourcePattern(text: string): SourcePattern {
  // Too long for either kind; as an expression it is told so.
  if (text.length > longestPattern) return 'regex'
  let pattern = read.get(text)
  if (pattern !== undefined) return pattern
  const rule = text.startsWith('{') ? parsedRule(text) : undefined
  if (rule !== undefined || hasMetavariable(text))
    pattern = readTreePattern(rule ?? text, (regex) => compilePattern(regex) !== undefined)
  else pattern = /^\{\s*"/.test(text) ? { fault: 'it begins as a rule object and is not valid JSON' } : 'regex'
  const [oldest] = read.keys()
  if (read.size >= mostRead && oldest !== undefined) read.delete(oldest)
  read.set(text, pattern)
  return pattern
}

function parsedRule(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRule(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Why a pattern can never match, in words that follow its name; undefined when it can. */
export function faultOfPattern(text: string, language: string | undefined, grammars?: Grammars): string | undefined {
  const pattern = readSourcePattern(text)
  if (pattern === 'regex') return faultOfRegex(text)
  return 'fault' in pattern ? pattern.fault : grammars?.faultOf(pattern, language)
}

/**
 * Whether a pattern matches the chunk's code: over one of `places` (where the gates stand), or anywhere in code when
 * there are none. Never in a comment or string; never in a chunk of another language than the record's, if it names one.
 */
export function reportPattern(
  chunk: ChunkReading,
  field: string,
  text: string,
  language: string | undefined,
  places: readonly Span[] | undefined,
): PatternReport {
  const none = (reason: string): PatternReport => ({ outcome: 'none', reason: `${field} ${reason}` })
  const other = otherLanguage(chunk, language)
  if (other !== undefined) return none(`is for ${language}, and the code is ${other}`)
  const pattern = readSourcePattern(text)
  if (pattern === 'regex') {
    const match = matchPattern(chunk, text, places)
    if (match === 'bad') return none('is not a valid pattern, or too large')
    return match === undefined ? none('does not match the code') : { outcome: 'match', span: match }
  }
  if ('fault' in pattern) return none(`is not a valid pattern: ${pattern.fault}`)
  const { tree } = chunk.code
  if (tree === undefined) {
    const reason = `${field} could not be checked: ${missingGrammar(chunk, language)}`
    return { outcome: 'unchecked', reason }
  }
  const found = tree.find(pattern)
  if (found === 'too-costly') {
    const reason = `${field} could not be checked: it would take too long on a chunk of this size`
    return { outcome: 'unchecked', reason }
  }
  if ('fault' in found) return none(`is not a valid pattern: ${found.fault}`)
  const span = found.find((each) => isEvidence(chunk, each, places))
  return span === undefined ? none('does not match the code') : { outcome: 'match', span }
}

/** Why a pattern of a record cannot be checked on this chunk; undefined when all can, whatever they say. */
export function uncheckedPattern(chunk: ChunkReading, { record, reading }: IndexedRecord): string | undefined {
  for (const { field, text } of reading.patterns) {
    if (readSourcePattern(text) === 'regex') continue
    const report = reportPattern(chunk, field, text, languageOf(record), undefined)
    if (report.outcome === 'unchecked') return report.reason
  }
  return undefined
}

/** Which grammar a record's patterns would need to be checked on this chunk; undefined when they can be. */
export function missingGrammarFor(chunk: ChunkReading, { record, reading }: IndexedRecord): string | undefined {
  if (chunk.code.tree !== undefined) return undefined
  const language = languageOf(record)
  if (otherLanguage(chunk, language) !== undefined) return undefined
  const needed = reading.patterns.some(({ text }) => {
    const pattern = readSourcePattern(text)
    return pattern !== 'regex' && !('fault' in pattern)
  })
  return needed ? missingGrammar(chunk, language) : undefined
}

/** Whether a pattern matches the code at exactly this span. */
export function isPatternMatch(
  chunk: ChunkReading,
  text: string,
  language: string | undefined,
  { start, end }: Span,
): boolean {
  if (otherLanguage(chunk, language) !== undefined) return false
  const pattern = readSourcePattern(text)
  if (pattern === 'regex') return patternMatches(chunk, text, { start, end })
  const found = 'fault' in pattern ? pattern : chunk.code.tree?.find(pattern)
  if (found === undefined || found === 'too-costly' || 'fault' in found) return false
  return found.some((each) => each.start === start && each.end === end && coversCode(chunk, each))
}

function isEvidence(chunk: ChunkReading, span: Span, places: readonly Span[] | undefined): boolean {
  if (!coversCode(chunk, span)) return false
  return places === undefined || places.some((place) => place.start < span.end && span.start < place.end)
}

/** What the chunk is written in, if that is known and is not what the record is for. */
function otherLanguage({ language, code: { tree } }: ChunkReading, wanted: string | undefined): string | undefined {
  if (wanted === undefined) return undefined
  // A guess counts when the whole text parses as what was guessed.
  const known = language ?? (tree?.partial === false ? tree.grammar : undefined)
  return known === undefined || areSameLanguage(known, wanted) ? undefined : known
}

function missingGrammar(chunk: ChunkReading, wanted: string | undefined): string {
  if (chunk.text.length > longestParsed) return `no tree is built of more than ${longestParsed} characters`
  const guessed = chunk.code.traits.name
  const language = wanted ?? chunk.language ?? (guessed === 'unknown' ? undefined : guessed)
  if (language === undefined) return 'the language of the code is not known; name it'
  const packages = packagesFor(language).join(' and ')
  return `no grammar for ${grammarNameOf(language)} is loaded; install ${packages} and give loadGrammars() to Retriever.create`
}
