import type { Candidate, Evidence, Outcome } from '../contracts.ts'
import type { RetrievalResult } from '../retriever.ts'
import { formatNumber } from '../trace/compact.ts'
import { Lines } from '../trace/lines.ts'
import { printable } from '../trace/printable.ts'
import type { Part } from './request.ts'

export interface ReportOptions {
  readonly color: boolean
  readonly shown: Part
  /** Name of the chunk. */
  readonly chunk: string
  readonly chunkText: string
}

/** Rejected candidates shown: enough to see why the best of them failed. */
const mostRejected = 10
/** Pieces of evidence and missing literals shown of one record; `--json` has all. */
const mostPieces = 8
const longestLine = 160
const longestName = 60

type Paint = (code: string, text: string) => string

const colors: Readonly<Record<Outcome, string>> = { accept: '32', uncertain: '33', reject: '31' }
const statusColors = { evidence: '32', undecided: '33', 'no-direct-evidence': '31' } as const
const bold = '1'
const dim = '2'

/**
 * A result for people. Outcomes are told by words, and by colours only beside them. Text from chunk and records is
 * data: control characters are shown escaped.
 */
export function formatReport(result: RetrievalResult, { color, shown, chunk, chunkText }: ReportOptions): string {
  const paint: Paint = color ? (code, text) => `\x1b[${code}m${text}\x1b[0m` : (_code, text) => text
  const { status, candidates, accepted, uncertain, rejected, degraded, nearMiss } = result
  const counts = `${accepted.length} accepted, ${uncertain.length} uncertain, ${rejected.length} rejected`
  const output = [
    `status  ${paint(statusColors[status], status)}: ${counts} of ${candidates.length} candidates`,
    `chunk   ${printable(chunk, longestLine)}`,
    ...(nearMiss === undefined
      ? []
      : [`nearest ${printable(`${nearMiss.collection}  ${nearMiss.id}: ${nearMiss.verdict.reason}`, longestLine)}`]),
    ...degraded.map(({ stage, code, message }) => {
      return paint(colors.uncertain, printable(`degraded  ${stage}: ${message} (${code})`, longestLine))
    }),
  ]
  const wanted = (part: Part): boolean => shown === 'candidates' || shown === part
  const context: Context = { paint, lines: new Lines(chunkText) }
  for (const part of ['accepted', 'uncertain'] as const) {
    if (!wanted(part) || result[part].length === 0) continue
    output.push('', paint(bold, `${part} (${result[part].length})`))
    for (const candidate of result[part]) output.push(...formatProven(candidate, context))
  }
  if (wanted('rejected') && rejected.length > 0) {
    output.push('', paint(bold, `rejected (${rejected.length})`))
    for (const candidate of rejected.slice(0, mostRejected)) {
      output.push(`${heading(candidate, paint)}  ${reasonOf(candidate, longestLine - longestName)}`)
    }
    const more = rejected.length - mostRejected
    if (more > 0) output.push(paint(dim, `  … ${more} more rejected; --json and --jsonl show all`))
  }
  return `${output.join('\n')}\n`
}

interface Context {
  readonly paint: Paint
  readonly lines: Lines
}

/** `accept     1  docs_chunks  class/input/is_action_pressed  0.4792` */
function heading({ rank, collection, id, fusedScore, verdict }: Candidate, paint: Paint): string {
  const outcome = paint(colors[verdict.outcome], verdict.outcome.padEnd('uncertain'.length))
  const names = `${printable(collection, longestName)}  ${printable(id, longestName)}`
  return `${outcome} ${String(rank).padStart(3)}  ${names}  ${formatNumber(fusedScore)}`
}

function reasonOf({ verdict: { reason, by } }: Candidate, longest: number): string {
  return printable(`by ${by}: ${reason}`, longest)
}

function formatProven(candidate: Candidate, { paint, lines }: Context): string[] {
  const { evidence, missing } = candidate.verdict
  const output = [heading(candidate, paint), `    ${reasonOf(candidate, longestLine - 4)}`]
  for (const piece of evidence.slice(0, mostPieces)) output.push(`    + ${formatEvidence(piece, lines)}`)
  if (evidence.length > mostPieces) output.push(paint(dim, `      … ${evidence.length - mostPieces} more`))
  if (missing.length > 0) {
    const more = missing.length > mostPieces ? `, … ${missing.length - mostPieces} more` : ''
    const names = missing.slice(0, mostPieces).map((text) => printable(text, longestName))
    output.push(paint(dim, `    - missing: ${names.join(', ')}${more}`))
  }
  return output
}

/** `18:9  AnimatedSprite2D.play (chain, 3) in title` */
function formatEvidence({ text, kind, weight, chunk, field }: Evidence, lines: Lines): string {
  const place = lines.at(chunk.start)
  const where = place === undefined ? '?:?' : `${place.line}:${place.column}`
  const shown = printable(text, longestName)
  return `${where}  ${shown} (${kind}, ${formatNumber(weight)}) in ${printable(field, longestName)}`
}
