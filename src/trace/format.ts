import type { Json } from '../contracts.ts'
import { DirectEvidenceError } from '../errors.ts'
import { compact, formatNumber, isObject, type JsonObject } from './compact.ts'
import { Lines } from './lines.ts'
import { printable } from './printable.ts'
import type { Trace, TraceStage } from './schema.ts'

/** Options of {@link formatTrace}. */
export interface FormatTraceOptions {
  /** Colours and bold type by ANSI escapes. Default false. */
  readonly color?: boolean
  /**
   * Rows shown of each table, of a search for each collection, because each is ranked by itself; a whole number from 1,
   * or Infinity. Default 10.
   */
  readonly top?: number
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'
type Paint = (style: Style, text: string) => string

const styles: Readonly<Record<Style, string>> = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33' }
const outcomeStyles: Readonly<Record<string, Style>> = { accept: 'green', uncertain: 'yellow', reject: 'red' }

/** Columns the report is made for: two terminals beside each other on a common screen. */
const lineWidth = 120
/** Longest collection name and id shown, so that one long id does not push the reasons off the line. */
const longestName = 48
/** Least room for the reasons, when names are long. */
const narrowestWhy = 32
/** Pieces of evidence and missing literals shown of one record. */
const mostEvidence = 8

/**
 * A trace as plain text for a terminal: what was asked, then one table for each stage, with the evidence by line and
 * column of the chunk and the verdicts with their reasons. Stages that this function does not know are shown by the
 * same rules: a list of records is a table, all else one line.
 *
 * Text from chunks and records is data: control characters are shown escaped (`\x1b`), long text is cut with `…`.
 *
 * @throws `OPTION_INVALID` for an unknown option or a `top` that is no whole number from 1.
 * @example
 * ```ts
 * const result = await retriever.retrieve(chunkText)
 * console.log(formatTrace(result.trace, { color: process.stdout.isTTY, top: 5 }))
 * ```
 */
export function formatTrace(trace: Trace, options: FormatTraceOptions = {}): string {
  const { color = false, top = 10, ...unknown } = options
  if (typeof color !== 'boolean') throw invalid('color', 'must be true or false')
  if (!(top === Infinity || Number.isInteger(top)) || top < 1) throw invalid('top', 'must be a whole number from 1')
  for (const option of Object.keys(unknown)) throw invalid(option, 'no such option; check its spelling')
  const paint: Paint = color ? (style, text) => `\x1b[${styles[style]}m${text}\x1b[0m` : (_style, text) => text
  const lines = new Lines(trace.chunk.text)
  const output = header(trace, lines, paint)
  for (const stage of trace.stages) output.push('', ...formatStage(stage, { lines, paint, top }))
  return `${output.join('\n')}\n`
}

interface Context {
  readonly lines: Lines
  readonly paint: Paint
  readonly top: number
}

function header(trace: Trace, lines: Lines, paint: Paint): string[] {
  const { language, characters } = trace.chunk
  const size = `${plural(lines.count, 'line')}, ${plural(characters, 'character')}`
  const statusStyle: Style = trace.status === 'evidence' ? 'green' : trace.status === 'undecided' ? 'yellow' : 'red'
  const output = [
    paint('bold', `strategy  ${printable(trace.strategy, longestName)}`),
    `chunk     ${language === null ? 'language not named' : printable(language, longestName)}, ${size}`,
    `status    ${paint(statusStyle, printable(trace.status, longestName))}`,
  ]
  for (const { stage, code, message } of trace.degraded) {
    const text = printable(`${stage}: ${message} (${code})`, lineWidth - 10)
    output.push(`degraded  ${paint('yellow', text)}`)
  }
  if (trace.degraded.length === 0) output.push('degraded  nothing')
  return output
}

function formatStage(stage: TraceStage, context: Context): string[] {
  const { paint } = context
  const output = [`${paint('bold', printable(stage.stage, longestName))}  ${paint('dim', `${stage.ms} ms`)}`]
  for (const [name, value] of Object.entries(stage)) {
    if (name === 'stage' || name === 'ms') continue
    if (isRecordList(value)) output.push(...table(name, value, context))
    else {
      const text = printable(`${name}: ${compact(value)}`, lineWidth - 2)
      output.push(`  ${name === 'error' ? paint('red', text) : text}`)
    }
  }
  return output
}

/** One row of a table, not laid out yet. */
interface Row {
  readonly rank: string
  readonly collection: string
  readonly id: string
  readonly score: string
  readonly why: string
  readonly style: Style | undefined
  readonly below: readonly string[]
}

function table(name: string, items: readonly JsonObject[], context: Context): string[] {
  const { paint, top } = context
  if (items.length === 0) return [paint('dim', `  no ${printable(name, longestName)}`)]
  const rows = items.flatMap((item, index) => (placeOf(item, index) <= top ? [rowOf(item, index, context)] : []))
  const width = (column: 'rank' | 'collection' | 'id' | 'score'): number =>
    Math.max(column.length, ...rows.map((row) => widthOf(row[column])))
  const widths = { rank: width('rank'), collection: width('collection'), id: width('id'), score: width('score') }
  const scored = rows.some((row) => row.score !== '')
  const explained = rows.some((row) => row.why !== '')
  const layOut = (row: Omit<Row, 'below' | 'style'>): string => {
    const cells = [
      padStart(row.rank, widths.rank),
      padEnd(row.collection, widths.collection),
      padEnd(row.id, widths.id),
      ...(scored ? [padStart(row.score, widths.score)] : []),
    ]
    const left = `  ${cells.join('  ')}`
    return `${left}  ${printable(row.why, Math.max(narrowestWhy, lineWidth - widthOf(left) - 2))}`.trimEnd()
  }
  const titles = { rank: 'rank', collection: 'collection', id: 'id', score: 'score', why: explained ? 'why' : '' }
  const output = [paint('dim', layOut(titles))]
  for (const row of rows) {
    const line = layOut(row)
    output.push(row.style === undefined ? line : paint(row.style, line), ...row.below)
  }
  const more = items.length - rows.length
  if (more > 0) output.push(paint('dim', `  … ${more} more`))
  return output
}

/** Its rank, which a search counts anew in each collection, so that no collection crowds another out of the report. */
function placeOf(item: JsonObject, index: number): number {
  return typeof item.rank === 'number' ? item.rank : index + 1
}

const scoreNames = ['score', 'fusedScore', 'rerankScore', 'similarity']

function rowOf(item: JsonObject, index: number, context: Context): Row {
  const { collection, id, rank: _rank, evidence, missing, outcome, by, reason, answer, ...rest } = item
  const why: string[] = []
  let score = ''
  if (outcome !== undefined && by === undefined) why.push(compact(outcome))
  else if (outcome !== undefined) why.push(`${compact(outcome)} by ${compact(by ?? null)}: ${compact(reason ?? null)}`)
  else if (answer !== undefined) why.push(compact(answer))
  for (const [name, value] of Object.entries(rest)) {
    if (score === '' && typeof value === 'number' && scoreNames.includes(name)) score = formatNumber(value)
    else if (name === 'why' || name === 'contributions') why.push(compact(value))
    else if (name === 'modalities' && isObject(value)) why.push(formatModalities(value))
    else why.push(`${name}=${compact(value)}`)
  }
  const { paint, lines } = context
  return {
    rank: formatNumber(placeOf(item, index)),
    collection: printable(compact(collection ?? null), longestName),
    id: printable(compact(id ?? null), longestName),
    score,
    why: why.join(', '),
    style: typeof outcome === 'string' && Object.hasOwn(outcomeStyles, outcome) ? outcomeStyles[outcome] : undefined,
    below: [...formatEvidence(evidence, lines, paint), ...formatMissing(missing, paint)],
  }
}

function formatModalities(modalities: JsonObject): string {
  return Object.entries(modalities)
    .map(([name, hit]) => {
      if (!isObject(hit)) return `${name} ${compact(hit)}`
      return `${name} #${compact(hit.rank ?? null)} (${compact(hit.score ?? null)})`
    })
    .join(', ')
}

/** `+ 18:9 AnimatedSprite2D.play (chain, 3) in title` */
function formatEvidence(value: Json | undefined, lines: Lines, paint: Paint): string[] {
  if (!Array.isArray(value)) return []
  const output = value.slice(0, mostEvidence).map((piece: Json) => {
    if (!isObject(piece)) return evidenceLine('+', compact(piece), 'green', paint)
    const { text, kind, weight, chunk, field } = piece
    const start = isObject(chunk) ? chunk.start : undefined
    const place = typeof start === 'number' ? lines.at(start) : undefined
    const where = place === undefined ? '?:?' : `${place.line}:${place.column}`
    const shown = printable(compact(text ?? null), 60)
    const rest = `(${compact(kind ?? null)}, ${compact(weight ?? null)}) in ${compact(field ?? null)}`
    return evidenceLine('+', `${where} ${shown} ${rest}`, 'green', paint)
  })
  if (value.length > mostEvidence) output.push(paint('dim', `       … ${value.length - mostEvidence} more`))
  return output
}

function formatMissing(value: Json | undefined, paint: Paint): string[] {
  if (!Array.isArray(value) || value.length === 0) return []
  const shown = value.slice(0, mostEvidence).map((text: Json) => printable(compact(text), 40))
  const more = value.length > mostEvidence ? `, … ${value.length - mostEvidence} more` : ''
  return [evidenceLine('-', `missing: ${shown.join(', ')}${more}`, 'dim', paint)]
}

function evidenceLine(mark: string, text: string, style: Style, paint: Paint): string {
  return paint(style, `       ${mark} ${printable(text, lineWidth - 9)}`)
}

/** An empty list counts: a search that found nothing is shown as such. */
function isRecordList(value: Json): value is readonly JsonObject[] {
  if (!Array.isArray(value)) return false
  return value.every((item: Json) => isObject(item) && typeof item.id === 'string' && 'collection' in item)
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Width in characters: one that takes two code units, such as 𝑓, takes one place. */
function widthOf(text: string): number {
  return [...text].length
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(width - widthOf(text))
}

function padStart(text: string, width: number): string {
  return ' '.repeat(width - widthOf(text)) + text
}

function invalid(option: string, message: string): DirectEvidenceError {
  return new DirectEvidenceError('OPTION_INVALID', `formatTrace: option \`${option}\`: ${message}`, { option })
}
