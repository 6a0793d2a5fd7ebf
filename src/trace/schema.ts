import { z } from 'zod'
import type { Degradation, Json } from '../contracts.ts'

/** One stage of a retrieval: its name, its time, and whatever it logs. */
export interface TraceStage {
  readonly stage: string
  /** Milliseconds the stage took; 0 for what was only noted. The one part of a trace that differs between runs. */
  readonly ms: number
  readonly [logged: string]: Json
}

/** The chunk a trace is about. Evidence points into `text`, so it is kept whole. */
export interface TraceChunk {
  readonly text: string
  /** As the caller named it; null when the caller did not. */
  readonly language: string | null
  /** Length of `text` in UTF-16 code units, the unit of every span. */
  readonly characters: number
}

/**
 * The log of one retrieval, plain JSON. Same chunk, corpus and options give the same trace, the times aside: there is
 * no wall clock in it, and stages stand in the order in which they were started.
 */
export interface Trace {
  readonly format: 'direct-evidence/trace'
  readonly version: 1
  readonly strategy: string
  readonly chunk: TraceChunk
  readonly stages: readonly TraceStage[]
  /** What did not go as asked; empty when all did. */
  readonly degraded: readonly Degradation[]
  readonly status: 'evidence' | 'no-direct-evidence' | 'undecided'
}

/**
 * Schema of {@link Trace}, for traces that come from a file or another process.
 *
 * Loose where strategies differ: a stage is a name, a time and any JSON. What the stages of `parallel` log is in
 * `stageSchemas`.
 *
 * @example
 * ```ts
 * const trace = traceSchema.parse(JSON.parse(await readFile('trace/trace.json', 'utf8')))
 * console.log(trace.status, trace.stages.length)
 * ```
 */
export const traceSchema: z.ZodType<Trace> = z.strictObject({
  format: z.literal('direct-evidence/trace'),
  version: z.literal(1),
  strategy: z.string().min(1),
  chunk: z.strictObject({
    text: z.string(),
    language: z.string().nullable(),
    characters: z.int().min(0),
  }),
  stages: z.array(z.object({ stage: z.string().min(1), ms: z.number().min(0) }).catchall(z.json())),
  degraded: z.array(z.strictObject({ stage: z.string(), code: z.string(), message: z.string() })),
  status: z.enum(['evidence', 'no-direct-evidence', 'undecided']),
})
