/**
 * Where the literal validator draws its lines for documentation that is about no single name: every rule of acceptance
 * over the judged records, each part switched off, and what folds of projects would choose for each other.
 */
import { thresholds } from '../src/evidence/thresholds.ts'
import { parallel, Retriever } from '../src/index.ts'
import { type BenchQuery, folds, loadSet, type SetName, scopeOf, setNames } from './data.ts'
import { round } from './measures.ts'
import { begin, percent, printTable } from './report.ts'
import { createWeigher, type Weighed } from './weighing.ts'

/** A judged record; no figures when no modality found it. */
interface Sample {
  readonly query: BenchQuery
  readonly grade: number
  readonly figures: Weighed | undefined
}

/** The constants of acceptance; infinity switches a part off. */
interface Rule {
  readonly accept: number
  readonly covered: number
  readonly lines: number
  readonly fewRecords: number
}

const off = Number.POSITIVE_INFINITY
const { accept, covered, lines, fewRecords } = thresholds
const now: Rule = { accept, covered, lines, fewRecords }

/** A choice must accept this share of grade 3; of those that do, the most precise is taken. */
const leastOfGrade3 = 0.75

const grid: readonly Rule[] = [1, 1.2, 1.5, 1.8, 2.2, 2.6, 3].flatMap((accept) =>
  [0, 0.1, 0.2, 0.3, 0.4, 0.5].flatMap((covered) =>
    [1.5, 2, 3, off].flatMap((lines) =>
      [0.6, 0.7, 0.79, 0.9, off].map((fewRecords) => ({ accept, covered, lines, fewRecords })),
    ),
  ),
)

function accepts(rule: Rule, { figures }: Sample): boolean {
  if (figures === undefined || figures.contradicted) return false
  const enough = figures.weight >= rule.accept && figures.covered >= rule.covered
  return enough || figures.lines >= rule.lines || figures.rarestSymbol >= rule.fewRecords
}

async function collect(name: SetName): Promise<Sample[]> {
  const set = loadSet(name)
  const { validator, weighed } = createWeigher()
  await using retriever = await Retriever.create({ records: set.records, strategy: parallel({ validator }) })
  const samples: Sample[] = []
  for (const query of set.queries.filter(({ type }) => type === 'tutorial')) {
    await retriever.retrieve(query.chunkText, scopeOf(set, query))
    for (const [id, grade] of set.qrels.get(query.id) ?? []) {
      const figures = weighed.get(id)
      if (figures?.named !== true) samples.push({ query, grade, figures })
    }
  }
  return samples
}

const ofGrade = (samples: readonly Sample[], grade: number): Sample[] => samples.filter((each) => each.grade === grade)
const relevant = (samples: readonly Sample[]): Sample[] => samples.filter(({ grade }) => grade >= 1)

function choose(samples: readonly Sample[]): Rule {
  const scored = grid.map((rule) => {
    const accepted = samples.filter((each) => accepts(rule, each))
    return {
      rule,
      precision: relevant(accepted).length / Math.max(1, accepted.length),
      share: ofGrade(accepted, 3).length / ofGrade(samples, 3).length,
    }
  })
  const enough = scored.filter(({ share }) => share >= leastOfGrade3)
  return enough.toSorted((a, b) => b.precision - a.precision || b.share - a.share)[0]!.rule
}

const head = ['accepted', 'grade 1 up', 'hard negatives', 'of grade 3', 'of grade 2', 'of grade 1']

/** `accepted` is the part of `samples` that some rule accepts. */
function row(samples: readonly Sample[], accepted: readonly Sample[]): (string | number)[] {
  return [
    accepted.length,
    percent(relevant(accepted).length, accepted.length),
    ofGrade(accepted, 0).length,
    ...[3, 2, 1].map((grade) => percent(ofGrade(accepted, grade).length, ofGrade(samples, grade).length)),
  ]
}

const rowOf = (rule: Rule, samples: readonly Sample[]): (string | number)[] =>
  row(
    samples,
    samples.filter((each) => accepts(rule, each)),
  )
const shown = (value: number): string => (value === off ? 'off' : String(value))
const nameOf = (rule: Rule): string =>
  `${rule.accept} / ${rule.covered} / ${shown(rule.lines)} / ${shown(rule.fewRecords)}`

