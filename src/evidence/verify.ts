import { z } from 'zod'
import { type ChunkReading, readChunk } from '../code/chunk.ts'
import type { Token } from '../code/lexer.ts'
import { cutsWord } from '../code/lexing/words.ts'
import type { Evidence, Span, Verdict } from '../contracts.ts'
import { builtInCollections } from '../corpus/built-in.ts'
import type { Collection } from '../corpus/collections.ts'
import { languageOf, readField } from '../corpus/reading.ts'
import type { CorpusRecord } from '../corpus/records.ts'
import { isPatternMatch } from './source-patterns.ts'

/**
 * Whether a piece of evidence is what it says: its text stands in the chunk's code (not in a comment) and in a field of
 * the record that bears evidence, letter by letter, at both spans, and is not cut out of a longer name in either. A
 * `pattern` must be the whole of a pattern field and match the chunk at the span.
 *
 * @param chunk The chunk's text, or its reading where there is one: what an ast-grep pattern matched can only be checked
 * on a reading with a tree, as `analyzeChunk` gives it.
 * @param collection The record's collection; the built-in one of that name when it is left out.
 */
export function verifyEvidence(
  evidence: Evidence,
  chunk: string | ChunkReading,
  record: CorpusRecord,
  collection: Collection | undefined = builtInCollections.find(({ name }) => name === record.collection),
): boolean {
  const reading = typeof chunk === 'string' ? readChunk(chunk, undefined) : chunk
  const { text, kind, field, record: span } = evidence
  const stated = readField(record, field)
  if (stated === undefined || !/\S/.test(text) || !isWhole(reading.text, text, evidence.chunk)) return false
  if (commentsIn(reading, evidence.chunk).some((comment) => !mayHold(evidence, comment))) return false
  const role = roleOf(field, collection)
  if (kind === 'pattern') {
    return (
      role === 'pattern' &&
      span.start === 0 &&
      span.end === stated.length &&
      isPatternMatch(reading, stated, languageOf(record), evidence.chunk)
    )
  }
  return bearsEvidence(role) && isWhole(stated, text, span)
}

const bearing: ReadonlySet<string | undefined> = new Set(['subject', 'alias', 'mention', 'gate'])

/** Whether text of a field with this role can be evidence. */
export function bearsEvidence(role: string | undefined): boolean {
  return bearing.has(role)
}

function commentsIn({ code }: ChunkReading, { start, end }: Span): Token[] {
  return code.tokens.filter((token) => token.kind === 'comment' && token.start < end && start < token.end)
}

/** A line, or what a pattern matches, may have a comment in its middle; its ends are code. */
function mayHold({ kind, chunk }: Evidence, comment: Span): boolean {
  return (kind === 'line' || kind === 'pattern') && chunk.start < comment.start && comment.end < chunk.end
}

function roleOf(field: string, collection: Collection | undefined): string | undefined {
  const name = field.replace(/\[\d+\]$/, '')
  return collection?.fields.find((each) => each.name === name)?.evidence
}

/** Whether a span of a text gives `part`, and does not begin or end inside a word. */
function isWhole(text: string, part: string, span: Span): boolean {
  const { start, end } = span
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end > text.length) return false
  return text.slice(start, end) === part && !cutsWord(text, span)
}

const span = z.object({ start: z.number(), end: z.number() })
const verdictSchema = z.object({
  outcome: z.enum(['accept', 'uncertain', 'reject']),
  by: z.string(),
  reason: z.string(),
  evidence: z.array(
    z.object({
      text: z.string(),
      kind: z.string(),
      weight: z.number().min(0),
      chunk: span,
      field: z.string(),
      record: span,
    }),
  ),
  missing: z.array(z.string()),
  model: z
    .object({
      model: z.string(),
      answer: z.enum(['yes', 'no', 'undecided']),
      quotes: z.array(z.object({ text: z.string(), verified: z.boolean(), reason: z.string().optional() })),
      reply: z.string(),
      calls: z.int().min(0),
      usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).optional(),
    })
    .optional(),
})

/**
 * A verdict as it may stand in a result: evidence that is not in both texts is taken out, and an accept that has none
 * left is a reject with reason `unverified`. Whoever gave the verdict, a person can check what it rests on. Something
 * that is no verdict is `uncertain`.
 */
export function verifyVerdict(
  given: unknown,
  by: string,
  chunk: string | ChunkReading,
  record: CorpusRecord,
  collection?: Collection,
): Verdict {
  const parsed = verdictSchema.safeParse(given)
  if (!parsed.success) {
    const reason =
      given === undefined ? 'the validator gave no verdict' : 'the validator gave something that is no verdict'
    return { outcome: 'uncertain', by, reason, evidence: [], missing: [] }
  }
  const verdict = parsed.data as Verdict
  const evidence = verdict.evidence.filter((each) => verifyEvidence(each, chunk, record, collection))
  if (verdict.outcome === 'accept' && evidence.length === 0)
    return { ...verdict, outcome: 'reject', reason: 'unverified', evidence }
  return { ...verdict, evidence }
}
