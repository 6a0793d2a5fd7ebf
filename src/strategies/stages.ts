import type {
  Candidate,
  CandidateHit,
  ChunkQuery,
  Degradation,
  Hit,
  IndexedRecord,
  Modality,
  SearchOptions,
  SearchResult,
  StrategyContext,
  Unjudged,
  Validator,
  Verdict,
} from '../contracts.ts'
import { keyOf, type RecordKey } from '../corpus/records.ts'
import { messageOf } from '../errors.ts'
import { missingGrammarFor, uncheckedPattern } from '../evidence/source-patterns.ts'
import { verifyVerdict } from '../evidence/verify.ts'
import { liftParts } from '../fusion/coherence.ts'
import type { Fusion } from '../fusion/fuse.ts'
import {
  describeEvidence,
  describeFused,
  describeHits,
  describeProvenance,
  describeRanking,
  describeUnion,
  describeVerdicts,
} from '../trace/payloads.ts'
import type { StageLog } from '../trace/recorder.ts'

/** Hits by the modality that brought them. */
export type Found = ReadonlyMap<string, readonly Hit[]>

/** A record found by at least one modality, with every hit it got. */
export interface United extends RecordKey {
  readonly hits: Readonly<Record<string, CandidateHit>>
}

/** How a search of several modalities differs from the usual one. */
export interface SearchAllOptions {
  /** Stands before the names of the modalities in the trace and in what was found: `profile:bm25`. Default: nothing. */
  readonly prefix?: string
  /** Instead of the caller's collections. */
  readonly collections?: ReadonlySet<string> | undefined
}

/** Asks several modalities at the same time, each as deep as it is told, or as the caller's limit if that is deeper. */
export async function searchAll(
  query: ChunkQuery,
  context: StrategyContext,
  depths: Readonly<Record<string, number>>,
  { prefix = '', collections = context.scope.collections }: SearchAllOptions = {},
): Promise<Found> {
  const found = await Promise.all(
    Object.entries(depths).map(async ([name, depth]) => {
      const modality = context.modality(name)
      const limit = Math.max(depth, context.limit ?? 0)
      const result = await context.trace.stage(
        prefix + name,
        () => searchOne(modality, query, { ...context.scope, collections, limit }),
        describeSearch,
      )
      for (const degradation of result.degraded ?? []) context.degrade(degradation)
      return [prefix + name, result.hits] as const
    }),
  )
  return new Map(found)
}

/** A modality that fails brings nothing, and the result says so; an abort is the caller's own wish. */
async function searchOne(modality: Modality, query: ChunkQuery, options: SearchOptions): Promise<SearchResult> {
  try {
    return await modality.search(query, options)
  } catch (error) {
    options.signal?.throwIfAborted()
    return { hits: [], degraded: [{ stage: modality.name, code: 'modality-failed', message: messageOf(error) }] }
  }
}

function describeSearch({ hits, degraded = [] }: SearchResult): StageLog {
  return degraded.length === 0
    ? describeHits(hits)
    : { ...describeHits(hits), degraded: degraded.map((each) => ({ ...each })) }
}

/**
 * Every record found, once, with all its hits: duplicates are merged and where they came from is kept.
 *
 * @param prefix Stands before the names of the stages in the trace, for a second union beside the first.
 */
export async function unite(found: Found, context: StrategyContext, prefix = ''): Promise<readonly United[]> {
  const united = await context.trace.stage(`${prefix}union`, () => merge(found), describeUnion)
  context.trace.note(`${prefix}provenance`, describeProvenance(united))
  return united
}

/** What was found by several modalities, every record once, in the order of keys. */
export function merge(found: Found): United[] {
  const merged = new Map<string, { collection: string; id: string; hits: Record<string, CandidateHit> }>()
  for (const [modality, hits] of found) {
    for (const { collection, id, rank, score, why } of hits) {
      const key = keyOf({ collection, id })
      let united = merged.get(key)
      if (united === undefined) merged.set(key, (united = { collection, id, hits: {} }))
      const known = united.hits[modality]
      if (known === undefined || rank < known.rank) united.hits[modality] = { ...why, rank, score }
    }
  }
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, united]) => united)
}

/** Options of {@link fuse}. */
export interface FuseOptions {
  readonly coherence?: number
  readonly prefix?: string
}

/**
 * One score a record from the scores of all modalities. Each collection is fused for itself, because its hits were
 * ranked by its own statistics; best first over all collections, ties by collection and id.
 *
 * @param options `coherence`: what a part of a document gets of the fused score of the best other part, as a share;
 * default 0. `prefix`: as in {@link unite}.
 */
export async function fuse(
  united: readonly United[],
  found: Found,
  fusion: Fusion,
  context: StrategyContext,
  { coherence = 0, prefix = '' }: FuseOptions = {},
): Promise<readonly Unjudged[]> {
  return context.trace.stage(
    `${prefix}fuse`,
    () => {
      const byKey = new Map(united.map((each) => [keyOf(each), each]))
      const fused: Unjudged[] = []
      for (const collection of new Set(united.map((each) => each.collection))) {
        const lists = Array.from(found, ([name, hits]) => ({
          name,
          hits: hits
            .filter((hit) => hit.collection === collection)
            .map((hit) => ({ key: keyOf(hit), rank: hit.rank, score: hit.score })),
        }))
        const documentOf = (key: string): string | undefined => context.record(byKey.get(key)!).reading.document
        for (const { key, score, contributions } of liftParts(fusion.fuse(lists), documentOf, coherence)) {
          const { id, hits } = byKey.get(key)!
          const { record } = context.record({ collection, id })
          fused.push({
            collection,
            id,
            record,
            hits,
            contributions: Object.fromEntries(contributions),
            fusedScore: score,
          })
        }
      }
      return fused.sort(byFusedScore)
    },
    describeFused,
  )
}

