import type { Json } from '../contracts.ts'
import { messageOf } from '../errors.ts'
import type { Trace, TraceStage } from './schema.ts'

/** What a stage logs beside its name and time: plain JSON. */
export type StageLog = Readonly<Record<string, Json>>

/** The parts of a trace that are known when the retrieval ends. */
export type TraceHead = Pick<Trace, 'strategy' | 'chunk' | 'degraded' | 'status'>

/** A stage that was started; `entry` comes when it ends. */
interface Slot {
  readonly stage: string
  readonly startedAt: number
  entry: TraceStage | undefined
}

/**
 * Records the stages of one retrieval. One recorder serves one retrieval.
 *
 * Stages may overlap. They are logged in the order in which they were started, so that the faster of two parallel
 * searches does not decide how the trace reads.
 *
 * @example
 * ```ts
 * const recorder = new TraceRecorder()
 * const found = await recorder.stage('bm25', () => search(chunk), (result) => ({ hits: result.length }))
 * recorder.note('budget', { calls: 0 })
 * const trace = recorder.finish({ strategy: 'mine', chunk, degraded: [], status: 'evidence' })
 * ```
 */
export class TraceRecorder {
  readonly #now: () => number
  readonly #slots: Slot[] = []

  /** @param now A clock in milliseconds that never goes back; only differences are used. Default `performance.now`. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Runs a stage and records `{ stage, ms, ...describe(value) }`. The time is that of `run` alone.
   *
   * When `run` or `describe` throws, `{ stage, ms, error }` is recorded with the message of the error.
   *
   * @returns What `run` gave.
   * @throws Whatever `run` or `describe` threw, unchanged.
   */
  async stage<T>(name: string, run: () => Promise<T> | T, describe: (value: T) => StageLog): Promise<T> {
    const slot: Slot = { stage: name, startedAt: this.#now(), entry: undefined }
    this.#slots.push(slot)
    let ms: number | undefined
    try {
      const value = await run()
      ms = this.#since(slot)
      slot.entry = entryOf(name, ms, describe(value))
      return value
    } catch (error) {
      slot.entry = entryOf(name, ms ?? this.#since(slot), { error: messageOf(error) })
      throw error
    }
  }

  /** Records something that takes no time worth measuring, with `ms` 0. */
  note(stage: string, log: StageLog): void {
    this.#slots.push({ stage, startedAt: 0, entry: entryOf(stage, 0, log) })
  }

  /** The trace so far. A stage that still runs is recorded with `unfinished: true` and its time up to now. */
  finish(head: TraceHead): Trace {
    return {
      format: 'direct-evidence/trace',
      version: 1,
      strategy: head.strategy,
      status: head.status,
      chunk: head.chunk,
      degraded: head.degraded,
      stages: this.#slots.map((slot) => slot.entry ?? entryOf(slot.stage, this.#since(slot), { unfinished: true })),
    }
  }

  /** Whole microseconds: finer digits of a clock are noise. */
  #since(slot: Slot): number {
    return Math.max(0, Math.round((this.#now() - slot.startedAt) * 1000) / 1000)
  }
}

/** Name and time stand first and cannot be logged over. */
function entryOf(stage: string, ms: number, log: StageLog): TraceStage {
  const head = { stage, ms }
  return { ...head, ...log, ...head }
}
