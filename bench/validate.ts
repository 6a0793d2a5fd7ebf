/**
 * Literal validation alone: 160 candidates, the first of a retrieval over the full Godot corpus, against chunks of about 60
 * lines. The demo scripts have few functions of that length, so a chunk is the functions of one project, one behind the
 * other, until there are 60 lines; what would go beyond 66 is left out.
 */
import type { ChunkQuery, IndexedRecord, StrategyContext } from '../src/contracts.ts'
import {
  bm25,
  convexCombination,
  defineStrategy,
  embedding,
  fuse,
  literal,
  literalValidator,
  Retriever,
  searchAll,
  unite,
} from '../src/index.ts'
import { loadSet } from './data.ts'
import { cpuMs, median, quantile, round } from './measures.ts'
import { begin, printTable } from './report.ts'

const candidateCount = 160
const lines = { least: 55, wanted: 60, most: 66 }
const warmUp = 20
const rounds = 40

const lineCount = (text: string): number => text.split('\n').length

/** Real code of one project each, about 60 lines long. */
function chunksOf(queries: readonly { readonly project: string; readonly chunkText: string }[]): string[] {
  const chunks: string[] = []
  const open = new Map<string, string>()
  for (const { project, chunkText } of queries) {
    const begun = open.get(project)
    const grown = begun === undefined ? chunkText : `${begun}\n\n${chunkText}`
    if (lineCount(grown) > lines.most) continue
    if (lineCount(grown) < lines.wanted) open.set(project, grown)
    else {
      chunks.push(grown)
      open.delete(project)
    }
  }
  return [...chunks, ...[...open.values()].filter((text) => lineCount(text) >= lines.least)]
}

interface Timed {
  readonly lineCount: number
  readonly candidateCount: number
  readonly ms: readonly number[]
}

const timed: Timed[] = []

async function timeValidation(
  query: ChunkQuery,
  entries: readonly IndexedRecord[],
  context: StrategyContext,
): Promise<void> {
  const { knowledge } = context
  const ms: number[] = []
  for (let round = -warmUp; round < rounds; round++) {
    const { ms: used } = await cpuMs(() => literalValidator().validate(query, entries, { knowledge }))
    if (round >= 0) ms.push(used)
  }
  timed.push({ lineCount: lineCount(query.chunkText), candidateCount: entries.length, ms })
}

/** Searches and fuses as `parallel()` does, and times what comes next. */
const strategy = defineStrategy({
  name: 'timed-validation',
  modalities: [bm25(), embedding(), literal()],
  async run(query, context) {
    const found = await searchAll(query, context, { bm25: 50, embedding: 50, literal: 50 })
    const fused = await fuse(await unite(found, context), found, convexCombination(), context)
    const entries = fused.slice(0, candidateCount).map((candidate) => context.record(candidate))
    await timeValidation(query, entries, context)
    return []
  },
})

begin(
  `literalValidator() on the first ${candidateCount} candidates of chunks of about ${lines.wanted} lines, CPU ms. Target: 10 ms median.`,
)
const set = loadSet('godot')
const chunks = chunksOf(set.queries)
await using retriever = await Retriever.create({ records: set.records, strategy })
for (const chunk of chunks) await retriever.retrieve(chunk, { language: 'gdscript' })

const full = timed.filter((each) => each.candidateCount === candidateCount)
const all = full.flatMap(({ ms }) => ms)
const medians = full.map(({ ms }) => median(ms))
const counts = full.map((each) => each.lineCount)
printTable(
  ['measured', 'value'],
  [
    ['chunks', full.length],
    ['lines of a chunk', `${Math.min(...counts)} to ${Math.max(...counts)}`],
    ['rounds a chunk', rounds],
    ['median, all rounds', `${round(median(all), 2)} ms`],
    ['95 of 100 rounds', `${round(quantile(all, 0.95), 2)} ms`],
    ['fastest chunk, its median', `${round(Math.min(...medians), 2)} ms`],
    ['slowest chunk, its median', `${round(Math.max(...medians), 2)} ms`],
    ['median, a candidate', `${round((1000 * median(all)) / candidateCount, 1)} µs`],
  ],
)
