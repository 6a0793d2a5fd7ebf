/** What the processes of `build.ts` do: nothing, one build, or one build that is aborted. */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Progress, parallel, Retriever, readRecords } from '../src/index.ts'
import { dataPath } from './data.ts'
import { cpuMs } from './measures.ts'

const files = ['docs_chunks.jsonl.gz', 'api_mapping.jsonl', 'label_prototypes.jsonl'].map((file) =>
  dataPath(`godot/corpus/${file}`),
)
interface AbortPlan {
  readonly name: string
  /** Whether the build has come to where the abort is planned. */
  readonly reached: (progress: Progress) => boolean
  /** How long after that it is set off. */
  readonly afterMs: number
}

/** Aborts in the stages of a build, by its own progress. */
export const aborts: readonly AbortPlan[] = [
  {
    name: 'half of the records read',
    reached: ({ stage, records }) => stage === 'read' && records >= 12_000,
    afterMs: 0,
  },
  { name: 'BM25 index begun', reached: ({ modality }) => modality === 'bm25', afterMs: 100 },
  { name: 'vectors begun', reached: ({ modality }) => modality === 'embedding', afterMs: 2_000 },
  { name: 'literal index begun', reached: ({ modality }) => modality === 'literal', afterMs: 20 },
]

export interface Built {
  readonly records: number
  readonly wallMs: number
  readonly cpuMs: number
  readonly blockMs: number
  readonly blockCpuMs: number
  readonly heapMb: number
  readonly externalMb: number
  readonly buffersMb: number
}

/** What a child process reports: its peak of resident memory, and what its task measured. */
export interface Report {
  readonly peakMb: number
  readonly built?: Built
  /** Missing when the build ended before the abort. */
  readonly abort?: { readonly ms: number; readonly cpuMs: number }
}

const tasks: Readonly<Record<string, (argument: string) => Promise<Omit<Report, 'peakMb'>>>> = {
  empty: async () => ({}),
  build: async () => {
    const loop = monitorEventLoopDelay({ resolution: 1 })
    const before = memory()
    loop.enable()
    const longestTurn = watchTurns()
    const start = performance.now()
    const { value: retriever, ms } = await cpuMs(() =>
      Retriever.create({ records: readRecords(files), strategy: parallel() }),
    )
    const wallMs = performance.now() - start
    const blockCpuMs = longestTurn()
    loop.disable()
    const after = memory()
    const records = retriever.size
    await retriever.close()
    const [heapMb, externalMb, buffersMb] = after.map((bytes, index) => (bytes - before[index]!) / 1e6)
    const built = {
      records,
      wallMs,
      cpuMs: ms,
      blockMs: loop.max / 1e6,
      blockCpuMs,
      heapMb: heapMb!,
      externalMb: externalMb!,
      buffersMb: buffersMb!,
    }
    return { built }
  },
  abort: async (argument) => {
    const { reached, afterMs } = aborts[Number(argument)]!
    const controller = new AbortController()
    let at = { wall: 0, cpu: process.cpuUsage() }
    let planned = false
    const fire = (): void => {
      at = { wall: performance.now(), cpu: process.cpuUsage() }
      controller.abort()
    }
    const onProgress = (progress: Progress): void => {
      if (planned || !reached(progress)) return
      planned = true
      setTimeout(fire, afterMs)
    }
    const { signal } = controller
    try {
      const retriever = await Retriever.create({
        records: readRecords(files),
        strategy: parallel(),
        onProgress,
        signal,
      })
      await retriever.close()
      return {}
    } catch (error) {
      if (!signal.aborted) throw error
      const { user, system } = process.cpuUsage(at.cpu)
      return { abort: { ms: performance.now() - at.wall, cpuMs: (user + system) / 1000 } }
    }
  },
}

/** CPU time of the main thread in ms, as Linux counts it; 0 elsewhere. */
function mainThreadMs(): number {
  return process.platform === 'linux' ? Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6 : 0
}

/** Watches how much CPU time the main thread takes between two turns of the event loop; gives the most at the end. */
function watchTurns(): () => number {
  let last = mainThreadMs()
  let longest = 0
  const timer = setInterval(() => {
    const now = mainThreadMs()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return Math.max(longest, mainThreadMs() - last)
  }
}

/** Bytes in use after a collection: JavaScript heap, memory outside of it, and how much of the latter is array buffers. */
function memory(): number[] {
  globalThis.gc!()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return [heapUsed, external, arrayBuffers]
}

const [task, argument = ''] = process.argv.slice(2)
if (process.send !== undefined && task !== undefined) {
  const measured = await tasks[task]!(argument)
  process.send({ ...measured, peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6 } satisfies Report)
}