function printGrid(name: SetName, samples: readonly Sample[]): void {
  console.log(
    `${name}: precision of acceptance (judged records of grade 1 up), and share of grade 3, by weight and coverage`,
  )
  const coverages = [0, 0.1, 0.2, 0.3, 0.4, 0.5]
  printTable(
    ['accept', ...coverages.map((covered) => `covered ${covered}`)],
    [1, 1.2, 1.5, 1.8, 2.2, 2.6, 3].map((accept) => [
      round(accept, 1),
      ...coverages.map((covered) => {
        const cells = rowOf({ ...now, accept, covered }, samples)
        return `${cells[1]}, ${cells[3]}`
      }),
    ]),
  )
}

function printParts(name: SetName, samples: readonly Sample[]): void {
  console.log(`${name}: one constant moved, the others as they are (contradicted records never)`)
  const parts: readonly (readonly [string, Rule])[] = [
    ['as set', now],
    ['without coverage', { ...now, covered: 0 }],
    ...[1.5, 3, off].map((lines) => [`lines ${shown(lines)}`, { ...now, lines }] as const),
    ...[0.6, 0.7, 0.9, off].map((fewRecords) => [`few records ${shown(fewRecords)}`, { ...now, fewRecords }] as const),
    ['weight and coverage alone', { ...now, lines: off, fewRecords: off }],
    ['weight alone', { ...now, covered: 0, lines: off, fewRecords: off }],
  ]
  const blind = (each: Sample): Sample =>
    each.figures === undefined ? each : { ...each, figures: { ...each.figures, contradicted: false } }
  printTable(
    ['rule', ...head],
    [
      ...parts.map(([label, rule]) => [label, ...rowOf(rule, samples)]),
      ['as set, contradicted ones too', ...rowOf(now, samples.map(blind))],
    ],
  )
}

function printFolds(name: SetName, samples: readonly Sample[], others: readonly Sample[]): void {
  console.log(`${name}: a rule chosen on four folds of the projects, used on the fifth`)
  const foldOf = folds(
    samples.map(({ query }) => query),
    5,
  )
  const held: Sample[] = []
  const rows = [0, 1, 2, 3, 4].map((fold) => {
    const rule = choose(samples.filter(({ query }) => foldOf(query) !== fold))
    const own = samples.filter(({ query }) => foldOf(query) === fold)
    held.push(...own.filter((each) => accepts(rule, each)))
    return [`fold ${fold}: ${nameOf(rule)}`, ...rowOf(rule, own)]
  })
  const transferred = choose(others)
  printTable(
    ['accept / covered / lines / few records', ...head],
    [
      ...rows,
      ['held out, all folds', ...row(samples, held)],
      [`chosen on the other set: ${nameOf(transferred)}`, ...rowOf(transferred, samples)],
      [`chosen on all of it: ${nameOf(choose(samples))}`, ...rowOf(choose(samples), samples)],
      [`as set: ${nameOf(now)}`, ...rowOf(now, samples)],
    ],
  )
}

function printKept(name: SetName, samples: readonly Sample[]): void {
  console.log(`${name}: kept (accepted or uncertain) from a weight on; last row: the verdicts as they are`)
  const kept = (keeps: (figures: Weighed) => boolean): string[] =>
    [3, 2, 1, 0].map((grade) => {
      const all = ofGrade(samples, grade)
      return percent(all.filter(({ figures }) => figures !== undefined && keeps(figures)).length, all.length)
    })
  printTable(
    ['uncertain from', ...[3, 2, 1, 0].map((grade) => `of grade ${grade}`)],
    [
      ...[0.3, 0.6, 0.9, 1.2, 1.5].map((from) => [round(from, 1), ...kept(({ weight }) => weight >= from)]),
      ['verdicts', ...kept(({ outcome }) => outcome !== 'reject')],
    ],
  )
}

begin(
  `Judged documentation without a subject (tutorial queries); shares of a grade count what was not found. Set now (accept / covered / lines / few records): ${nameOf(now)}. ` +
    `A choice takes the most precise rule that accepts ${percent(leastOfGrade3, 1)} of grade 3.`,
)
const collected = new Map<SetName, readonly Sample[]>()
for (const name of setNames) collected.set(name, await collect(name))
for (const [name, samples] of collected) {
  printGrid(name, samples)
  printParts(name, samples)
  printFolds(
    name,
    samples,
    [...collected].flatMap(([other, all]) => (other === name ? [] : all)),
  )
  printKept(name, samples)
}
