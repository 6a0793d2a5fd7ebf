/**
 * Ranking on the development queries by type, each inside the scope of its judgments: plain MiniSearch, every modality
 * alone, and `parallel()`. Then whether embedding finds what BM25 does not, and nDCG in two halves of the projects.
 */
import MiniSearch from 'minisearch'
import type { CorpusRecord } from '../src/corpus/records.ts'
import { type Candidate, parallel, Retriever } from '../src/index.ts'
import { type BenchQuery, type BenchSet, folds, labelOf, loadSet, scopeOf, setNames, textOf } from './data.ts'
import { mean, ndcg, recall, reciprocalRank, round } from './measures.ts'
import { begin, printTable } from './report.ts'

/** What every system may show. */
const depth = 50

/** One judged query with the ids that each system ranks, best first. */
interface Ranked {
  readonly query: BenchQuery
  readonly judged: ReadonlyMap<string, number>
  readonly ids: Map<string, readonly string[]>
}

const plain = 'MiniSearch, plain'
const withoutEmbedding = 'bm25 + literal'
const wholeCorpus = 'parallel, no scope'
const systems = [plain, 'bm25', 'literal', 'embedding', withoutEmbedding, 'parallel', wholeCorpus]

const idsOf = (candidates: readonly Candidate[]): string[] => candidates.map(({ id }) => id)

/** The list of one modality, as it came. */
function listOf(candidates: readonly Candidate[], modality: string): string[] {
  const rankOf = ({ hits }: Candidate): number => hits[modality]!.rank
  return idsOf(candidates.filter(({ hits }) => modality in hits).toSorted((a, b) => rankOf(a) - rankOf(b)))
}

/** Every text field in one index a scope, all options at their defaults. */
function rankPlainly(set: BenchSet, ranked: readonly Ranked[]): void {
  for (const type of new Set(ranked.map(({ query }) => query.type))) {
    const records = set.records.filter((record) => set.inScope(type, record))
    const fields =
      type === 'migration'
        ? ['source_api', 'match_terms', 'required_when_seen_in_code', 'before_code', 'notes']
        : ['title', 'content', 'code_blocks', 'api_symbols']
    const index = new MiniSearch<CorpusRecord>({ fields, extractField: textOf })
    index.addAll(records)
    for (const { query, ids } of ranked) {
      if (query.type !== type) continue
      const found = index.search(query.chunkText).slice(0, depth)
      ids.set(
        plain,
        found.map(({ id }) => String(id)),
      )
    }
  }
}

async function rankByRetriever(set: BenchSet, ranked: readonly Ranked[]): Promise<void> {
  const { records } = set
  await using full = await Retriever.create({ records, strategy: parallel() })
  for (const { query, ids } of ranked) {
    const { candidates } = await full.retrieve(query.chunkText, scopeOf(set, query))
    ids.set('parallel', idsOf(candidates))
    for (const modality of ['bm25', 'literal', 'embedding']) ids.set(modality, listOf(candidates, modality))
    // As a host calls it. What the judgments do not cover is taken out afterwards.
    const everything = await full.retrieve(query.chunkText, { language: query.language })
    const inScope = everything.candidates.filter(({ record }) => set.inScope(query.type, record))
    ids.set(wholeCorpus, idsOf(inScope))
  }
  await full.close()
  await using lexical = await Retriever.create({ records, strategy: parallel({ embedding: false }) })
  for (const { query, ids } of ranked) {
    ids.set(withoutEmbedding, idsOf((await lexical.retrieve(query.chunkText, scopeOf(set, query))).candidates))
  }
}

type Measure = (ranking: readonly string[], judged: ReadonlyMap<string, number>) => number

function average(ranked: readonly Ranked[], system: string, measure: Measure): string {
  return round(mean(ranked.map(({ ids, judged }) => measure(ids.get(system)!.slice(0, depth), judged))))
}

begin('nDCG@10, recall@50 and MRR@50 of raw chunks, development queries, by type, inside the scope of the judgments.')
for (const name of setNames) {
  const set = loadSet(name)
  const judgedQueries = set.queries.filter(({ type }) => type !== 'no_migration')
  const ranked = judgedQueries.map((query) => ({ query, judged: set.qrels.get(query.id)!, ids: new Map() }) as Ranked)
  rankPlainly(set, ranked)
  await rankByRetriever(set, ranked)
  const labels = [...new Set(judgedQueries.map(labelOf))]
  const ofLabel = (label: string): Ranked[] => ranked.filter(({ query }) => labelOf(query) === label)

  for (const label of labels) {
    const own = ofLabel(label)
    console.log(`${name}, ${label}: ${own.length} queries`)
    printTable(
      ['system', 'nDCG@10', 'recall@50', 'MRR@50'],
      systems.map((system) => [
        system,
        ...[ndcg, recall, reciprocalRank].map((measure) => average(own, system, (ids, judged) => measure(ids, judged))),
      ]),
    )
  }

  console.log(
    `${name}: does embedding find what BM25 and literal do not? Recall of the union of the first ${depth} of each.`,
  )
  const unionRecall = (own: readonly Ranked[], lists: readonly string[]): string =>
    round(
      mean(
        own.map(({ ids, judged }) => {
          const union = new Set(lists.flatMap((list) => ids.get(list)!.slice(0, depth)))
          return recall([...union], judged, union.size)
        }),
      ),
    )
  const unions = [['bm25'], ['bm25', 'embedding'], ['bm25', 'literal'], ['bm25', 'literal', 'embedding']]
  printTable(
    ['type', ...unions.map((lists) => lists.join(' ∪ '))],
    labels.map((label) => [label, ...unions.map((lists) => unionRecall(ofLabel(label), lists))]),
  )

  console.log(`${name}: nDCG@10 in two random halves of the projects`)
  const halfOf = folds(judgedQueries, 2)
  const part = (label: string, half: number): Ranked[] => ofLabel(label).filter(({ query }) => halfOf(query) === half)
  printTable(
    [
      'type',
      'half A queries',
      plain,
      withoutEmbedding,
      'parallel',
      'half B queries',
      plain,
      withoutEmbedding,
      'parallel',
    ],
    labels.map((label) => [
      label,
      ...[0, 1].flatMap((half) => [
        part(label, half).length,
        ...[plain, withoutEmbedding, 'parallel'].map((system) => average(part(label, half), system, ndcg)),
      ]),
    ]),
  )
}
