/**
 * Builds the index of the full Godot corpus from its JSONL files, in processes of their own: time, memory, the longest
 * block of the event loop, and how soon an abort ends the build.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { aborts, type Built, type Report } from './build-task.ts'
import { median, round } from './measures.ts'
import { begin, printTable } from './report.ts'

const builds = 3
const taskFile = fileURLToPath(new URL('build-task.ts', import.meta.url))

async function inChild(task: string, argument = ''): Promise<Report> {
  const child = fork(taskFile, [task, argument], { execArgv: [...process.execArgv, '--expose-gc'] })
  const [report] = (await once(child, 'message')) as [Report]
  if (child.exitCode === null) await once(child, 'exit')
  return report
}

begin(
  `Build of the full Godot index from JSONL files with parallel(): median of ${builds} processes. Targets: 20 s, 400 MB.`,
)
const empty = await inChild('empty')
const reports: Report[] = []
for (let run = 0; run < builds; run++) reports.push(await inChild('build'))
const of = (pick: (built: Built) => number): number => median(reports.map(({ built }) => pick(built!)))
const rounded = (value: number, unit: string, digits = 0): string => `${round(value, digits)} ${unit}`
const wallSeconds = of(({ wallMs }) => wallMs) / 1000
const cpuSeconds = of(({ cpuMs }) => cpuMs) / 1000
const records = of((built) => built.records)
const peakMb = median(reports.map((report) => report.peakMb)) - empty.peakMb
const memoryMb = of(({ heapMb, externalMb }) => heapMb + externalMb)
const blockCpuMs = of((built) => built.blockCpuMs)
const blockMs = of((built) => built.blockMs)
printTable(
  ['measure', 'value'],
  [
    ['records', records],
    ['wall time', rounded(wallSeconds, 's', 1)],
    ['CPU time, all threads', rounded(cpuSeconds, 's', 1)],
    ['records a second', Math.round(records / wallSeconds)],
    ['index in memory after collection (heap + external)', rounded(memoryMb, 'MB')],
    [
      'of it JavaScript heap',
      rounded(
        of(({ heapMb }) => heapMb),
        'MB',
      ),
    ],
    [
      'of it array buffers, which are external',
      rounded(
        of(({ buffersMb }) => buffersMb),
        'MB',
      ),
    ],
    ['peak resident memory above the empty process', rounded(peakMb, 'MB')],
    ['longest block of the event loop, CPU time of the main thread', rounded(blockCpuMs, 'ms')],
    ['longest delay of the event loop, with what the machine added', rounded(blockMs, 'ms')],
  ],
)

console.log('Time from an abort to the end of the build (target 100 ms):')
const stops: string[][] = []
for (const [index, { name, afterMs }] of aborts.entries()) {
  const { abort } = await inChild('abort', String(index))
  const times =
    abort === undefined ? ['build ended first', '-'] : [abort.ms, abort.cpuMs].map((ms) => rounded(ms, 'ms'))
  stops.push([`${name}${afterMs > 0 ? `, ${afterMs} ms later` : ''}`, ...times])
}
printTable(['aborted when', 'stopped after', 'CPU time'], stops)
