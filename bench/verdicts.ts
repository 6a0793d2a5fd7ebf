/**
 * Verdicts of `parallel()` on the development queries: false migrations with every mapping as a candidate, relevant
 * migrations accepted, and what happens to judged documentation, by grade.
 */
import { parallel, type RetrievalResult, Retriever } from '../src/index.ts'
import { type BenchQuery, labelOf, loadSet, scopeOf, setNames } from './data.ts'
import { mean, round } from './measures.ts'
import { begin, percent, printTable } from './report.ts'

/** More than there are mappings: each is a candidate and gets a verdict. */
const everyMapping = 2_000

interface Judged {
  readonly query: BenchQuery
  readonly result: RetrievalResult
  readonly grades: ReadonlyMap<string, number>
}

const outcomes = ['accept', 'uncertain', 'reject', 'not found'] as const

/** The outcome of each judged record of a grade. */
function outcomesOf(judged: readonly Judged[], keeps: (grade: number) => boolean): string[] {
  return judged.flatMap(({ result, grades }) => {
    const found = new Map(result.candidates.map(({ id, verdict }) => [id, verdict.outcome]))
    return [...grades].filter(([, grade]) => keeps(grade)).map(([id]) => found.get(id) ?? 'not found')
  })
}

function count(all: readonly string[], outcome: string): number {
  return all.filter((each) => each === outcome).length
}

function printMigrations(name: string, judged: readonly Judged[]): void {
  const clean = judged.filter(({ query }) => query.type === 'no_migration')
  const groups = [...new Set(clean.map(({ query }) => query.subset ?? 'all'))]
  console.log(`${name}: chunks without a migration, every mapping a candidate`)
  printTable(
    ['subset', 'chunks', 'with an accepted mapping', 'rate', 'with an uncertain one', 'candidates a chunk'],
    groups.map((group) => {
      const own = clean.filter(({ query }) => (query.subset ?? 'all') === group)
      const wrong = own.filter(({ result }) => result.accepted.length > 0).length
      const open = own.filter(({ result }) => result.uncertain.length > 0).length
      const candidates = mean(own.map(({ result }) => result.candidates.length))
      return [group, own.length, wrong, percent(wrong, own.length), open, round(candidates, 0)]
    }),
  )
  for (const { query, result } of clean) {
    for (const { id, verdict } of result.accepted) console.log(`  ${query.id}: ${id}: ${verdict.reason}`)
  }
  const migrations = judged.filter(({ query }) => query.type === 'migration')
  const relevant = outcomesOf(migrations, (grade) => grade >= 2)
  const others = mean(
    migrations.map(({ result, grades }) => result.accepted.filter(({ id }) => !grades.get(id)).length),
  )
  console.log(`${name}: relevant migrations (grade 2 and 3), every mapping a candidate`)
  printTable(
    ['relevant', ...outcomes, 'accepted a chunk that are not judged relevant'],
    [
      [
        relevant.length,
        ...outcomes.map((outcome) => percent(count(relevant, outcome), relevant.length)),
        round(others, 2),
      ],
    ],
  )
}

function printDocumentation(name: string, judged: readonly Judged[]): void {
  const documentation = judged.filter(({ query }) => query.type === 'tutorial' || query.type === 'api')
  const labels = [...new Set(documentation.map(({ query }) => labelOf(query)))]
  const rows: (string | number)[][] = []
  const shares: string[][] = []
  for (const label of labels) {
    const own = documentation.filter(({ query }) => labelOf(query) === label)
    for (const grade of [3, 2, 1, 0]) {
      const all = outcomesOf(own, (given) => given === grade)
      rows.push([
        `${label}, grade ${grade}`,
        all.length,
        ...outcomes.map((outcome) => percent(count(all, outcome), all.length)),
      ])
    }
    const good = count(
      outcomesOf(own, (grade) => grade >= 1),
      'accept',
    )
    const bad = count(
      outcomesOf(own, (grade) => grade === 0),
      'accept',
    )
    const sizes = [
      own.flatMap(({ result }) => result.candidates).length,
      own.flatMap(({ result }) => result.accepted).length,
      own.flatMap(({ result }) => result.uncertain).length,
    ] as const
    shares.push([
      label,
      percent(good, good + bad),
      round(sizes[1] / own.length, 1),
      percent(sizes[1], sizes[0]),
      percent(sizes[2], sizes[0]),
      percent(own.filter(({ result }) => result.status === 'undecided').length, own.length),
      percent(own.filter(({ result }) => result.status === 'no-direct-evidence').length, own.length),
    ])
  }
  console.log(`${name}: judged documentation by grade (grade 0: hard negatives)`)
  printTable(['judged', 'records', ...outcomes], rows)
  console.log(`${name}: all candidates, judged or not`)
  printTable(
    [
      'type',
      'accepted judged, grade 1 up',
      'accepted a chunk',
      'accepted',
      'uncertain',
      'chunks undecided',
      'chunks without',
    ],
    shares,
  )
}

begin('Verdicts of parallel() on the development queries, inside the scope of the judgments.')
for (const name of setNames) {
  const set = loadSet(name)
  await using retriever = await Retriever.create({ records: set.records, strategy: parallel() })
  const judged: Judged[] = []
  for (const query of set.queries) {
    const limit = query.type.endsWith('migration') ? { limit: everyMapping } : {}
    const result = await retriever.retrieve(query.chunkText, { ...scopeOf(set, query), ...limit })
    judged.push({ query, result, grades: set.qrels.get(query.id) ?? new Map() })
  }
  printMigrations(name, judged)
  printDocumentation(name, judged)
}
