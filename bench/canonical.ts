import { readFileSync } from 'node:fs'
import type { CorpusRecord } from '../src/corpus/records.ts'
import { parallel, Retriever } from '../src/index.ts'
import { dataPath, loadSet, readJsonLines } from './data.ts'
import { begin } from './report.ts'

interface Expected {
  readonly query: { readonly chunkText: string; readonly language: string }
  readonly must_accept: readonly { readonly id: string; readonly evidence: readonly string[] }[]
  readonly must_reject: readonly { readonly id: string }[]
  readonly must_rank_lower_or_reject: readonly { readonly id: string; readonly below: readonly string[] }[]
}

begin('The canonical case, alone and mixed into the full Godot corpus: what must be accepted and what must not.')
const expected = JSON.parse(readFileSync(dataPath('godot/canonical/expected.json'), 'utf8')) as Expected
const small = readJsonLines<CorpusRecord>('godot/canonical/corpus.jsonl')
const known = new Set(small.map(({ collection, id }) => `${collection} ${id}`))
const mixed = [...small, ...loadSet('godot').records.filter(({ collection, id }) => !known.has(`${collection} ${id}`))]

for (const [name, records] of [
  ['alone', small],
  ['mixed into the full corpus', mixed],
] as const) {
  await using retriever = await Retriever.create({ records, strategy: parallel() })
  const { chunkText, language } = expected.query
  const { candidates, accepted } = await retriever.retrieve(chunkText, { language })
  const faults: string[] = []
  const candidate = (id: string) => candidates.find((each) => each.id === id)
  for (const { id, evidence } of expected.must_accept) {
    const found = candidate(id)
    if (found?.verdict.outcome !== 'accept') {
      faults.push(`${id}: ${found?.verdict.outcome ?? 'not a candidate'} (${found?.verdict.reason ?? ''})`)
      continue
    }
    for (const text of evidence) {
      const start = chunkText.indexOf(text)
      const overlaps = found.verdict.evidence.some(({ chunk }) => {
        for (let at = start; at >= 0; at = chunkText.indexOf(text, at + 1))
          if (chunk.start < at + text.length && at < chunk.end) return true
        return false
      })
      if (!overlaps) faults.push(`${id}: no verified span in "${text}"`)
    }
  }
  for (const { id } of expected.must_reject) {
    const found = candidate(id)
    if (found !== undefined && found.verdict.outcome !== 'reject')
      faults.push(`${id}: ${found.verdict.outcome} (${found.verdict.reason})`)
  }
  for (const { id, below } of expected.must_rank_lower_or_reject) {
    const found = candidate(id)
    if (found === undefined || found.verdict.outcome === 'reject') continue
    for (const upper of below) if (!(candidate(upper)!.rank < found.rank)) faults.push(`${id} ranks above ${upper}`)
  }
  const mappings = accepted.filter(({ collection }) => collection === 'api_mapping')
  for (const { id } of mappings) faults.push(`${id}: accepted mapping`)
  console.log(
    `canonical case, ${name} (${records.length} records): ${faults.length === 0 ? 'as expected' : `${faults.length} faults`}`,
  )
  for (const fault of faults) console.log(`  ${fault}`)
}
