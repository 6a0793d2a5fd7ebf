/** A whole retrieval with the defaults of `parallel()` on the full Godot corpus: CPU and wall time, and where it goes. */
import { parallel, Retriever } from '../src/index.ts'
import { loadSet } from './data.ts'
import { cpuMs, median, quantile, round } from './measures.ts'
import { begin, printTable } from './report.ts'

begin('retrieve() with parallel() on the full Godot corpus, every development chunk. Target: 30 ms median CPU.')
const set = loadSet('godot')
await using retriever = await Retriever.create({ records: set.records, strategy: parallel() })
for (const { chunkText, language } of set.queries.slice(0, 30)) await retriever.retrieve(chunkText, { language })

const cpu: number[] = []
const wall: number[] = []
const candidates: number[] = []
const stages = new Map<string, number[]>()
for (const { chunkText, language } of set.queries) {
  const before = performance.now()
  const { value, ms } = await cpuMs(() => retriever.retrieve(chunkText, { language }))
  wall.push(performance.now() - before)
  cpu.push(ms)
  candidates.push(value.candidates.length)
  for (const { stage, ms: taken } of value.trace.stages) stages.set(stage, [...(stages.get(stage) ?? []), taken])
}
printTable(
  ['whole retrieval', 'median', 'p95'],
  [
    ['CPU ms', round(median(cpu), 1), round(quantile(cpu, 0.95), 1)],
    ['wall ms', round(median(wall), 1), round(quantile(wall, 0.95), 1)],
    ['candidates', median(candidates), quantile(candidates, 0.95)],
  ],
)
// Searches run side by side in one thread, so their times overlap.
printTable(
  ['stage', 'median ms'],
  [...stages].map(([stage, times]) => [stage, round(median(times), 2)]),
)
