import type { Evidence, Verdict } from '../contracts.ts'
import { readField } from '../corpus/reading.ts'
import type { CorpusRecord } from '../corpus/records.ts'

/** Whether both spans of a piece of evidence give its text; a pattern's record span must be the whole pattern. */
export function verifyEvidence(evidence: Evidence, chunkText: string, record: CorpusRecord): boolean {
  const { text, kind, chunk, field, record: span } = evidence
  if (text === '' || chunkText.slice(chunk.start, chunk.end) !== text) return false
  const stated = readField(record, field)
  if (stated === undefined) return false
  return kind === 'pattern' ? span.start === 0 && span.end === stated.length : stated.slice(span.start, span.end) === text
}

/**
 * A verdict as it may stand in a result: evidence that is not in both texts is taken out, and an accept that has none
 * left is a reject with reason `unverified`. Whoever gave the verdict, a person can check what it rests on.
 */
export function verifyVerdict(given: Verdict | undefined, by: string, chunkText: string, record: CorpusRecord): Verdict {
  if (given === undefined) {
    return { outcome: 'uncertain', by, reason: 'the validator gave no verdict', evidence: [], missing: [] }
  }
  const evidence = given.evidence.filter((each) => verifyEvidence(each, chunkText, record))
  if (given.outcome === 'accept' && evidence.length === 0) return { ...given, outcome: 'reject', reason: 'unverified', evidence }
  return evidence.length === given.evidence.length ? given : { ...given, evidence }
}
