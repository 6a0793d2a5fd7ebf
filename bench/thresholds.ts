/**
 * Where the literal validator should draw its lines for documentation that is about no single name: the weight of
 * evidence by grade, precision and recall at every threshold, and what folds of projects would choose for each other.
 */
import { findEvidence, probesOf, weigh } from '../src/evidence/find.ts'
import { thresholds } from '../src/evidence/thresholds.ts'
import { literalValidator, parallel, Retriever, type Validator } from '../src/index.ts'
import { type BenchQuery, folds, loadSet, scopeOf, setNames } from './data.ts'
import { quantile, round } from './measures.ts'
import { begin, percent, printTable } from './report.ts'

/** A judged record without a subject; `weight` is undefined when no modality found it. */
interface Sample {
  readonly query: BenchQuery
  readonly grade: number
  readonly weight: number | undefined
  readonly rejected: boolean
}

const aim = { precision: 0.95, accepted: 0.75, kept: 0.9 }
const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step)

async function collect(name: (typeof setNames)[number]): Promise<Sample[]> {
  const set = loadSet(name)
  const weights = new Map<string, number>()
  const inner = literalValidator()
  const validator: Validator = {
    name: inner.name,
    validate(query, entries, options) {
      // All evidence, as the validator weighs it; a verdict shows the strongest pieces only.
      const probes = probesOf(query.reading, options.knowledge)
      for (const entry of entries) {
        const { subject } = entry.reading
        if (subject === undefined) weights.set(entry.id, weigh(findEvidence(query, entry, probes, options.knowledge)))
      }
      return inner.validate(query, entries, options)
    },
  }
  await using retriever = await Retriever.create({ records: set.records, strategy: parallel({ validator }) })
  const withSubject = new Set<string>()
  const samples: Sample[] = []
  for (const query of set.queries.filter(({ type }) => type === 'tutorial')) {
    weights.clear()
    const { candidates } = await retriever.retrieve(query.chunkText, scopeOf(set, query))
    const found = new Map(candidates.map((candidate) => [candidate.id, candidate]))
    for (const [id, grade] of set.qrels.get(query.id) ?? []) {
      const candidate = found.get(id)
      if (candidate !== undefined && !weights.has(id)) withSubject.add(id)
      if (withSubject.has(id)) continue
      samples.push({ query, grade, weight: weights.get(id), rejected: candidate?.verdict.outcome === 'reject' })
    }
  }
  return samples
}

const atLeast = (samples: readonly Sample[], from: number): Sample[] =>
  samples.filter(({ weight }) => weight !== undefined && weight >= from)
const ofGrade = (samples: readonly Sample[], grade: number): Sample[] =>
  samples.filter((sample) => sample.grade === grade)

/** Share of the accepted that are of grade 1 or better. */
function precision(samples: readonly Sample[], from: number): number {
  const accepted = atLeast(samples, from)
  return accepted.length === 0 ? 1 : accepted.filter(({ grade }) => grade >= 1).length / accepted.length
}

/** The lowest threshold that is precise enough, or the most precise one. */
function choose(samples: readonly Sample[]): number {
  const all = steps(1, 4, 0.25)
  const enough = all.find((from) => all.every((higher) => higher < from || precision(samples, higher) >= aim.precision))
  return enough ?? all.toSorted((a, b) => precision(samples, b) - precision(samples, a) || a - b)[0]!
}

function acceptRow(samples: readonly Sample[], from: number): (string | number)[] {
  const accepted = atLeast(samples, from)
  const recall = (grade: number): string =>
    percent(atLeast(ofGrade(samples, grade), from).length, ofGrade(samples, grade).length)
  return [
    accepted.length,
    percent(precision(samples, from), 1),
    ofGrade(accepted, 0).length,
    ...[3, 2, 1, 0].map(recall),
  ]
}
const acceptHead = [
  'judged accepted',
  'grade 1 up',
  'hard negatives',
  ...[3, 2, 1, 0].map((grade) => `of grade ${grade}`),
]

begin(
  `Weight of evidence of judged documentation without a subject (tutorial queries). Set now: accept ${thresholds.accept}, uncertain ${thresholds.uncertain}. ` +
    `Aim on godot: ${percent(aim.precision, 1)} of the accepted of grade 1 up, ${percent(aim.accepted, 1)} of grade 3 accepted, ${percent(aim.kept, 1)} accepted or uncertain.`,
)
for (const name of setNames) {
  const samples = await collect(name)
  console.log(`${name}: weight by grade (records that were found)`)
  const shares = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
  printTable(
    ['grade', 'judged', 'not found', ...shares.map((share) => `p${Math.round(share * 100)}`)],
    [3, 2, 1, 0].map((grade) => {
      const all = ofGrade(samples, grade)
      const weights = all.flatMap(({ weight }) => weight ?? [])
      return [
        grade,
        all.length,
        all.length - weights.length,
        ...shares.map((share) => round(quantile(weights, share), 2)),
      ]
    }),
  )
  console.log(`${name}: accepted from a threshold by weight alone (shares of a grade count what was not found)`)
  printTable(
    ['threshold', ...acceptHead],
    steps(1, 4, 0.25).map((from) => [round(from, 2), ...acceptRow(samples, from)]),
  )
  console.log(
    `${name}: kept (accepted or uncertain) from a threshold by weight alone; last row: the verdicts as they are`,
  )
  const kept = (keeps: (sample: Sample) => boolean): string[] =>
    [3, 2, 1, 0].map((grade) => percent(ofGrade(samples, grade).filter(keeps).length, ofGrade(samples, grade).length))
  printTable(
    ['threshold', ...[3, 2, 1, 0].map((grade) => `of grade ${grade}`)],
    [
      ...steps(0.3, 1.5, 0.15).map((from) => [
        round(from, 2),
        ...kept(({ weight }) => weight !== undefined && weight >= from),
      ]),
      ['verdicts', ...kept(({ weight, rejected }) => weight !== undefined && !rejected)],
    ],
  )
  console.log(`${name}: a threshold chosen on four folds of the projects, used on the fifth`)
  const foldOf = folds(
    samples.map(({ query }) => query),
    5,
  )
  const held: Sample[] = []
  const rows = steps(0, 4, 1).map((fold) => {
    const from = choose(samples.filter(({ query }) => foldOf(query) !== fold))
    const own = samples.filter(({ query }) => foldOf(query) === fold)
    // Shifted so that one threshold of 0 stands for all folds.
    held.push(
      ...own.map((sample) => ({ ...sample, weight: sample.weight === undefined ? undefined : sample.weight - from })),
    )
    return [`fold ${fold}: ${round(from, 2)}`, ...acceptRow(own, from)]
  })
  printTable(
    ['chosen', ...acceptHead],
    [
      ...rows,
      ['held out, all', ...acceptRow(held, 0)],
      [`all: ${round(choose(samples), 2)}`, ...acceptRow(samples, choose(samples))],
    ],
  )
}
