import { z } from 'zod'
import type {
  Candidate,
  CandidateHit,
  Evidence,
  Hit,
  Json,
  ModelConsultation,
  Outcome,
  Unjudged,
  Verdict,
} from '../contracts.ts'
import type { RecordKey } from '../corpus/records.ts'
import type { StageLog } from './recorder.ts'

/** Answer of the validator in the words a model is asked in. */
export type Answer = 'yes' | 'no' | 'undecided'

const answers: Readonly<Record<Outcome, Answer>> = { accept: 'yes', reject: 'no', uncertain: 'undecided' }

/** Stages `bm25`, `embedding`, `literal` and every other search: what one modality found. */
export function describeHits(hits: readonly Hit[]): StageLog {
  return { hits: hits.map(({ collection, id, rank, score, why }) => ({ collection, id, rank, score, why })) }
}

/** Stage `union`: every record that was found, once, in the order given. */
export function describeUnion(candidates: readonly RecordKey[]): StageLog {
  return { candidates: candidates.map(keyPart) }
}

/** Stage `provenance`: which modality found each record, and how. */
export function describeProvenance(
  candidates: readonly (RecordKey & { readonly hits: Readonly<Record<string, CandidateHit>> })[],
): StageLog {
  return { candidates: candidates.map((candidate) => ({ ...keyPart(candidate), modalities: candidate.hits })) }
}

/** Stage `fuse`: the fused score of each record and what it is the sum of. */
export function describeFused(
  candidates: readonly (RecordKey & {
    readonly fusedScore: number
    readonly contributions: Readonly<Record<string, number>>
  })[],
): StageLog {
  return {
    candidates: candidates.map((candidate) => ({
      ...keyPart(candidate),
      fusedScore: candidate.fusedScore,
      contributions: candidate.contributions,
    })),
  }
}

/** A candidate with its verdict. */
type Judged = RecordKey & { readonly verdict: Verdict }

/** Stage `evidence`: what stands in chunk and record, and what would have and does not. */
export function describeEvidence(candidates: readonly Judged[]): StageLog {
  return {
    candidates: candidates.map((candidate) => ({
      ...keyPart(candidate),
      evidence: candidate.verdict.evidence.map(evidencePart),
      missing: candidate.verdict.missing,
    })),
  }
}

/** Stage `validate`: the verdict on each candidate. */
export function describeVerdicts(candidates: readonly Judged[]): StageLog {
  return {
    verdicts: candidates.map((candidate) => {
      const { outcome, by, reason, model } = candidate.verdict
      const said = { ...keyPart(candidate), outcome, by, reason, answer: answers[outcome] }
      return model === undefined ? said : { ...said, model: consultationPart(model) }
    }),
  }
}

/** Stage `ranking`: the final order, with what was decided. */
export function describeRanking(candidates: readonly Candidate[]): StageLog {
  return {
    candidates: candidates.map((candidate) => {
      const { rank, fusedScore, verdict } = candidate
      return { ...keyPart(candidate), rank, outcome: verdict.outcome, fusedScore }
    }),
  }
}

/** Stage `rerank`: every candidate in its new order, with what the reranker did to it. */
export function describeMoves(candidates: readonly Unjudged[]): StageLog {
  return {
    candidates: candidates.map((candidate) => {
      const { fusedScore, rerank } = candidate
      return { ...keyPart(candidate), fusedScore, rerank: rerank === undefined ? null : { ...rerank } }
    }),
  }
}

function keyPart({ collection, id }: RecordKey): { collection: string; id: string } {
  return { collection, id }
}

function evidencePart({ text, kind, weight, chunk, field, record }: Evidence): Json {
  return { text, kind, weight, chunk: { ...chunk }, field, record: { ...record } }
}

function consultationPart({ model, answer, quotes, reply, calls, usage }: ModelConsultation): Json {
  return {
    model,
    answer,
    quotes: quotes.map(({ text, verified, reason }) => ({
      text,
      verified,
      ...(reason === undefined ? {} : { reason }),
    })),
    reply,
    calls,
    ...(usage === undefined ? {} : { usage: { ...usage } }),
  }
}

const key = { collection: z.string(), id: z.string() }
const span = z.object({ start: z.int().min(0), end: z.int().min(0) })
const rank = z.int().min(1)
const evidence = z.object({
  text: z.string(),
  kind: z.string(),
  weight: z.number().min(0),
  chunk: span,
  field: z.string(),
  record: span,
})

const hits = z.looseObject({
  hits: z.array(z.object({ ...key, rank, score: z.number(), why: z.record(z.string(), z.json()) })),
})
const modalities = z.record(z.string(), z.looseObject({ rank, score: z.number() }))

/**
 * What the stages of strategy `parallel` log, by stage name, in the order in which they run. For tests and for readers
 * of a trace; another strategy may log other things under other names.
 */
export const stageSchemas: Readonly<
  Record<
    'bm25' | 'embedding' | 'literal' | 'union' | 'provenance' | 'fuse' | 'evidence' | 'validate' | 'ranking',
    z.ZodType
  >
> = {
  bm25: hits,
  embedding: hits,
  literal: hits,
  union: z.looseObject({
    candidates: z
      .array(z.object(key))
      .refine((all) => new Set(all.map(({ collection, id }) => `${collection}\u0000${id}`)).size === all.length, {
        message: 'a record stands in the union twice',
      }),
  }),
  provenance: z.looseObject({ candidates: z.array(z.object({ ...key, modalities })) }),
  fuse: z.looseObject({
    candidates: z.array(z.object({ ...key, fusedScore: z.number(), contributions: z.record(z.string(), z.number()) })),
  }),
  evidence: z.looseObject({
    candidates: z.array(z.object({ ...key, evidence: z.array(evidence), missing: z.array(z.string()) })),
  }),
  validate: z.looseObject({
    verdicts: z.array(
      z.object({
        ...key,
        outcome: z.enum(['accept', 'uncertain', 'reject']),
        by: z.string(),
        reason: z.string(),
        answer: z.enum(['yes', 'no', 'undecided']),
      }),
    ),
  }),
  ranking: z.looseObject({
    candidates: z.array(
      z.object({
        ...key,
        rank,
        outcome: z.enum(['accept', 'uncertain', 'reject']),
        fusedScore: z.number(),
      }),
    ),
  }),
}
