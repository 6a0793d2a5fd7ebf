import {
  type CorpusRecord,
  literalValidator,
  parallel,
  Retriever,
  type Validator,
  type Verdict,
  verifyEvidence,
} from 'direct-evidence'
import { describe, expect, it } from 'vitest'
import { hasBenchmarkData, readBenchmarkLines } from '../helpers/benchmark-data.ts'
import { spanFaults } from '../helpers/spans.ts'

interface Query {
  readonly id: string
  readonly type: string
  readonly chunkText: string
}

const sets = [
  {
    name: 'godot',
    language: 'gdscript',
    files: ['docs_chunks.jsonl.gz', 'api_mapping.jsonl', 'label_prototypes.jsonl'],
  },
  { name: 'tensorflow', language: 'python', files: ['docs_chunks.jsonl.gz', 'api_mapping.jsonl'] },
]

/** Decides as ever and keeps what it said: a result leaves out evidence that is not in both texts, and would hide a fault. */
function listener(): { readonly validator: Validator; readonly verdicts: Map<string, Verdict>; faults: string[] } {
  const inner = literalValidator()
  const verdicts = new Map<string, Verdict>()
  const faults: string[] = []
  const validator: Validator = {
    name: inner.name,
    async validate(query, entries, options) {
      const given = await inner.validate(query, entries, options)
      verdicts.clear()
      for (const [index, { id, collection, record }] of entries.entries()) {
        const verdict = given[index]!
        verdicts.set(`${collection} ${id}`, verdict)
        for (const evidence of verdict.evidence) {
          if (!verifyEvidence(evidence, query.reading, record))
            faults.push(`${id}: ${JSON.stringify(evidence)} is refused by verifyEvidence`)
        }
      }
      return given
    },
  }
  return { validator, verdicts, faults }
}

describe.each(sets)('every verdict on the development chunks of $name', ({ name, language, files }) => {
  it.skipIf(!hasBenchmarkData(`${name}/dev/queries.jsonl`))(
    'cites what stands in the chunk and in the record',
    async () => {
      const records = files.flatMap((file) => readBenchmarkLines<CorpusRecord>(`${name}/corpus/${file}`))
      const queries = readBenchmarkLines<Query>(`${name}/dev/queries.jsonl`)
      const { validator, verdicts, faults } = listener()
      await using retriever = await Retriever.create({ records, strategy: parallel({ embedding: false, validator }) })
      const seen = { accepted: 0, evidence: 0 }
      for (const { id: chunk, chunkText } of queries) {
        const { candidates, accepted } = await retriever.retrieve(chunkText, { language })
        const asGiven = candidates.map((each) => ({ ...each, verdict: verdicts.get(`${each.collection} ${each.id}`)! }))
        faults.push(...spanFaults(asGiven, chunkText).map((fault) => `${chunk}, ${fault}`))
        for (const { id, verdict } of accepted) {
          if (verdict.evidence.length === 0) faults.push(`${chunk}, ${id}: accepted without evidence`)
        }
        seen.accepted += accepted.length
        seen.evidence += asGiven.reduce((sum, { verdict }) => sum + verdict.evidence.length, 0)
      }
      expect(faults.slice(0, 20)).toEqual([])
      // Not true of nothing: there was something to check.
      expect(seen.accepted).toBeGreaterThan(queries.length)
      expect(seen.evidence).toBeGreaterThan(10 * queries.length)
    },
    120_000,
  )
})
