/**
 * Where the literal validator should draw its lines for documentation that is about no single name: precision and recall
 * of acceptance by the weight of the evidence and by the share of the chunk that it covers, and what the other two ways
 * to be accepted (whole lines, a name that few others list) add.
 */
import { probesOf } from '../src/corpus/probes.ts'
import { contradictionsOf, numberedTypesOf } from '../src/evidence/contradictions.ts'
import { Coverage } from '../src/evidence/coverage.ts'
import { findEvidence, weigh } from '../src/evidence/find.ts'
import { thresholds } from '../src/evidence/thresholds.ts'
import { literalValidator, parallel, Retriever, type Validator } from '../src/index.ts'
import { loadSet, scopeOf, setNames } from './data.ts'
import { round } from './measures.ts'
import { begin, percent, printTable } from './report.ts'

/** What a judged record without a subject has to show. */
interface Sample {
  readonly grade: number
  readonly weight: number
  /** Share of what the chunk has to share, 0 to 1. */
  readonly covered: number
  readonly lines: number
  readonly symbol: boolean
  readonly contradicted: boolean
}

async function collect(name: (typeof setNames)[number]): Promise<Sample[]> {
  const set = loadSet(name)
  const weighed = new Map<string, Omit<Sample, 'grade'>>()
  const inner = literalValidator()
  const validator: Validator = {
    name: inner.name,
    validate(query, entries, options) {
      const { knowledge } = options
      const probes = probesOf(query.reading, knowledge)
      const types = numberedTypesOf(query.reading, knowledge)
      const coverages = new Map<string, Coverage>()
      for (const entry of entries) {
        if (entry.reading.subject !== undefined) continue
        const { collection } = entry
        const coverage = coverages.get(collection) ?? new Coverage(query, collection, probes, knowledge)
        coverages.set(collection, coverage)
        const evidence = findEvidence(query, entry, probes, knowledge)
        const weight = weigh(evidence)
        weighed.set(entry.id, {
          weight,
          covered: coverage.possible > 0 ? weight / coverage.possible : 0,
          lines: weigh(evidence.filter(({ kind }) => kind === 'line')),
          symbol: coverage.tellingSymbol(entry) !== undefined,
          contradicted: contradictionsOf(types, entry.reading.literals.ids).length > 0,
        })
      }
      return inner.validate(query, entries, options)
    },
  }
  await using retriever = await Retriever.create({ records: set.records, strategy: parallel({ validator }) })
  const samples: Sample[] = []
  for (const query of set.queries.filter(({ type }) => type === 'tutorial')) {
    weighed.clear()
    await retriever.retrieve(query.chunkText, scopeOf(set, query))
    for (const [id, grade] of set.qrels.get(query.id) ?? []) {
      const found = weighed.get(id)
      if (found !== undefined) samples.push({ grade, ...found })
    }
  }
  return samples
}

function row(label: string, samples: readonly Sample[], accepts: (sample: Sample) => boolean): (string | number)[] {
  const accepted = samples.filter((sample) => !sample.contradicted && accepts(sample))
  const share = (grade: number): string => {
    const of = (all: readonly Sample[]): number => all.filter((sample) => sample.grade === grade).length
    return percent(of(accepted), of(samples))
  }
  const good = accepted.filter(({ grade }) => grade >= 1).length
  return [label, accepted.length, percent(good, accepted.length), accepted.length - good, ...[3, 2, 1].map(share)]
}

begin(
  `Judged documentation without a subject that was found (tutorial queries). Set now: weight ${thresholds.accept} and ${thresholds.covered} of the chunk covered, or lines ${thresholds.lines}, or a telling name.`,
)
for (const name of setNames) {
  const samples = await collect(name)
  const enough =
    (accept: number, covered: number) =>
    (sample: Sample): boolean =>
      sample.weight >= accept && sample.covered >= covered
  const now = enough(thresholds.accept, thresholds.covered)
  console.log(`${name}: accepted by weight and coverage (contradicted records never)`)
  printTable(
    ['rule', 'accepted', 'grade 1 up', 'hard negatives', 'of grade 3', 'of grade 2', 'of grade 1'],
    [
      ...[1.25, 1.5, 1.8, 2.2].flatMap((accept) =>
        [0, 0.2, 0.3, 0.4].map((covered) =>
          row(`weight ${round(accept, 2)}, covered ${round(covered, 1)}`, samples, enough(accept, covered)),
        ),
      ),
      row('as set, and whole lines', samples, (sample) => now(sample) || sample.lines >= thresholds.lines),
      row('as set, and a telling name', samples, (sample) => now(sample) || sample.symbol),
      row('as set, all three', samples, (s) => now(s) || s.lines >= thresholds.lines || s.symbol),
    ],
  )
}
