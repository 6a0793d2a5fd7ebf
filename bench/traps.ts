/**
 * Chunks that need no migration, or not this one, and what falls for them: looking for the old name as a text, as a whole
 * token, as a token of the code, the records' own gate, and `parallel()`. All of them judge every mapping on every chunk.
 *
 * The naive checks look for `source_api` as it is written; the first for its last name only (`log` of `tf.log`), which is
 * what finds a name behind an alias. Of `tf.argmax(dimension=)` both the function and the argument must be there; what the
 * code alone does not show, as the two words of `export var` with another between them, a naive check does not find.
 */
import type { CorpusRecord } from '../src/corpus/records.ts'
import { parallel, Retriever } from '../src/index.ts'
import { type BenchQuery, type BenchSet, loadSet, type SetName, scopeOf, setNames } from './data.ts'
import { begin, percent, printTable } from './report.ts'
import { gateOpens, lastNameOf, namesOf, readWritten, standsWhole, type Written } from './written.ts'

type Check = (record: CorpusRecord, written: Written) => boolean

const naive: Readonly<Record<string, Check>> = {
  'last name in text': (record, { text }) => namesOf(record).every((name) => text.includes(lastNameOf(name))),
  'name in text': (record, { text }) => namesOf(record).every((name) => text.includes(name)),
  'whole token': (record, { text }) => namesOf(record).every((name) => standsWhole(name, text)),
  'token in code': (record, { code }) => namesOf(record).every((name) => standsWhole(name, code)),
}

/** One chunk with the ids that each check accepts. */
interface Tried {
  readonly query: BenchQuery
  readonly written: Written
  readonly accepted: ReadonlyMap<string, ReadonlySet<string>>
}

const checkNames = [...Object.keys(naive), 'gate', 'ours']

async function tryAll(name: SetName, set: BenchSet): Promise<Tried[]> {
  const mappings = set.records.filter(({ collection }) => collection === 'api_mapping')
  const checks: Readonly<Record<string, Check>> = {
    ...naive,
    gate: (record, written) => gateOpens(name, record, written),
  }
  // Other collections stay in: what they say of names and types counts in a verdict.
  await using retriever = await Retriever.create({ records: set.records, strategy: parallel() })
  const tried: Tried[] = []
  for (const query of set.queries.filter(({ type }) => type.endsWith('migration'))) {
    const written = readWritten(name, query.chunkText)
    const accepted = new Map(
      Object.entries(checks).map(([check, accepts]) => [
        check,
        new Set(mappings.filter((record) => accepts(record, written)).map(({ id }) => id)),
      ]),
    )
    const result = await retriever.retrieve(query.chunkText, { ...scopeOf(set, query), limit: mappings.length })
    tried.push({ query, written, accepted: accepted.set('ours', new Set(result.accepted.map(({ id }) => id))) })
  }
  return tried
}

/** What makes a hard negative look right: as the data says it, else by where the old name stands. */
function kindOf({ query, written }: Tried, record: CorpusRecord): string {
  const stated = query.traps?.[record.id]
  if (stated !== undefined) return stated.replaceAll('_', ' ')
  const name = namesOf(record)[0]!
  const { code, comments, strings, nodePaths, text } = written
  if (standsWhole(name, code)) {
    const declared = new RegExp(`\\b(?:var|const|func|signal|enum|class)\\s+${name}\\b|[(,]\\s*${name}\\s*[:,)=]`)
    if (query.type === 'migration') return 'name of another class, or in its new form'
    return declared.test(code) ? 'name that the chunk declares' : 'name in its new form'
  }
  if (standsWhole(name, comments)) return 'in a comment'
  if (standsWhole(name, nodePaths)) return 'in a node path'
  if (standsWhole(name, strings)) return 'in a string'
  if (text.includes(name)) return 'part of a longer name'
  return standsWhole(String(record.target_api), code) ? 'new name already there' : 'last part of the name elsewhere'
}

function groups<T>(all: readonly T[], keyOf: (each: T) => string): [string, T[]][] {
  const grouped = new Map<string, T[]>()
  for (const each of all) grouped.set(keyOf(each), [...(grouped.get(keyOf(each)) ?? []), each])
  return [...grouped].sort(([a], [b]) => (a < b ? -1 : 1))
}

function printChunks(name: string, clean: readonly Tried[]): void {
  console.log(`${name}: chunks without a migration, and those with an accepted mapping`)
  const labelOf = ({ query: { subset = 'all', trap } }: Tried): string =>
    trap === undefined ? subset : `${subset}: ${trap.replaceAll('_', ' ')}`
  printTable(
    ['chunks', 'all', ...checkNames],
    groups(clean, labelOf).map(([label, own]) => [
      label,
      own.length,
      ...checkNames.map((check) => own.filter(({ accepted }) => accepted.get(check)!.size > 0).length),
    ]),
  )
}

function printPairs(name: string, set: BenchSet, tried: readonly Tried[]): void {
  const byId = new Map(set.records.map((record) => [record.id, record]))
  const pairs = tried.flatMap((each) =>
    (each.query.hard_negatives ?? []).map((id) => ({ each, id, kind: kindOf(each, byId.get(id)!) })),
  )
  console.log(`${name}: hard negatives by kind of trap (chunk and mapping), and those accepted`)
  const row = (label: string, own: typeof pairs): (string | number)[] => [
    label,
    own.length,
    ...checkNames.map((check) => own.filter(({ each, id }) => each.accepted.get(check)!.has(id)).length),
  ]
  const labelled = groups(pairs, ({ each, kind }) => `${each.query.type.replaceAll('_', ' ')}: ${kind}`)
  printTable(
    ['hard negatives', 'pairs', ...checkNames],
    [...labelled.map(([kind, own]) => row(kind, own)), row('all', pairs)],
  )
}

function printRelevant(name: string, set: BenchSet, migrations: readonly Tried[]): void {
  console.log(`${name}: migration chunks, what is accepted of the relevant mappings (grade 2 and 3) and beside them`)
  const gradeOf = ({ query }: Tried, id: string): number => set.qrels.get(query.id)?.get(id) ?? 0
  const relevant = migrations.flatMap((each) =>
    [...(set.qrels.get(each.query.id) ?? [])].filter(([, grade]) => grade >= 2),
  )
  printTable(
    ['check', 'relevant', 'accepted', 'share', 'of grade 1', 'not judged relevant', 'accepted that are of grade 1 up'],
    checkNames.map((check) => {
      const grades = migrations.flatMap((each) => [...each.accepted.get(check)!].map((id) => gradeOf(each, id)))
      const found = grades.filter((grade) => grade >= 2).length
      const wrong = grades.filter((grade) => grade === 0).length
      return [
        check,
        relevant.length,
        found,
        percent(found, relevant.length),
        grades.filter((grade) => grade === 1).length,
        wrong,
        percent(grades.length - wrong, grades.length),
      ]
    }),
  )
}

begin('False migrations by kind of trap, and relevant ones found; every mapping judged on every chunk.')
for (const name of setNames) {
  const set = loadSet(name)
  const tried = await tryAll(name, set)
  const ofType = (type: BenchQuery['type']): Tried[] => tried.filter(({ query }) => query.type === type)
  printChunks(name, ofType('no_migration'))
  printPairs(name, set, tried)
  printRelevant(name, set, ofType('migration'))
}
