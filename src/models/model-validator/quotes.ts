import type { ChunkReading } from '../../code/chunk.ts'
import { cutsWord } from '../../code/lexing/words.ts'
import type { ChunkQuery, Evidence, IndexedRecord, QuoteCheck, Span } from '../../contracts.ts'
import type { CorpusKnowledge } from '../../corpus/knowledge.ts'
import { fieldTexts } from '../../corpus/reading.ts'
import { bearsEvidence, verifyEvidence } from '../../evidence/verify.ts'

/** What came of the quotes of one reply. */
export interface CheckedQuotes {
  readonly quotes: readonly QuoteCheck[]
  /** The quotes that stand in both texts, as evidence. */
  readonly evidence: readonly Evidence[]
}

/** Longer quotes are paraphrases of the whole text, or an attack on the search. */
const longestQuote = 2_000
/** Places of a quote in the chunk that are tried; the first may stand in a comment. */
const mostPlaces = 200

/**
 * Looks every quote up in the chunk's code and in the fields of the record that bear evidence, letter by letter and not
 * cut out of a longer name. Quotation marks and Markdown around a quote are taken off; nothing else is forgiven.
 *
 * @param known The literals that both texts share, with their weights. A quote proves what the shared literals in it
 * prove: one that holds none of them (a bracket, a keyword, an everyday word) proves nothing.
 */
export function checkQuotes(
  texts: readonly string[],
  query: ChunkQuery,
  entry: IndexedRecord,
  known: readonly Evidence[],
  knowledge: CorpusKnowledge,
): CheckedQuotes {
  const quotes: QuoteCheck[] = []
  const evidence: Evidence[] = []
  for (const text of new Set(texts)) {
    const found = lookUp(text, query.reading, entry, known, knowledge)
    if (typeof found === 'string') quotes.push({ text, verified: false, reason: found })
    else {
      quotes.push({ text, verified: true })
      evidence.push(found)
    }
  }
  return { quotes, evidence }
}

/** The evidence that a quote is, or why it is none. */
function lookUp(
  given: string,
  chunk: ChunkReading,
  entry: IndexedRecord,
  known: readonly Evidence[],
  knowledge: CorpusKnowledge,
): Evidence | string {
  if (given.length > longestQuote) return 'longer than any quote has to be'
  const forms = [...new Set([given, bare(given)])].filter((form) => form.trim() !== '')
  if (forms.length === 0) return 'empty'
  let reason = ''
  for (const text of forms) {
    const inChunk = placesOf(chunk.text, text)
    if (inChunk.length === 0) {
      reason ||= 'not in the code as it is quoted'
      continue
    }
    const inRecord = placeInRecord(entry, text, knowledge)
    if (inRecord === undefined) {
      reason = 'not in the record as it is quoted'
      continue
    }
    const shared = known.filter((each) => each.weight > 0 && placesOf(text, each.text).length > 0)
    if (shared.length === 0) {
      reason = 'it holds no name that proves anything'
      continue
    }
    const same = shared.find((each) => each.text === text)
    const kind = same?.kind ?? 'line'
    const weight = Math.max(...shared.map((each) => each.weight))
    for (const place of inChunk) {
      const evidence: Evidence = { text, kind, weight, chunk: place, ...inRecord }
      const { record, collection } = entry
      if (verifyEvidence(evidence, chunk, record, knowledge.collections.get(collection))) return evidence
    }
    reason = 'only in a comment of the code'
  }
  return reason
}

/** A quote without the marks around it: quotation marks, emphasis, code marks. */
function bare(text: string): string {
  let inner = text.trim()
  for (;;) {
    const next = inner
      .replace(/^(?:"([\s\S]*)"|'([\s\S]*)'|“([\s\S]*)”|‘([\s\S]*)’|«([\s\S]*)»|「([\s\S]*)」)$/u, pick)
      .replace(/^(?:```\w*\n([\s\S]*?)\n?```|`([^`]*)`|\*\*([\s\S]*)\*\*|__([\s\S]*)__|\*([\s\S]*)\*)$/u, pick)
      .trim()
    if (next === inner || next === '') return inner
    inner = next
  }
}

function pick(whole: string, ...groups: readonly unknown[]): string {
  const inner = groups.find((group) => typeof group === 'string' && group !== whole)
  return typeof inner === 'string' ? inner : whole
}

/** Where a text stands in another without being cut out of a longer name. */
function placesOf(text: string, part: string): Span[] {
  const places: Span[] = []
  for (let at = text.indexOf(part); at >= 0 && places.length < mostPlaces; at = text.indexOf(part, at + 1)) {
    const place = { start: at, end: at + part.length }
    if (!cutsWord(text, place)) places.push(place)
  }
  return places
}

function placeInRecord(
  entry: IndexedRecord,
  part: string,
  { collections }: CorpusKnowledge,
): { readonly field: string; readonly record: Span } | undefined {
  const collection = collections.get(entry.collection)
  if (collection === undefined) return undefined
  for (const { path, text, evidence } of fieldTexts(entry.record, collection)) {
    const [place] = bearsEvidence(evidence) ? placesOf(text, part) : []
    if (place !== undefined) return { field: path, record: place }
  }
  return undefined
}