function byFusedScore(a: Unjudged, b: Unjudged): number {
  return b.fusedScore - a.fusedScore || compareKeys(a, b)
}

function compareKeys(a: RecordKey, b: RecordKey): number {
  const left = keyOf(a)
  const right = keyOf(b)
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * Asks the validator about every candidate, checks each piece of evidence it gives against both texts, and ranks: in the
 * order given, the rejected behind all others.
 */
export async function validate(
  query: ChunkQuery,
  unjudged: readonly Unjudged[],
  validator: Validator,
  context: StrategyContext,
): Promise<readonly Candidate[]> {
  const judged = await context.trace.stage(
    'validate',
    async () => {
      const entries = unjudged.map((candidate) => context.record(candidate))
      const verdicts = await askAll(validator, query, entries, context)
      const { collections } = context.knowledge
      return unjudged.map((candidate, index) => ({
        ...candidate,
        verdict: withoutUnchecked(
          verifyVerdict(
            verdicts[index],
            validator.name,
            query.reading,
            candidate.record,
            collections.get(candidate.collection),
          ),
          query,
          entries[index]!,
        ),
      }))
    },
    describeVerdicts,
  )
  context.trace.note('evidence', describeEvidence(judged))
  degradeForGrammars(query, judged, context)
  const ranked = rank(judged)
  context.trace.note('ranking', describeRanking(ranked))
  return ranked
}

/** A pattern is a condition of its record: while it cannot be checked nobody's word makes the record an accept. */
function withoutUnchecked(verdict: Verdict, query: ChunkQuery, entry: IndexedRecord): Verdict {
  if (verdict.outcome !== 'accept') return verdict
  const reason = uncheckedPattern(query.reading, entry)
  return reason === undefined ? verdict : { ...verdict, outcome: 'uncertain', reason }
}

/** Says once that patterns could not be checked, where that decided: the gates, if any, are fulfilled. */
function degradeForGrammars(
  query: ChunkQuery,
  judged: readonly Omit<Candidate, 'rank'>[],
  context: StrategyContext,
): void {
  let count = 0
  let first: string | undefined
  for (const { verdict, collection, id } of judged) {
    const entry = context.record({ collection, id })
    if (entry.reading.patterns.length === 0 || (isRejected({ verdict }) && entry.reading.gates.length > 0)) continue
    const missing = missingGrammarFor(query.reading, entry)
    if (missing === undefined) continue
    count++
    first ??= missing
  }
  if (first === undefined) return
  const whose = count === 1 ? 'The pattern of 1 record' : `The patterns of ${count} records`
  context.degrade({ stage: 'validate', code: 'grammar-missing', message: `${whose} could not be checked: ${first}.` })
}

/** A validator that fails leaves every candidate uncertain, and the result says so. */
async function askAll(
  validator: Validator,
  query: ChunkQuery,
  entries: readonly IndexedRecord[],
  context: StrategyContext,
): Promise<readonly unknown[]> {
  const { signal } = context.scope
  try {
    const { knowledge } = context
    const degrade = (degradation: Omit<Degradation, 'stage'>): void =>
      context.degrade({ stage: 'validate', ...degradation })
    const verdicts: unknown = await validator.validate(query, entries, { knowledge, degrade, signal })
    if (Array.isArray(verdicts)) return verdicts
    context.degrade({
      stage: 'validate',
      code: 'validator-failed',
      message: `Validator "${validator.name}" gave no list of verdicts.`,
    })
  } catch (error) {
    signal?.throwIfAborted()
    context.degrade({
      stage: 'validate',
      code: 'validator-failed',
      message: `Validator "${validator.name}" failed: ${messageOf(error)}`,
    })
  }
  return []
}

function isRejected({ verdict }: { readonly verdict: Verdict }): boolean {
  return verdict.outcome === 'reject'
}

const outcomeOrder = { accept: 0, uncertain: 1, reject: 2 } as const

/**
 * At most `limit` candidates, in their order. Accepted ones are the last to be left out, then uncertain ones: evidence
 * is not lost to a better-ranked candidate without.
 */
export function limitTo(candidates: readonly Candidate[], limit: number | undefined): readonly Candidate[] {
  if (limit === undefined || candidates.length <= limit) return candidates
  return [...candidates]
    .sort((a, b) => outcomeOrder[a.verdict.outcome] - outcomeOrder[b.verdict.outcome] || a.rank - b.rank)
    .slice(0, limit)
    .sort((a, b) => a.rank - b.rank)
    .map((candidate, index) => ({ ...candidate, rank: index + 1 }))
}

/** Numbers judged candidates from 1: the rejected behind all others, otherwise in the order they are given in. */
export function rank(judged: readonly (Unjudged & { readonly verdict: Verdict })[]): readonly Candidate[] {
  return [...judged]
    .sort((a, b) => Number(isRejected(a)) - Number(isRejected(b)))
    .map((candidate, index) => ({ ...candidate, rank: index + 1 }))
}
