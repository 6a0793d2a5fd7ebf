/**
 * Ranking and verdicts on the development queries: nDCG@10, recall@50 and MRR by type, each inside the scope of its
 * judgments, against plain MiniSearch over the same records; then false migrations, accepted migrations, and verdicts on
 * judged documentation. Nothing here is tuned: settings are those of `parallel()`.
 */
import MiniSearch from 'minisearch'
import type { CorpusRecord } from '../src/corpus/records.ts'
import { parallel, type RetrievalResult, Retriever } from '../src/index.ts'
import { type BenchQuery, type BenchSet, loadSet, setNames, textOf } from './data.ts'
import { mean, ndcg, recall, reciprocalRank, round } from './measures.ts'
import { begin, percent, printTable } from './report.ts'

begin('Ranking by type (nDCG@10, recall@50, MRR) and verdicts of parallel() on the development queries.')

interface Outcome {
  readonly query: BenchQuery
  readonly result: RetrievalResult
  readonly judged: ReadonlyMap<string, number>
}

function plainSearch(set: BenchSet, type: BenchQuery['type']): (text: string) => string[] {
  const fields =
    type === 'migration'
      ? ['source_api', 'match_terms', 'before_code', 'notes']
      : ['title', 'content', 'code_blocks', 'api_symbols']
  const index = new MiniSearch<CorpusRecord>({ fields, extractField: textOf })
  index.addAll(set.records.filter((record) => set.inScope(type, record)))
  return (text) =>
    index
      .search(text)
      .slice(0, 50)
      .map(({ id }) => String(id))
}

const labelOf = ({ type, subset }: BenchQuery): string =>
  type === 'tutorial' && subset !== undefined ? `${type} ${subset}` : type

/** Two halves of the projects, the same in every run. */
const halfOf = (project: string): number =>
  [...project].reduce((hash, char) => (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003, 7) % 2

for (const name of setNames) {
  const set = loadSet(name)
  await using retriever = await Retriever.create({ records: set.records, strategy: parallel() })
  const outcomes: Outcome[] = []
  for (const query of set.queries) {
    const mapping = query.type === 'migration' || query.type === 'no_migration'
    const result = await retriever.retrieve(query.chunkText, {
      language: query.language,
      collections: [mapping ? 'api_mapping' : 'docs_chunks'],
      filter: (record) => set.inScope(query.type, record),
      // Every mapping may be a candidate where a false one would count.
      ...(mapping ? { limit: 2_000 } : {}),
    })
    outcomes.push({ query, result, judged: set.qrels.get(query.id) ?? new Map() })
  }
  const ranked = outcomes.filter(({ query }) => query.type !== 'no_migration')
  const rows: string[][] = []
  const plain = new Map(
    (['tutorial', 'api', 'migration'] as const).map((type) => [type as string, plainSearch(set, type)]),
  )
  for (const label of new Set(ranked.map(({ query }) => labelOf(query)))) {
    const own = ranked.filter(({ query }) => labelOf(query) === label)
    const measured = (rank: (outcome: Outcome) => readonly string[], measure: typeof ndcg): string =>
      round(mean(own.map((outcome) => measure(rank(outcome), outcome.judged))))
    const ours = ({ result }: Outcome): string[] => result.candidates.map(({ id }) => id)
    const cache = new Map(own.map(({ query }) => [query.id, plain.get(query.type)!(query.chunkText)]))
    const theirs = ({ query }: Outcome): string[] => cache.get(query.id)!
    const half = (index: number): string =>
      round(
        mean(
          own
            .filter(({ query }) => halfOf(query.project) === index)
            .map((outcome) => ndcg(ours(outcome), outcome.judged)),
        ),
      )
    rows.push([
      label,
      String(own.length),
      measured(ours, ndcg),
      measured(ours, recall),
      measured(ours, reciprocalRank),
      half(0),
      half(1),
      measured(theirs, ndcg),
      measured(theirs, recall),
      measured(theirs, reciprocalRank),
    ])
  }
  console.log(`${name}: ${set.records.length} records`)
  printTable(
    [
      'type',
      'queries',
      'nDCG@10',
      'recall@50',
      'MRR',
      'nDCG half A',
      'half B',
      'MiniSearch nDCG@10',
      'recall@50',
      'MRR',
    ],
    rows,
  )

  const clean = outcomes.filter(({ query }) => query.type === 'no_migration')
  const relevant = ranked
    .filter(({ query }) => query.type === 'migration')
    .flatMap(({ result, judged }) =>
      [...judged]
        .filter(([, grade]) => grade >= 2)
        .map(([id]) => result.candidates.find((candidate) => candidate.id === id)?.verdict.outcome),
    )
  const share = (outcome: string): string =>
    `${relevant.filter((each) => each === outcome).length} (${percent(relevant.filter((each) => each === outcome).length, relevant.length)})`
  printTable(
    ['migrations', 'figure'],
    [
      [
        'chunks without a migration in which one is accepted',
        `${clean.filter(({ result }) => result.accepted.length > 0).length} of ${clean.length}`,
      ],
      ['relevant migrations', relevant.length],
      ['of them accepted', share('accept')],
      ['of them uncertain', share('uncertain')],
    ],
  )
  const verdicts: string[][] = []
  for (const type of ['tutorial', 'api'] as const) {
    for (const grade of [3, 2, 1, 0]) {
      const found = ranked
        .filter(({ query }) => query.type === type)
        .flatMap(({ result, judged }) =>
          [...judged]
            .filter(([, given]) => given === grade)
            .map(([id]) => result.candidates.find((candidate) => candidate.id === id)?.verdict.outcome ?? 'not found'),
        )
      verdicts.push([
        `${type}, grade ${grade}`,
        ...['accept', 'uncertain', 'reject', 'not found'].map((outcome) =>
          percent(found.filter((each) => each === outcome).length, found.length),
        ),
      ])
    }
  }
  printTable(['judged documentation', 'accept', 'uncertain', 'reject', 'not found'], verdicts)
}
