/**
 * Where the literal validator should draw its lines for documentation that is about no single name: the weight of
 * evidence by grade, precision and recall at every threshold, and what folds of projects would choose for each other.
 */
import { probesOf } from '../src/corpus/probes.ts'
import { contradictionsOf, numberedTypesOf } from '../src/evidence/contradictions.ts'
import { findEvidence, weigh } from '../src/evidence/find.ts'
import { thresholds } from '../src/evidence/thresholds.ts'
import { literalValidator, parallel, Retriever, type Validator } from '../src/index.ts'
import { type BenchQuery, folds, loadSet, scopeOf, setNames } from './data.ts'
import { quantile, round } from './measures.ts'
import { begin, percent, printTable } from './report.ts'

/** A judged record without a subject; no `weight` when no modality found it. */
interface Sample {
  readonly query: BenchQuery
  readonly grade: number
  readonly weight?: number
  /** It speaks of `Vector3` where the chunk has `Vector2`, and is never accepted. */
  readonly contradicted?: boolean
  readonly rejected?: boolean
}

const aim = { precision: 0.95, accepted: 0.75, kept: 0.9 }
const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step)

async function collect(name: (typeof setNames)[number]): Promise<Sample[]> {
  const set = loadSet(name)
  const weighed = new Map<string, Pick<Sample, 'weight' | 'contradicted'>>()
  const inner = literalValidator()
  const validator: Validator = {
    name: inner.name,
    validate(query, entries, options) {
      const { knowledge } = options
      // All evidence, as the validator weighs it; a verdict shows the strongest pieces only.
      const probes = probesOf(query.reading, knowledge)
      const types = numberedTypesOf(query.reading, knowledge)
      for (const entry of entries) {
        const { subject, literals } = entry.reading
        if (subject !== undefined) continue
        const weight = weigh(findEvidence(query, entry, probes, knowledge))
        weighed.set(entry.id, { weight, contradicted: contradictionsOf(types, literals.ids).length > 0 })
      }
      return inner.validate(query, entries, options)
    },
  }
  await using retriever = await Retriever.create({ records: set.records, strategy: parallel({ validator }) })
  const samples: Sample[] = []
  for (const query of set.queries.filter(({ type }) => type === 'tutorial')) {
    weighed.clear()
    const { candidates } = await retriever.retrieve(query.chunkText, scopeOf(set, query))
    const found = new Map(candidates.map(({ id, verdict }) => [id, verdict.outcome]))
    for (const [id, grade] of set.qrels.get(query.id) ?? []) {
      if (found.has(id) && !weighed.has(id)) continue
      samples.push({ query, grade, ...weighed.get(id), rejected: found.get(id) === 'reject' })
    }
  }
  return samples
}

const none = Number.NEGATIVE_INFINITY
const acceptedFrom = (samples: readonly Sample[], from: number): Sample[] =>
  samples.filter(({ weight = none, contradicted }) => weight >= from && !contradicted)
const ofGrade = (samples: readonly Sample[], grade: number): Sample[] =>
  samples.filter((sample) => sample.grade === grade)
const relevant = (samples: readonly Sample[]): Sample[] => samples.filter(({ grade }) => grade >= 1)
const shareAccepted = (samples: readonly Sample[], grade: number, from: number): number =>
  acceptedFrom(ofGrade(samples, grade), from).length / ofGrade(samples, grade).length

/** Of the thresholds that accept enough of grade 3, the lowest of the most precise ones. */
function choose(samples: readonly Sample[]): number {
  const precision = (from: number): number => {
    const accepted = acceptedFrom(samples, from)
    return relevant(accepted).length / Math.max(1, accepted.length)
  }
  const enough = steps(1, 4, 0.25).filter((from) => shareAccepted(samples, 3, from) >= aim.accepted)
  return enough.toSorted((a, b) => precision(b) - precision(a) || a - b)[0]!
}

function acceptRow(samples: readonly Sample[], from: number): (string | number)[] {
  const accepted = acceptedFrom(samples, from)
  const byWeight = samples.filter(({ weight = none }) => weight >= from)
  return [
    accepted.length,
    percent(relevant(accepted).length, accepted.length),
    percent(relevant(byWeight).length, byWeight.length),
    ofGrade(accepted, 0).length,
    ...[3, 2, 1].map((grade) =>
      percent(acceptedFrom(ofGrade(samples, grade), from).length, ofGrade(samples, grade).length),
    ),
  ]
}
const acceptHead = [
  'accepted',
  'grade 1 up',
  'by weight alone',
  'hard negatives',
  'of grade 3',
  'of grade 2',
  'of grade 1',
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
  console.log(
    `${name}: judged records accepted from a threshold, contradicted ones never (shares of a grade count what was not found)`,
  )
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
      ...steps(0.3, 1.5, 0.15).map((from) => [round(from, 2), ...kept(({ weight = none }) => weight >= from)]),
      ['verdicts', ...kept(({ weight = none, rejected }) => weight > none && !rejected)],
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
    held.push(...own.map((sample) => ({ ...sample, weight: (sample.weight ?? none) - from })))
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
