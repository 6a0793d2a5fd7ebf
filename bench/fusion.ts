/**
 * Chooses the default fusion: hits are recorded once, then fused again under every setting. Prints nDCG@10 by type for each,
 * and what leave-one-project-group-out selection would have scored (5 folds of projects).
 */
import type { Hit } from '../src/contracts.ts'
import { keyOf } from '../src/corpus/records.ts'
import { literalValidator } from '../src/evidence/literal-validator.ts'
import {
  bm25,
  convexCombination,
  defineStrategy,
  embedding,
  type Fusion,
  hashedEmbedder,
  literal,
  Retriever,
  reciprocalRankFusion,
} from '../src/index.ts'
import { fuse, searchAll, unite, validate } from '../src/strategies/stages.ts'
import { type BenchQuery, loadSet, setNames } from './data.ts'
import { mean, ndcg, round } from './measures.ts'
import { begin } from './report.ts'

interface Recorded {
  readonly query: BenchQuery
  readonly set: string
  readonly found: ReadonlyMap<string, readonly Hit[]>
  readonly rejected: ReadonlySet<string>
  readonly judged: ReadonlyMap<string, number>
}

begin('nDCG@10 by type under every setting of the fusion, the same hits fused again; development queries.')
const recorded: Recorded[] = []
for (const name of setNames) {
  const set = loadSet(name)
  let found: ReadonlyMap<string, readonly Hit[]> = new Map()
  const strategy = defineStrategy({
    name: 'record',
    modalities: [
      bm25(),
      embedding({ embedder: hashedEmbedder({ dimensions: Number(process.env.DIM ?? 256) }) }),
      literal(),
    ],
    async run(query, context) {
      found = await searchAll(query, context, { bm25: 50, embedding: 50, literal: 50 })
      const united = await unite(found, context)
      return validate(query, await fuse(united, found, convexCombination(), context), literalValidator(), context)
    },
  })
  await using retriever = await Retriever.create({ records: set.records, strategy })
  for (const query of set.queries) {
    if (query.type === 'no_migration') continue
    const { rejected } = await retriever.retrieve(query.chunkText, {
      language: query.language,
      collections: [query.type === 'migration' ? 'api_mapping' : 'docs_chunks'],
      filter: (record) => set.inScope(query.type, record),
    })
    recorded.push({
      query,
      set: name,
      found,
      rejected: new Set(rejected.map(({ id }) => id)),
      judged: set.qrels.get(query.id) ?? new Map(),
    })
  }
}

function score({ found, judged, rejected }: Recorded, fusion: Fusion, lists: readonly string[]): number {
  const fused = fusion.fuse(
    lists.map((name) => ({
      name,
      hits: (found.get(name) ?? []).map((hit) => ({ key: keyOf(hit), rank: hit.rank, score: hit.score })),
    })),
  )
  const ids = fused.map(({ key }) => key.slice(key.indexOf('\u0000') + 1))
  return ndcg([...ids.filter((id) => !rejected.has(id)), ...ids.filter((id) => rejected.has(id))], judged)
}

const settings: { name: string; fusion: Fusion; lists: string[] }[] = []
for (const list of ['bm25', 'literal', 'embedding'])
  settings.push({ name: `${list} alone`, fusion: convexCombination(), lists: [list] })
const all = ['bm25', 'literal', 'embedding']
for (const k of [10, 60]) {
  settings.push({ name: `rrf k=${k} bm25+literal`, fusion: reciprocalRankFusion({ k }), lists: ['bm25', 'literal'] })
  settings.push({ name: `rrf k=${k} all`, fusion: reciprocalRankFusion({ k }), lists: all })
}
for (const normaliser of ['minMax', 'zScore', 'max'] as const) {
  for (const embeddingWeight of [0, 0.1, 0.2, 0.3]) {
    for (const literalShare of [0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) {
      const weights = {
        embedding: embeddingWeight,
        literal: literalShare * (1 - embeddingWeight),
        bm25: (1 - literalShare) * (1 - embeddingWeight),
      }
      const lists = embeddingWeight === 0 ? ['bm25', 'literal'] : all
      settings.push({
        name: `${normaliser} e=${embeddingWeight} l=${literalShare}`,
        fusion: convexCombination({ normaliser, weights }),
        lists,
      })
    }
  }
}
const typeOf = ({ set, query }: Recorded): string => `${set}.${query.type}`
const types = [...new Set(recorded.map(typeOf))]
const table = settings.map((setting) => ({
  setting,
  scores: recorded.map((each) => score(each, setting.fusion, setting.lists)),
}))
const byType = (scores: readonly number[], keeps: (index: number) => boolean = () => true): number[] =>
  types.map((type) => mean(scores.filter((_, index) => keeps(index) && typeOf(recorded[index]!) === type)))
console.log(`nDCG@10: ${types.join(' | ')} | mean`)
const ranked = table
  .map(({ setting, scores }) => ({ name: setting.name, values: byType(scores) }))
  .toSorted((a, b) => mean(b.values) - mean(a.values))
for (const { name, values } of ranked.filter(
  ({ name }, index) => index < 14 || name.includes('alone') || name.includes('rrf'),
)) {
  console.log(`${name.padEnd(24)} ${values.map((value) => round(value)).join(' | ')} | ${round(mean(values))}`)
}
const projects = [...new Set(recorded.map(({ query }) => query.project))].sort()
const foldOf = (index: number): number => projects.indexOf(recorded[index]!.query.project) % 5
const held = recorded.map(() => 0)
for (let fold = 0; fold < 5; fold++) {
  const best = table.toSorted(
    (a, b) =>
      mean(byType(b.scores, (index) => foldOf(index) !== fold)) -
      mean(byType(a.scores, (index) => foldOf(index) !== fold)),
  )[0]!
  for (let index = 0; index < held.length; index++) if (foldOf(index) === fold) held[index] = best.scores[index]!
  console.log(`fold ${fold}: ${best.setting.name}`)
}
const heldByType = byType(held)
console.log(
  `held out                 ${heldByType.map((value) => round(value)).join(' | ')} | ${round(mean(heldByType))}`,
)
