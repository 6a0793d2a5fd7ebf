/**
 * Lexical search with raw chunks: the compiled BM25 against MiniSearch over the same records in the same process, taking
 * turns, a pass over all chunks each. Both are given the chunk's text and give the best 80 records.
 */
import MiniSearch from 'minisearch'
import { readChunk } from '../src/code/chunk.ts'
import { bm25, defineStrategy, Retriever } from '../src/index.ts'
import { loadSet, textOf } from './data.ts'
import { cpuMs, median, round } from './measures.ts'
import { begin, printTable } from './report.ts'

const recordCount = 20_000
const chunkCount = 40
const limit = 80
const rounds = 3

begin(
  `Lexical top ${limit} of ${chunkCount} raw chunks among ${recordCount} records of the Godot documentation; CPU ms a chunk. Target: 300 times.`,
)
const set = loadSet('godot')
const records = set.records.filter(({ collection }) => collection === 'docs_chunks').slice(0, recordCount)
const chunks = Array.from(
  { length: chunkCount },
  (_, index) => set.queries[Math.floor((index * set.queries.length) / chunkCount)]!,
)

const strategy = defineStrategy({ name: 'bm25-only', modalities: [bm25()], run: async () => [] })
const built = await cpuMs(() => Retriever.create({ records, strategy }))
await using retriever = built.value
const fields = ['title', 'content', 'code_blocks', 'api_symbols']
const miniSearch = new MiniSearch({ fields, extractField: textOf, searchOptions: { boost: { title: 2 } } })
const added = await cpuMs(() => miniSearch.addAllAsync(records))

interface Contestant {
  readonly name: string
  /** Gives how many records were found. */
  search(chunk: { chunkText: string; language: string; terms: string }): Promise<number> | number
}

const modality = retriever.modality('bm25')
const ours: Contestant = {
  name: 'compiled BM25, raw chunk',
  search: async ({ chunkText, language }) => (await modality.search(chunkText, { language, limit })).hits.length,
}
const peers: Contestant[] = [
  { name: 'MiniSearch, raw chunk', search: ({ chunkText }) => miniSearch.search(chunkText).slice(0, limit).length },
  { name: 'MiniSearch, our terms', search: ({ terms }) => miniSearch.search(terms).slice(0, limit).length },
]

const queries = chunks.map(({ chunkText, language }) => ({
  chunkText,
  language,
  terms: [...readChunk(chunkText, language).terms.keys()].join(' '),
}))
// Both warm up; ours is called more often, since it has less to run per call.
for (const query of queries.slice(0, 10)) for (const each of peers) await each.search(query)
for (let call = 0; call < 10; call++) for (const query of queries) await ours.search(query)

// Each searches all chunks before the next does, so that each runs warm and pays for its own garbage.
async function pass(contestant: Contestant): Promise<number[]> {
  const times: number[] = []
  for (const query of queries) times.push((await cpuMs(() => contestant.search(query))).ms)
  return times
}

const own: number[] = []
const rows = peers.map(() => ({ ms: [] as number[], ratios: [] as number[] }))
for (let round = 0; round < rounds; round++) {
  for (const [index, peer] of peers.entries()) {
    await pass(ours)
    const mine = await pass(ours)
    const theirs = await pass(peer)
    own.push(...mine)
    rows[index]!.ms.push(...theirs)
    rows[index]!.ratios.push(...theirs.map((ms, chunk) => ms / mine[chunk]!))
  }
}
printTable(
  ['search', 'median CPU ms', 'ratio of medians', 'median of pairwise ratios'],
  [
    [ours.name, round(median(own), 2), '1', '1'],
    ...peers.map(({ name }, index) => {
      const { ms, ratios } = rows[index]!
      return [name, round(median(ms), 1), round(median(ms) / median(own), 0), round(median(ratios), 0)]
    }),
  ],
)
console.log(
  `Index built in ${round(built.ms / 1000, 1)} s CPU (reading code and literals included); MiniSearch in ${round(added.ms / 1000, 1)} s.`,
)
