/**
 * How far a verdict can be trusted: precision and recall of `accept` by collection, and whether more evidence means more
 * truth. With `--cases`: accepted hard negatives of the TensorFlow tutorials, and what they share with the chunk.
 */
import { parallel, Retriever } from '../src/index.ts'
import { type BenchQuery, loadSet, type SetName, scopeOf, setNames } from './data.ts'
import { begin, percent, printTable } from './report.ts'
import { createWeigher, type Weighed } from './weighing.ts'

/** A judged record, or one that was accepted without a judgment. */
interface Sample {
  readonly query: BenchQuery
  readonly id: string
  /** Missing without a judgment. */
  readonly grade: number | undefined
  /** Missing when no modality found it. */
  readonly figures: Weighed | undefined
  /** The strongest texts that both have. */
  readonly shared: readonly string[]
}

/** What was judged or accepted, and how many candidates there were in all. */
interface Collected {
  readonly samples: readonly Sample[]
  readonly candidates: ReadonlyMap<BenchQuery['type'], { readonly all: number; readonly uncertain: number }>
}

async function collect(name: SetName): Promise<Collected> {
  const set = loadSet(name)
  const { validator, weighed } = createWeigher()
  await using retriever = await Retriever.create({ records: set.records, strategy: parallel({ validator }) })
  const samples: Sample[] = []
  const candidates = new Map<BenchQuery['type'], { all: number; uncertain: number }>()
  for (const query of set.queries) {
    const result = await retriever.retrieve(query.chunkText, scopeOf(set, query))
    const counts = candidates.get(query.type) ?? { all: 0, uncertain: 0 }
    counts.all += result.candidates.length
    counts.uncertain += result.uncertain.length
    candidates.set(query.type, counts)
    const judged = set.qrels.get(query.id) ?? new Map<string, number>()
    const evidence = new Map(result.candidates.map(({ id, verdict }) => [id, verdict.evidence.map(({ text }) => text)]))
    for (const id of new Set([...judged.keys(), ...result.accepted.map(({ id }) => id)])) {
      const shared = [...new Set(evidence.get(id) ?? [])].slice(0, 4)
      samples.push({ query, id, grade: judged.get(id), figures: weighed.get(id), shared })
    }
  }
  return { samples, candidates }
}

const isAccepted = ({ figures }: Sample): boolean => figures?.outcome === 'accept'
const isUncertain = ({ figures }: Sample): boolean => figures?.outcome === 'uncertain'
const fromGrade = (samples: readonly Sample[], least: number): Sample[] =>
  samples.filter(({ grade = -1 }) => grade >= least)
const share = (samples: readonly Sample[], keeps: (sample: Sample) => boolean): string =>
  percent(samples.filter(keeps).length, samples.length)

const collections: readonly (readonly [string, readonly BenchQuery['type'][]])[] = [
  ['docs_chunks, tutorials', ['tutorial']],
  ['docs_chunks, API reference', ['api']],
  ['api_mapping', ['migration', 'no_migration']],
]

function printCollections(name: SetName, { samples, candidates }: Collected): void {
  console.log(`${name}: accept by collection`)
  printTable(
    [
      'collection',
      'accepted judged',
      'of grade 1 up',
      'accepted, not judged',
      'grade 3 accepted',
      'grade 2 up accepted',
      'judged uncertain',
      'candidates uncertain',
    ],
    collections.map(([label, types]) => {
      const own = samples.filter(({ query }) => types.includes(query.type))
      const judged = fromGrade(own, 0)
      const accepted = judged.filter(isAccepted)
      const counts = types.map((type) => candidates.get(type)!)
      const sum = (pick: (each: { all: number; uncertain: number }) => number): number =>
        counts.reduce((total, each) => total + pick(each), 0)
      return [
        label,
        accepted.length,
        percent(fromGrade(accepted, 1).length, accepted.length),
        own.length - judged.length,
        share(fromGrade(own, 3), isAccepted),
        share(fromGrade(own, 2), isAccepted),
        share(judged, isUncertain),
        percent(
          sum(({ uncertain }) => uncertain),
          sum(({ all }) => all),
        ),
      ]
    }),
  )
}

