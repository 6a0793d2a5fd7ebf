/**
 * Builds the index of the full Godot corpus from its JSONL files, in processes of their own: time, memory, the longest
 * block of the event loop, and how soon an abort ends the build.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { parallel, Retriever, readRecords } from '../src/index.ts'
import { dataPath } from './data.ts'
import { cpuMs, median, round } from './measures.ts'
import { begin, printTable } from './report.ts'

const files = ['docs_chunks.jsonl.gz', 'api_mapping.jsonl', 'label_prototypes.jsonl'].map((file) =>
  dataPath(`godot/corpus/${file}`),
)
const builds = 3

/** Where an abort is set off, and how long after: the stages of a build, by its own progress. */
const aborts = [
  {
    name: 'half of the records read',
    reached: (stage: string, _modality: string, records: number) => stage === 'read' && records >= 12_000,
    afterMs: 0,
  },
  { name: 'BM25 index begun', reached: (_stage: string, modality: string) => modality === 'bm25', afterMs: 100 },
  {
    name: 'vectors half done',
    reached: (_stage: string, modality: string) => modality === 'embedding',
    afterMs: 3_000,
  },
  { name: 'literal index begun', reached: (_stage: string, modality: string) => modality === 'literal', afterMs: 20 },
]

interface Built {
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
interface Report {
  readonly peakMb: number
  readonly built?: Built
  readonly abort?: { readonly fired: boolean; readonly ms: number; readonly cpuMs: number }
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
    const onProgress = ({
      stage,
      records,
      modality = '',
    }: {
      stage: string
      records: number
      modality?: string
    }): void => {
      if (planned || !reached(stage, modality, records)) return
      planned = true
      setTimeout(fire, afterMs)
    }
    try {
      await (
        await Retriever.create({
          records: readRecords(files),
          strategy: parallel(),
          onProgress,
          signal: controller.signal,
        })
      ).close()
    } catch (error) {
      if (!controller.signal.aborted) throw error
      const { user, system } = process.cpuUsage(at.cpu)
      return { abort: { fired: true, ms: performance.now() - at.wall, cpuMs: (user + system) / 1000 } }
    }
    return { abort: { fired: false, ms: 0, cpuMs: 0 } }
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

async function inChild(task: string, argument = ''): Promise<Report> {
  const execArgv = [...process.execArgv, '--expose-gc']
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [task, argument], { execArgv })
  const [report] = (await once(child, 'message')) as [Report]
  if (child.exitCode === null) await once(child, 'exit')
  return report
}

const [task, argument = ''] = process.argv.slice(2)
if (task !== undefined && process.send !== undefined) {
  const measured = await tasks[task]!(argument)
  process.send({ ...measured, peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6 } satisfies Report)
} else {
  begin(
    `Build of the full Godot index from JSONL files with parallel(): median of ${builds} processes. Targets: 20 s, 400 MB.`,
  )
  const empty = await inChild('empty')
  const reports: Report[] = []
  for (let run = 0; run < builds; run++) reports.push(await inChild('build'))
  const of = (pick: (built: Built) => number): number => median(reports.map(({ built }) => pick(built!)))
  printTable(
    ['measure', 'value'],
    [
      ['records', of(({ records }) => records)],
      ['wall time', `${round(of(({ wallMs }) => wallMs) / 1000, 1)} s`],
      ['CPU time, all threads', `${round(of(({ cpuMs }) => cpuMs) / 1000, 1)} s`],
      ['records a second', Math.round(of(({ records, wallMs }) => (1000 * records) / wallMs))],
      ['index in memory (heap + external)', `${Math.round(of(({ heapMb, externalMb }) => heapMb + externalMb))} MB`],
      ['of it JavaScript heap', `${Math.round(of(({ heapMb }) => heapMb))} MB`],
      ['of it array buffers', `${Math.round(of(({ buffersMb }) => buffersMb))} MB`],
      [
        'peak resident memory above the empty process',
        `${Math.round(median(reports.map(({ peakMb }) => peakMb)) - empty.peakMb)} MB`,
      ],
      [
        'longest block of the event loop, CPU time',
        `${round(
          of(({ blockCpuMs }) => blockCpuMs),
          0,
        )} ms`,
      ],
      [
        'longest block of the event loop, with what the machine added',
        `${round(
          of(({ blockMs }) => blockMs),
          0,
        )} ms`,
      ],
    ],
  )
  console.log('Time from an abort to the end of the build (target 100 ms):')
  const stops: string[][] = []
  for (const [index, { name, afterMs }] of aborts.entries()) {
    const { abort } = await inChild('abort', String(index))
    stops.push([
      `${name}${afterMs > 0 ? `, ${afterMs} ms later` : ''}`,
      ...(abort!.fired ? [abort!.ms, abort!.cpuMs].map((ms) => `${round(ms, 0)} ms`) : ['build ended first', '']),
    ])
  }
  printTable(['aborted when', 'stopped after', 'CPU time'], stops)
}
