import type {
  ChunkQuery,
  Degradation,
  RerankDocument,
  Reranked,
  Reranker,
  RerankMove,
  StrategyContext,
  Unjudged,
} from '../contracts.ts'
import { fieldTexts } from '../corpus/reading.ts'
import { messageOf } from '../errors.ts'
import { describeMoves } from '../trace/payloads.ts'

/** What to rerank with, and how far down. */
export interface RerankStageOptions {
  readonly reranker: Reranker
  /** Candidates from the top that the reranker sees; the others keep their places behind them. */
  readonly depth: number
}

/**
 * Lets a reranker put the best candidates in another order. It orders and never deletes: a candidate that it does not
 * name keeps its place, and so do all when it fails or says nothing usable; the result says so. Fused scores stay as
 * they are; each candidate that was shown gets its `rerank`: score, places before and after, reason.
 */
export async function rerankCandidates(
  query: ChunkQuery,
  fused: readonly Unjudged[],
  { reranker, depth }: RerankStageOptions,
  context: StrategyContext,
): Promise<readonly Unjudged[]> {
  return context.trace.stage(
    'rerank',
    async () => {
      const shown = fused.slice(0, depth)
      const given = shown.length === 0 ? [] : await ask(query, shown, reranker, context)
      return [...moved(shown, given, reranker), ...fused.slice(depth)]
    },
    describeMoves,
  )
}

/** The checked reply of a reranker; empty when it fails. */
async function ask(
  query: ChunkQuery,
  shown: readonly Unjudged[],
  reranker: Reranker,
  context: StrategyContext,
): Promise<readonly Reranked[]> {
  const { knowledge, scope } = context
  const degrade = (degradation: Omit<Degradation, 'stage'>): void =>
    context.degrade({ stage: 'rerank', ...degradation })
  const documents = shown.map((candidate): RerankDocument => {
    const entry = context.record(candidate)
    const collection = knowledge.collections.get(entry.collection)
    const texts = collection === undefined ? [] : fieldTexts(entry.record, collection)
    const text = texts.flatMap((each) => (each.weight > 0 ? each.text : [])).join('\n')
    return { entry, text, fusedScore: candidate.fusedScore }
  })
  try {
    const reply: unknown = await reranker.rerank(query, documents, { knowledge, signal: scope.signal, degrade })
    const checked = check(reply, documents.length, reranker)
    if (typeof checked !== 'string') return checked
    degrade({ code: 'reranker-failed', message: `Reranker "${reranker.name}": ${checked}; the fused order is kept.` })
  } catch (error) {
    scope.signal?.throwIfAborted()
    const message = `Reranker "${reranker.name}" failed: ${messageOf(error)}; the fused order is kept.`
    degrade({ code: 'reranker-failed', message })
  }
  return []
}

/** The reply with every index once, best first; or what is wrong with it. */
function check(reply: unknown, count: number, { scores }: Reranker): readonly Reranked[] | string {
  if (!Array.isArray(reply)) return 'it gave no list'
  const first = new Map<number, Reranked>()
  for (const item of reply as readonly (Reranked | null | undefined)[]) {
    const index = item?.index
    if (item === null || item === undefined || !Number.isInteger(index) || index! < 0 || index! >= count)
      return 'it names a candidate that it was not given'
    if (scores !== 'none' && !Number.isFinite(item.score)) return 'a score is missing or no number'
    if (!first.has(index!)) first.set(index!, item)
  }
  const checked = [...first.values()]
  return scores === 'none' ? checked : checked.sort((a, b) => b.score! - a.score! || a.index - b.index)
}

/** Candidates that were named take the places that named ones have, best first; the others stay where they are. */
function moved(shown: readonly Unjudged[], given: readonly Reranked[], { name, scores }: Reranker): Unjudged[] {
  const named = new Set(given.map(({ index }) => index))
  const places = shown.flatMap((_, place) => (named.has(place) ? place : []))
  const order = shown.map((_, place) => place)
  for (const [nth, { index }] of given.entries()) order[places[nth]!] = index
  const told = new Map(given.map((each) => [each.index, each]))
  return order.map((from, to) => {
    const reply = told.get(from)
    const rerank: RerankMove = {
      by: name,
      score: scores === 'none' ? null : (reply?.score ?? null),
      scores,
      rankBefore: from + 1,
      rankAfter: to + 1,
      reason: reply === undefined ? 'not named by the reranker' : (reply.reason ?? ''),
    }
    return { ...shown[from]!, rerank }
  })
}
