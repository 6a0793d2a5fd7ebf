import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hasBenchmarkData, readBenchmarkLines } from './benchmark-data.ts'

/** A text that people wrote, for what must hold on real code. */
export interface RealCode {
  readonly name: string
  readonly language: string
  readonly text: string
}

const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url))
const largest = 60_000

/** About `most` files of a language, evenly taken from the sources of installed packages. */
export function packageFiles(language: string, endings: RegExp, most: number, ...names: readonly string[]): RealCode[] {
  const files = names.flatMap((name) => filesBelow(packages + name)).filter((file) => endings.test(file))
  const step = Math.max(1, Math.floor(files.length / most))
  return files
    .filter((file, index) => index % step === 0 && statSync(file).size < largest)
    .map((file) => ({ name: file.slice(packages.length), language, text: readFileSync(file, 'utf8') }))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort()
}

/** Queries and code examples of a benchmark corpus; none, with a printed reason, where the data is not there. */
export function benchmarkCode(language: string, data: string, most: number): RealCode[] {
  const queries = `${data}/dev/queries.jsonl`
  const docs = `${data}/corpus/docs_chunks.jsonl.gz`
  if (!hasBenchmarkData(queries) || !hasBenchmarkData(docs)) return []
  const chunks = readBenchmarkLines<{ id: string; chunkText: string }>(queries)
  const pages = readBenchmarkLines<{ id: string; code_blocks?: string[]; code_langs?: string[] }>(docs)
  const examples = pages.flatMap(({ id, code_blocks = [], code_langs = [] }) =>
    code_blocks.flatMap((text, index) =>
      code_langs[index] === language ? [{ name: `${id}#${index}`, language, text }] : [],
    ),
  )
  const step = Math.max(1, Math.floor(examples.length / most))
  return [
    ...chunks.map(({ id, chunkText }) => ({ name: id, language, text: chunkText })),
    ...examples.filter((_, index) => index % step === 0),
  ]
}

/** The real code that the tests compare readings on, by language. */
export const realCode: readonly (readonly [language: string, code: () => RealCode[]])[] = [
  [
    'javascript',
    () => packageFiles('javascript', /\.[cm]?js$/, 120, 'minisearch', 're2js', 'vitest', 'vite', 'fast-check', 'tsx'),
  ],
  ['typescript', () => packageFiles('typescript', /\.[cm]?ts$/, 120, 'zod', 'minisearch', 'vitest', 'fast-check')],
  ['cpp', () => packageFiles('cpp', /\.(?:h|cc)$/, 30, 'hnswlib-node/src', 'node-addon-api')],
  ['css', () => packageFiles('css', /\.css$/, 40, 'highlight.js')],
  ['python', () => benchmarkCode('python', 'tensorflow', 400)],
  ['gdscript', () => benchmarkCode('gdscript', 'godot', 400)],
]

/** Numbers from 0 below `below`, the same at every run. */
export function randomBelow(seed: number): (below: number) => number {
  let state = seed
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below
}
