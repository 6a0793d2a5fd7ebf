import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type CorpusRecord, type RetrievalResult, readRecords } from 'direct-evidence'
import { describe, expect, it } from 'vitest'
import { hasBenchmarkData, readBenchmarkJson, readBenchmarkLines } from '../helpers/benchmark-data.ts'
import { retrieverOf } from '../helpers/corpus.ts'
import { candidateOf, idsOf } from '../helpers/results.ts'
import { spanFaults } from '../helpers/spans.ts'

interface Expected {
  readonly query: { readonly chunkText: string; readonly language: string }
  readonly must_accept: readonly { readonly id: string; readonly evidence: readonly string[] }[]
  readonly must_reject: readonly { readonly id: string }[]
  readonly must_rank_lower_or_reject: readonly { readonly id: string; readonly below: readonly string[] }[]
}

/** Whether a verified span of the candidate lies in an occurrence of the text in the chunk, or over it. */
function touches({ verdict }: RetrievalResult['candidates'][number], chunk: string, text: string): boolean {
  for (let at = chunk.indexOf(text); at >= 0; at = chunk.indexOf(text, at + 1)) {
    if (verdict.evidence.some((evidence) => evidence.chunk.start < at + text.length && at < evidence.chunk.end))
      return true
  }
  return false
}

describe.skipIf(!hasBenchmarkData('godot/canonical/expected.json'))('the canonical case', () => {
  it('accepts with proof what it must, and rejects or ranks lower the rest', async () => {
    const expected = readBenchmarkJson<Expected>('godot/canonical/expected.json')
    const { chunkText, language } = expected.query
    await using retriever = await retrieverOf(readBenchmarkLines<CorpusRecord>('godot/canonical/corpus.jsonl'))
    const result = await retriever.retrieve(chunkText, { language })
    expect(spanFaults(result.candidates, chunkText)).toEqual([])
    const faults: string[] = []
    for (const { id, evidence } of expected.must_accept) {
      const candidate = candidateOf(result, id)
      if (candidate.verdict.outcome !== 'accept')
        faults.push(`${id}: ${candidate.verdict.outcome}, ${candidate.verdict.reason}`)
      for (const text of evidence) if (!touches(candidate, chunkText, text)) faults.push(`${id}: no span in ${text}`)
    }
    for (const { id } of expected.must_reject) {
      const candidate = result.candidates.find((each) => each.id === id)
      if (candidate !== undefined && candidate.verdict.outcome !== 'reject')
        faults.push(`${id}: ${candidate.verdict.outcome}`)
    }
    for (const { id, below } of expected.must_rank_lower_or_reject) {
      const candidate = result.candidates.find((each) => each.id === id)
      if (candidate === undefined || candidate.verdict.outcome === 'reject') continue
      for (const upper of below)
        if (candidateOf(result, upper).rank > candidate.rank) faults.push(`${id} ranks above ${upper}`)
    }
    expect(faults).toEqual([])
    expect(idsOf(result.accepted.filter(({ collection }) => collection === 'api_mapping'))).toEqual([])
  })
})

describe('the Godot example', () => {
  const example = (name: string): string => fileURLToPath(new URL(`../../examples/godot/${name}`, import.meta.url))

  async function retrieveExample(name: string, language?: string): Promise<RetrievalResult> {
    await using retriever = await retrieverOf(readRecords(example('corpus.jsonl')))
    const chunk = readFileSync(example(name), 'utf8')
    const result = await retriever.retrieve(chunk, language === undefined ? {} : { language })
    expect(spanFaults(result.candidates, chunk)).toEqual([])
    return result
  }

  it.each([['gdscript'], [undefined]])(
    'shows for the Godot 4 chunk what its page says, with the language %s',
    async (language) => {
      const result = await retrieveExample('player.gd', language)
      const accepted = idsOf(result.accepted)
      expect(accepted).toEqual(
        expect.arrayContaining([
          ...['class/animatedsprite2d/play', 'class/input/is_action_pressed'],
          ...['player_2d/input', 'player_2d/clamp', 'player_2d/animation'],
          ...['player_movement_2d', 'screen_clamp', 'animation_by_direction'],
        ]),
      )
      for (const twin of ['class/animatedsprite3d/play', 'class/vector3/clamp', 'player_movement_3d'])
        expect(accepted).not.toContain(twin)
      expect(result.accepted.filter(({ collection }) => collection === 'api_mapping')).toEqual([])
    },
  )

  it.each([['gdscript'], [undefined]])(
    'shows for the Godot 3 chunk what its page says, with the language %s',
    async (language) => {
      const result = await retrieveExample('player_godot3.gd', language)
      const renames = idsOf(result.accepted.filter(({ collection }) => collection === 'api_mapping'))
      expect(renames.sort()).toEqual(['deg2rad', 'export_var', 'kinematicbody2d', 'packedscene.instance', 'yield'])
      expect(idsOf(result.uncertain.filter(({ collection }) => collection === 'api_mapping'))).toEqual([])
      expect(candidateOf(result, 'class/animatedsprite2d/play').verdict.outcome).toBe('reject')
    },
  )
})
