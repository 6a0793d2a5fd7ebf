/**
 * Strategy F with the evidence reranker against strategy D: the fused order that both begin with, D's ranking and F's,
 * with a paired randomisation test over the queries.
 */
import { type Candidate, parallel, Retriever, rerank } from '../src/index.ts'
import { labelOf, loadSet, scopeOf, setNames } from './data.ts'
import { mean, ndcg, round } from './measures.ts'
import { begin, printTable } from './report.ts'

const permutations = 20_000

/** Two-sided p-value of a difference of paired values under random exchange; seeded, so that a run can be repeated. */
function randomisation(a: readonly number[], b: readonly number[]): number {
  const differences = a.map((value, index) => value - b[index]!)
  const observed = Math.abs(mean(differences))
  let state = 1
  let extreme = 0
  for (let run = 0; run < permutations; run++) {
    let sum = 0
    for (const difference of differences) {
      // Park and Miller's generator.
      state = (state * 48_271) % 2_147_483_647
      sum += state % 2 === 0 ? difference : -difference
    }
    if (Math.abs(sum / differences.length) >= observed - 1e-12) extreme++
  }
  return (extreme + 1) / (permutations + 1)
}

const idsOf = (candidates: readonly { readonly id: string }[]): string[] => candidates.map(({ id }) => id)
const byFusedScore = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.toSorted((a, b) => b.fusedScore - a.fusedScore || (a.id < b.id ? -1 : 1))

begin('nDCG@10 of strategy F (evidence reranker, 80 deep) and strategy D (50 deep), inside the scope of the judgments.')
const rows: (string | number)[][] = []
for (const name of setNames) {
  const set = loadSet(name)
  await using d = await Retriever.create({ records: set.records, strategy: parallel() })
  await using f = await Retriever.create({ records: set.records, strategy: rerank() })
  const labels = [...new Set(set.queries.filter(({ type }) => type !== 'no_migration').map(labelOf))]
  for (const label of labels) {
    const values = { fused: [] as number[], d: [] as number[], f: [] as number[] }
    for (const query of set.queries.filter((each) => labelOf(each) === label)) {
      const grades = set.qrels.get(query.id) ?? new Map<string, number>()
      const ofD = await d.retrieve(query.chunkText, scopeOf(set, query))
      const ofF = await f.retrieve(query.chunkText, scopeOf(set, query))
      values.fused.push(ndcg(idsOf(byFusedScore(ofD.candidates)), grades))
      values.d.push(ndcg(idsOf(ofD.candidates), grades))
      values.f.push(ndcg(idsOf(ofF.candidates), grades))
    }
    const p = randomisation(values.f, values.d)
    const fusedP = randomisation(values.f, values.fused)
    rows.push([
      `${name}, ${label}`,
      values.d.length,
      ...[values.fused, values.d, values.f].map((each) => round(mean(each), 3)),
      round(p, 4),
      round(fusedP, 4),
    ])
  }
}
printTable(
  ['type', 'queries', 'D, fused order', 'D, ranking', 'F, ranking', 'p, F against D', 'p, F against the fused order'],
  rows,
)
