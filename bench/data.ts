import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { CorpusRecord } from '../src/corpus/records.ts'
import type { RetrieveOptions } from '../src/index.ts'

/** One labelled query of a benchmark set. */
export interface BenchQuery {
  readonly id: string
  readonly type: 'tutorial' | 'api' | 'migration' | 'no_migration'
  readonly chunkText: string
  readonly language: string
  readonly project: string
  readonly file: string
  readonly subset?: string
  readonly trap?: string
  readonly hard_negatives?: readonly string[]
  /** The kind of trap that a hard negative is, by its id. */
  readonly traps?: Readonly<Record<string, string>>
}

/** A benchmark set: corpus, development queries, graded judgments. */
export interface BenchSet {
  readonly name: string
  readonly records: readonly CorpusRecord[]
  readonly queries: readonly BenchQuery[]
  readonly qrels: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** The part of the corpus that the judgments of a type cover. */
  inScope(type: BenchQuery['type'], record: CorpusRecord): boolean
}

const root = fileURLToPath(new URL('../../shared/data/', import.meta.url))
const sets = {
  godot: { language: 'gdscript', reference: 'classes/' },
  tensorflow: { language: 'python', reference: 'api_docs/' },
} as const

export type SetName = keyof typeof sets
export const setNames = Object.keys(sets) as SetName[]

/** Whether the benchmark data is beside the project. */
export function hasData(): boolean {
  return existsSync(root)
}

export function dataPath(path: string): string {
  return root + path
}

export function readJsonLines<T>(path: string): T[] {
  const bytes = readFileSync(root + path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}

export function loadSet(name: SetName): BenchSet {
  const { language, reference } = sets[name]
  const files = ['docs_chunks.jsonl.gz', 'api_mapping.jsonl', ...(name === 'godot' ? ['label_prototypes.jsonl'] : [])]
  const qrels = new Map<string, Map<string, number>>()
  for (const line of readFileSync(`${root}${name}/dev/qrels.tsv`, 'utf8').split('\n')) {
    const [query, , record, grade] = line.split(/\s+/)
    if (query === undefined || record === undefined) continue
    const judged = qrels.get(query) ?? new Map<string, number>()
    qrels.set(query, judged.set(record, Number(grade)))
  }
  return {
    name,
    records: files.flatMap((file) => readJsonLines<CorpusRecord>(`${name}/corpus/${file}`)),
    queries: readJsonLines<BenchQuery>(`${name}/dev/queries.jsonl`).map((query) => ({
      ...query,
      language: query.language ?? language,
    })),
    qrels,
    inScope(type, record) {
      if (type === 'migration' || type === 'no_migration') return record.collection === 'api_mapping'
      return record.collection === 'docs_chunks' && String(record.page).startsWith(reference) === (type === 'api')
    },
  }
}

/** What halves and folds keep together: the project, or the page for the pages of one large documentation. */
export function groupOf({ project, file }: BenchQuery): string {
  return project === 'tensorflow/docs' ? file : project
}

/** A field as text, for search engines that want one string. */
export function textOf(record: CorpusRecord, field: string): string {
  const value = record[field]
  return Array.isArray(value) ? value.join('\n') : typeof value === 'string' ? value : ''
}

/** The type, with the subset where a set has several kinds of one type. */
export function labelOf({ type, subset }: BenchQuery): string {
  return type === 'tutorial' && subset !== undefined ? `${type} ${subset}` : type
}

/** What a retrieval is told so that it stays inside the judgments of a query. */
export function scopeOf(set: BenchSet, { language, type }: BenchQuery): RetrieveOptions {
  const collections = [type.endsWith('migration') ? 'api_mapping' : 'docs_chunks']
  return { language, collections, filter: (record) => set.inScope(type, record) }
}

/** Groups in a random order that is the same in every run. */
function shuffledGroups(queries: readonly BenchQuery[]): string[] {
  let state = 20_261_201
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const groups = [...new Set(queries.map(groupOf))].sort()
  for (let at = groups.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1))
    ;[groups[at], groups[other]] = [groups[other]!, groups[at]!]
  }
  return groups
}

/** Deals the groups to folds; gives the fold of a query. */
export function folds(queries: readonly BenchQuery[], count: number): (query: BenchQuery) => number {
  const place = new Map(shuffledGroups(queries).map((group, index) => [group, index % count]))
  return (query) => place.get(groupOf(query)) ?? 0
}
