import { type Candidate, readField } from 'direct-evidence'

/** What is wrong with the evidence of candidates: every span must give the text it cites. Empty when nothing is. */
export function spanFaults(candidates: readonly Candidate[], chunkText: string): string[] {
  const faults: string[] = []
  for (const { id, record, verdict } of candidates) {
    for (const { text, kind, chunk, field, record: span } of verdict.evidence) {
      const where = `${id}: ${JSON.stringify(text)} (${kind}) in ${field}`
      const stated = readField(record, field)
      if (text === '' || chunkText.slice(chunk.start, chunk.end) !== text) faults.push(`${where}: not in the chunk`)
      if (stated === undefined) faults.push(`${where}: no such field`)
      else if (kind === 'pattern') {
        if (span.start !== 0 || span.end !== stated.length) faults.push(`${where}: not the whole pattern`)
      } else if (stated.slice(span.start, span.end) !== text) faults.push(`${where}: not in the record`)
    }
  }
  return faults
}
