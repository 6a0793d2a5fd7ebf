import type { Evidence, Hit, Verdict } from '../../src/contracts.ts'
import {
  describeEvidence,
  describeFused,
  describeHits,
  describeProvenance,
  describeUnion,
  describeVerdicts,
} from '../../src/trace/payloads.ts'
import { TraceRecorder } from '../../src/trace/recorder.ts'
import type { Trace, TraceStage } from '../../src/trace/schema.ts'

export const chunkText = 'func turn():\n\tif moving:\n\t\t$AnimatedSprite2D.play()\n'

/** A clock that goes on by `step` milliseconds at each look. */
export function fakeClock(step = 1): () => number {
  let time = 0
  return () => {
    time += step
    return time - step
  }
}

export function hit(id: string, rank: number, score: number, why: Hit['why'] = {}): Hit {
  return { collection: 'docs_chunks', id, rank, score, why }
}

const start = chunkText.indexOf('AnimatedSprite2D')
const play: Evidence = {
  text: 'AnimatedSprite2D.play',
  kind: 'chain',
  weight: 3,
  chunk: { start, end: start + 'AnimatedSprite2D.play'.length },
  field: 'title',
  record: { start: 0, end: 21 },
}

const accepted: Verdict = {
  outcome: 'accept',
  by: 'literal',
  reason: 'the chunk calls AnimatedSprite2D.play',
  evidence: [play],
  missing: [],
}
const rejected: Verdict = {
  outcome: 'reject',
  by: 'literal',
  reason: 'nothing of the chunk stands in the record',
  evidence: [],
  missing: ['AnimatedSprite2D', 'moving'],
}

/** A trace of strategy `parallel` with two candidates, made as a strategy makes it. */
export async function parallelTrace(): Promise<Trace> {
  const recorder = new TraceRecorder(fakeClock())
  const candidates = [
    {
      collection: 'docs_chunks',
      id: 'play',
      hits: { bm25: { rank: 1, score: 9.12345, terms: ['play'] }, literal: { rank: 1, score: 4 } },
      contributions: { bm25: 1 / 61, literal: 1 / 61 },
      fusedScore: 2 / 61,
      verdict: accepted,
    },
    {
      collection: 'docs_chunks',
      id: 'input',
      hits: { embedding: { rank: 1, score: 0.5, similarity: 0.5 } },
      contributions: { embedding: 1 / 61 },
      fusedScore: 1 / 61,
      verdict: rejected,
    },
  ]
  await recorder.stage('bm25', () => [hit('play', 1, 9.12345, { terms: ['play', 'sprite'] })], describeHits)
  await recorder.stage('embedding', () => [hit('input', 1, 0.5, { similarity: 0.5 })], describeHits)
  await recorder.stage('literal', () => [hit('play', 1, 4)], describeHits)
  recorder.note('union', describeUnion(candidates))
  recorder.note('provenance', describeProvenance(candidates))
  await recorder.stage('fuse', () => candidates, describeFused)
  await recorder.stage('evidence', () => candidates, describeEvidence)
  await recorder.stage('validate', () => candidates, describeVerdicts)
  recorder.note('ranking', {
    candidates: candidates.map(({ collection, id, fusedScore, verdict }, index) => ({
      collection,
      id,
      rank: index + 1,
      outcome: verdict.outcome,
      fusedScore,
    })),
  })
  return recorder.finish({ strategy: 'parallel', chunk: chunk(chunkText), degraded: [], status: 'evidence' })
}

export function chunk(text: string): Trace['chunk'] {
  return { text, language: 'gdscript', characters: text.length }
}

/** A trace with the given stages and nothing else to look at. */
export function traceOf(stages: readonly TraceStage[], text = ''): Trace {
  return {
    format: 'direct-evidence/trace',
    version: 1,
    strategy: 'parallel',
    chunk: chunk(text),
    stages,
    degraded: [],
    status: 'no-direct-evidence',
  }
}