const isDocumentation = ({ query }: Sample): boolean => query.type === 'tutorial' || query.type === 'api'

function printFloors(collected: ReadonlyMap<SetName, Collected>): void {
  console.log('All judged documentation of a set:')
  printTable(
    ['set', 'accepted judged', 'of grade 1 up', 'grade 3', 'accepted', 'accepted or uncertain'],
    [...collected].map(([name, { samples }]) => {
      const judged = fromGrade(samples, 0).filter(isDocumentation)
      const accepted = judged.filter(isAccepted)
      const best = fromGrade(judged, 3)
      return [
        name,
        accepted.length,
        percent(fromGrade(accepted, 1).length, accepted.length),
        best.length,
        share(best, isAccepted),
        share(best, (sample) => isAccepted(sample) || isUncertain(sample)),
      ]
    }),
  )
}

/** Bins of a figure, from each bound to the next. */
function printReliability(
  title: string,
  samples: readonly Sample[],
  bounds: readonly number[],
  figureOf: (figures: Weighed) => number,
): void {
  console.log(title)
  printTable(
    ['from', 'judged', 'grade 1 up', 'grade 2 up', 'accepted', 'uncertain', 'rejected'],
    bounds.map((from, index) => {
      const to = bounds[index + 1] ?? Number.POSITIVE_INFINITY
      const own = samples.filter(
        ({ figures }) => figures !== undefined && figureOf(figures) >= from && figureOf(figures) < to,
      )
      return [
        from,
        own.length,
        percent(fromGrade(own, 1).length, own.length),
        percent(fromGrade(own, 2).length, own.length),
        share(own, isAccepted),
        share(own, isUncertain),
        share(own, ({ figures }) => figures?.outcome === 'reject'),
      ]
    }),
  )
}

/** The heaviest, one a chunk and one a record, so that the cases are of different kinds. */
function printCases(samples: readonly Sample[]): void {
  const wrong = samples
    .filter((each) => each.query.type === 'tutorial' && each.grade === 0 && isAccepted(each))
    .toSorted((a, b) => b.figures!.weight - a.figures!.weight || (a.id < b.id ? -1 : 1))
  const seen = new Set<string>()
  const distinct = wrong.filter(({ query, id }) => {
    const fresh = !seen.has(query.id) && !seen.has(id)
    return fresh && seen.add(query.id).add(id)
  })
  console.log(
    `tensorflow: ten of ${wrong.length} accepted hard negatives (tutorials), one a chunk and a record, and what is shared`,
  )
  printTable(
    ['chunk', 'record', 'weight', 'covered', 'shared'],
    distinct
      .slice(0, 10)
      .map(({ query, id, figures, shared }) => [
        `${query.id} (${query.subset})`,
        id,
        figures!.weight.toFixed(1),
        figures!.covered.toFixed(2),
        shared.map((text) => `\`${text.replace(/\s+/g, ' ').slice(0, 50)}\``).join(', '),
      ]),
  )
}

begin('Precision and recall of accept by collection, and truth by weight of evidence; development queries, in scope.')
const collected = new Map<SetName, Collected>()
for (const name of setNames) collected.set(name, await collect(name))
for (const [name, each] of collected) printCollections(name, each)
printFloors(collected)
for (const [name, { samples }] of collected) {
  const judged = fromGrade(samples, 0).filter(isDocumentation)
  printReliability(
    `${name}: judged records about no single name, by the share of the chunk that their evidence covers`,
    judged.filter(({ figures }) => figures?.named === false),
    [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7],
    ({ covered }) => covered,
  )
  printReliability(
    `${name}: judged records about one API name, by the weight of their evidence`,
    judged.filter(({ figures }) => figures?.named === true),
    [0, 0.5, 1, 1.5, 2, 3],
    ({ weight }) => weight,
  )
}
if (process.argv.includes('--cases')) printCases(collected.get('tensorflow')!.samples)
