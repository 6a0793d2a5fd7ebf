/**
 * A whole retrieval with the defaults of `parallel()` on the full Godot corpus: CPU and wall time, where it goes, and
 * how large the results are.
 */
import { readChunk } from '../src/code/chunk.ts'
import { parallel, type RetrievalResult, Retriever } from '../src/index.ts'
import { loadSet } from './data.ts'
import { cpuMs, mean, median, quantile, round } from './measures.ts'
import { begin, percent, printTable } from './report.ts'

const searches = ['bm25', 'embedding', 'literal']
const warmUp = 60

begin('retrieve() with parallel() on the full Godot corpus, every development chunk. Target: 30 ms median CPU.')
const set = loadSet('godot')
await using retriever = await Retriever.create({ records: set.records, strategy: parallel() })
for (const { chunkText, language } of set.queries.slice(0, warmUp)) await retriever.retrieve(chunkText, { language })

const cpu: number[] = []
const wall: number[] = []
const sizes: Record<'candidates' | 'accepted' | 'uncertain' | 'rejected' | 'trace, KB', number[]> = {
  candidates: [],
  accepted: [],
  uncertain: [],
  rejected: [],
  'trace, KB': [],
}
const stages = new Map<string, number[]>()

function note(stage: string, ms: number): void {
  const known = stages.get(stage)
  if (known === undefined) stages.set(stage, [ms])
  else known.push(ms)
}

function noteStages({ trace }: RetrievalResult, wallMs: number): void {
  let rest = wallMs
  let searching = 0
  for (const { stage, ms } of trace.stages) {
    // The searches start together and share one thread, so the longest is the time of all.
    if (searches.includes(stage)) searching = Math.max(searching, ms)
    else if (ms > 0) {
      note(stage, ms)
      rest -= ms
    }
  }
  note('all searches', searching)
  note('trace, ranking and the rest', rest - searching)
}

for (const { chunkText, language } of set.queries) {
  const before = performance.now()
  const { value, ms } = await cpuMs(() => retriever.retrieve(chunkText, { language }))
  const wallMs = performance.now() - before
  wall.push(wallMs)
  cpu.push(ms)
  noteStages(value, wallMs)
  for (const part of ['candidates', 'accepted', 'uncertain', 'rejected'] as const) sizes[part].push(value[part].length)
  sizes['trace, KB'].push(JSON.stringify(value.trace).length / 1000)
}
const spread = (times: readonly number[]): string[] => [round(median(times), 1), round(quantile(times, 0.95), 1)]
printTable(
  [`${set.records.length} records, ${set.queries.length} chunks`, 'median', 'p95'],
  [
    ['CPU ms, all threads', ...spread(cpu)],
    ['wall ms', ...spread(wall)],
    ...Object.entries(sizes).map(([part, values]) => [
      part,
      ...spread(values).map((value) => Math.round(Number(value))),
    ]),
  ],
)
console.log('Wall ms a stage, by the trace:')
const total = mean(wall)
printTable(
  ['stage', 'median', 'p95', 'share of all'],
  [...stages].map(([stage, times]) => [stage, ...spread(times), percent(mean(times), total)]),
)

console.log('Each search alone, reading the chunk included (CPU ms):')
const alone = new Map([
  ['reading the chunk', [] as number[]],
  ...searches.map((name): [string, number[]] => [name, []]),
])
for (const { chunkText, language } of set.queries) {
  alone.get('reading the chunk')!.push((await cpuMs(() => readChunk(chunkText, language))).ms)
  for (const name of searches) {
    const { ms } = await cpuMs(() => retriever.modality(name).search(chunkText, { language, limit: 50 }))
    alone.get(name)!.push(ms)
  }
}
printTable(
  ['search', 'median', 'p95'],
  [...alone].map(([name, times]) => [name, ...spread(times)]),
)
