import type { ChunkReading } from '../../code/chunk.ts'
import { placeInCode } from '../../code/occurrences.ts'
import { fold, longestWord } from '../../code/parts.ts'
import { isCodeLike } from '../../code/prose.ts'
import type { Span } from '../../contracts.ts'
import type { CorpusKnowledge } from '../../corpus/knowledge.ts'
import type { QueryProfile } from './reading.ts'

/** One string of a profile and whether the chunk has it. */
export interface Grounding {
  readonly text: string
  readonly grounded: boolean
  /** Where it stands in the chunk. */
  readonly span?: Span
  /** Why it is dropped. */
  readonly reason?: string
}

/** `A to B`: what the code has, and what a model says it became. */
export interface SignalGrounding extends Grounding {
  readonly from: string
}

/** A profile after every string of it was looked up in the chunk. Only what is grounded or a plain word may be searched with. */
export interface GroundedProfile {
  readonly literals: readonly Grounding[]
  readonly signals: readonly SignalGrounding[]
  /** Words of the intent and the topics that may be searched with, folded, once each. */
  readonly words: readonly string[]
  readonly droppedWords: readonly { readonly text: string; readonly reason: string }[]
  /** Share of literals and signals that are grounded, 0 to 1; 1 when there are none. */
  readonly share: number
}

/** Strings of one kind that are looked at; a hostile profile may have a million. */
const mostStrings = 100
/** A longer literal is text, not a literal. */
const longestLiteral = 300

/**
 * Looks every string of a profile up in the chunk. A literal must be a token or chain of its code; a migration signal
 * needs what it begins with as one; a word of the intent or the topics that looks like a symbol must be in the chunk, and
 * any other must be a word of the corpus. What fails is dropped, with the reason.
 */
export function groundProfile(profile: QueryProfile, chunk: ChunkReading, knowledge: CorpusKnowledge): GroundedProfile {
  const literals = profile.important_literals.slice(0, mostStrings).map((text) => groundLiteral(text, chunk))
  const signals = profile.migration_signals.slice(0, mostStrings).map((text) => groundSignal(text, chunk))
  const all = [...literals, ...signals]
  const words = new Set<string>()
  const dropped = new Map<string, string>()
  for (const text of [profile.search_intent, ...profile.likely_doc_topics.slice(0, mostStrings)]) {
    for (const [word] of text.slice(0, 10 * longestLiteral).matchAll(wordForm)) {
      const fault = faultOfWord(word, chunk, knowledge)
      if (fault === undefined) words.add(fold(word))
      else dropped.set(word, fault)
    }
  }
  return {
    literals,
    signals,
    words: [...words],
    droppedWords: [...dropped].map(([text, reason]) => ({ text, reason })),
    share: all.length === 0 ? 1 : all.filter(({ grounded }) => grounded).length / all.length,
  }
}

function groundLiteral(given: string, chunk: ChunkReading): Grounding {
  const text = withoutMarks(given)
  if (text.length > longestLiteral) return { text: given, grounded: false, reason: 'longer than a literal can be' }
  const span = placeInCode(chunk, text) ?? chunk.strings.get(text)
  if (span !== undefined) return { text, grounded: true, span }
  const reason = chunk.text.includes(text)
    ? 'no token of the code: part of a longer name, comment or string'
    : 'not in the code'
  return { text, grounded: false, reason }
}

/** Between what was and what it became. */
const arrow = /\s*(?:->|=>|→|⇒)\s*|\s+to\s+/u

function groundSignal(given: string, chunk: ChunkReading): SignalGrounding {
  const [before = '', after] = given.slice(0, longestLiteral).split(arrow)
  const from = withoutMarks(before)
  if (after === undefined || from === '')
    return { text: given, from, grounded: false, reason: 'it is not of the form `A to B`' }
  const { grounded, span, reason } = groundLiteral(from, chunk)
  if (span !== undefined) return { text: given, from, grounded, span }
  return { text: given, from, grounded: false, reason: `${from}: ${reason ?? ''}` }
}

/** Words, names and chains; a mark before a name is part of it. */
const wordForm =
  /[@$%]?[\p{L}\p{N}\p{Pc}][\p{L}\p{M}\p{N}\p{Pc}]*(?:(?:\.|::|->)[\p{L}\p{Pc}][\p{L}\p{M}\p{N}\p{Pc}]*)*/gu
const beginsWithDigit = /^\p{N}/u

/** Why a word must not be searched with; undefined for one that may. */
function faultOfWord(word: string, chunk: ChunkReading, knowledge: CorpusKnowledge): string | undefined {
  if (word.length > longestWord) return 'longer than a word can be'
  if (chunk.terms.has(fold(word)) || placeInCode(chunk, word) !== undefined) return undefined
  if (looksLikeSymbol(word) || isSubject(word, knowledge)) return 'it names a symbol that the code does not have'
  return knowledge.vocabularies.terms.find(fold(word)) === undefined ? 'no record has that word' : undefined
}

function looksLikeSymbol(word: string): boolean {
  return !beginsWithDigit.test(word) && (isCodeLike(word) || /^[@$%]|\.|::|->/.test(word))
}

/** A capitalised word that records of the corpus are about: `Spatial`, `Timer`. */
function isSubject(word: string, { collections, symbols }: CorpusKnowledge): boolean {
  if (!/^\p{Lu}/u.test(word)) return false
  for (const collection of collections.keys()) {
    if (symbols.of(collection).count(word) > 0 || symbols.of(collection).isType(word)) return true
  }
  return false
}

/** A text without quotation or code marks around it. */
function withoutMarks(text: string): string {
  const trimmed = text.trim()
  return /^([`'"])([^`'"]+)\1$/.exec(trimmed)?.[2] ?? trimmed
}
