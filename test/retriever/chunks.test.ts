import { type CorpusRecord, parallel, type RetrievalResult, Retriever, type Trace, traceSchema } from 'direct-evidence'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entry, mapping, page, prototype, retrieverOf } from '../helpers/corpus.ts'
import { candidateOf, idsOf } from '../helpers/results.ts'
import { spanFaults } from '../helpers/spans.ts'

const records: readonly CorpusRecord[] = [
  entry('AnimatedSprite2D.play'),
  entry('Input.is_action_pressed'),
  page('tutorial', { title: 'Moving', content: 'velocity and clamp', code_blocks: ['position += velocity * delta'] }),
  mapping('yield', { source_pattern: 'yield\\s*\\(' }),
  mapping('KinematicBody2D'),
  prototype('any call', { source_pattern: '\\w+\\(' }),
]

let retriever: Retriever
beforeAll(async () => {
  retriever = await retrieverOf(records)
})
afterAll(() => retriever.close())

/** What holds of every result, whatever the chunk. */
function expectSound(result: RetrievalResult, chunk: string): void {
  const { candidates, trace } = result
  traceSchema.parse(trace)
  expect(trace.chunk).toEqual({ text: chunk, language: trace.chunk.language, characters: chunk.length })
  expect(candidates.map(({ rank }) => rank)).toEqual(candidates.map((_, index) => index + 1))
  expect(spanFaults(candidates, chunk)).toEqual([])
  for (const { fusedScore, hits } of candidates) {
    expect(Number.isFinite(fusedScore)).toBe(true)
    for (const { score } of Object.values(hits)) expect(Number.isFinite(score)).toBe(true)
  }
}

describe('a chunk with nothing in it', () => {
  it.each(['', ' ', '\n\n\t  \r\n', '\u00a0\u3000\ufeff'])('such as %j finds nothing', async (chunk) => {
    const result = await retriever.retrieve(chunk)
    expect([result.status, result.candidates]).toEqual(['no-direct-evidence', []])
    expectSound(result, chunk)
  })

  it.each([
    ['gdscript', '# AnimatedSprite2D.play() and KinematicBody2D and yield(x)'],
    ['python', '"""\nInput.is_action_pressed and KinematicBody2D\n"""'],
    ['javascript', '// yield(x)\n/* KinematicBody2D\n   AnimatedSprite2D.play() */'],
  ])('but %s comments proves nothing', async (language, chunk) => {
    const result = await retriever.retrieve(chunk, { language })
    expect(result.accepted).toEqual([])
    expectSound(result, chunk)
  })

  it.each([';', ';;; ;', '()', '????', '\\'])(
    'but punctuation, such as %j, proves nothing and says that it cannot be embedded',
    async (chunk) => {
      const result = await retriever.retrieve(chunk)
      expect(result.accepted).toEqual([])
      expect(result.degraded.map(({ code }) => code)).toContain('query-vector-zero')
      expectSound(result, chunk)
    },
  )
})

describe('a strange chunk', () => {
  const call = '$AnimatedSprite2D.play()'

  it.each<[string, string]>([
    ['a lone high surrogate', `\ud83d\n${call}`],
    ['a lone low surrogate', `${call}\n\ude00`],
    ['a lone surrogate in a name', `na\ud83dme = 1\n${call}`],
    ['NUL', `\u0000${call}\u0000`],
    ['binary', `${Array.from({ length: 512 }, (_, code) => String.fromCharCode(code)).join('')}\n${call}`],
    ['a byte order mark', `\ufeff${call}`],
    ['emoji', `var face = "😀"\n${call}\n😀`],
    ['U+2028 and U+0085', `a\u2028b\u0085c\n${call}`],
    ['brackets that do not match', `))]}}(((\n${call}`],
    ['a quote that does not close', `'don\n${call}`],
    ['every pattern character', `.*+?^\${}()|[]\\ \n${call}`],
    ['names that objects inherit', `__proto__.constructor.hasOwnProperty(toString)\n${call}`],
    ['words without end', `${'a'.repeat(5_000)}\n${call}`],
    ['CJK', `节点就绪后会调用回调函数()\n${call}`],
  ])('with %s is read like any other', async (_, chunk) => {
    const result = await retriever.retrieve(chunk, { language: 'gdscript' })
    expect(candidateOf(result, 'AnimatedSprite2D.play').verdict.outcome).toBe('accept')
    expectSound(result, chunk)
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })

  it('of any text gives a sound result', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ unit: 'grapheme', maxLength: 80 }))
    const mixed = fc.array(fc.oneof(text, fc.constantFrom(call, '"', "'''", '/*', '`${', '\n', 'yield(', '\ud83d')), {
      maxLength: 8,
    })
    const language = fc.constantFrom(undefined, 'gdscript', 'python', 'javascript', 'rust', 'klingon', '__proto__', '')
    await fc.assert(
      fc.asyncProperty(mixed, language, async (parts, named) => {
        const chunk = parts.join('')
        expectSound(await retriever.retrieve(chunk, named === undefined ? {} : { language: named }), chunk)
      }),
      { numRuns: 300 },
    )
  })
})

describe('line ends', () => {
  const chunk = [
    'extends KinematicBody2D',
    '',
    'func _process(delta): # moves',
    '\tif Input.is_action_pressed("right"):',
    '\t\tposition += velocity * delta',
    '\t\t$AnimatedSprite2D.play()',
    '\tyield(get_tree(), "idle")',
    '',
  ].join('\n')

  it('of Windows give the same result but for the offsets', async () => {
    const windows = chunk.replaceAll('\n', '\r\n')
    const [unix, crlf] = [
      await retriever.retrieve(chunk, { language: 'gdscript' }),
      await retriever.retrieve(windows, { language: 'gdscript' }),
    ]
    expectSound(crlf, windows)
    const unmoved = (result: RetrievalResult, text: string): unknown =>
      result.candidates.map(({ verdict, ...candidate }) => ({
        ...candidate,
        verdict: {
          ...verdict,
          evidence: verdict.evidence.map((evidence) => {
            const plain = (offset: number): number => text.slice(0, offset).replaceAll('\r', '').length
            return { ...evidence, chunk: { start: plain(evidence.chunk.start), end: plain(evidence.chunk.end) } }
          }),
        },
      }))
    expect(unmoved(crlf, windows)).toEqual(unmoved(unix, chunk))
    expect(unix.accepted.length).toBeGreaterThan(3)
  })
})

describe('a large chunk', () => {
  const tail = '\n$AnimatedSprite2D.play()\nyield(get_tree(), "idle")\n'

  async function retrieveLarge(chunk: string): Promise<RetrievalResult> {
    const result = await retriever.retrieve(chunk, { language: 'gdscript' })
    expect(spanFaults(result.candidates, chunk)).toEqual([])
    return result
  }

  it('of 1 MB is read to its end', async () => {
    const lines = Array.from(
      { length: 24_000 },
      (_, index) => `\tvar name_${index} = helper_${index % 999}(${index}, "text") # note ${index}`,
    )
    const chunk = lines.join('\n') + tail
    expect(chunk.length).toBeGreaterThan(1_000_000)
    const result = await retrieveLarge(chunk)
    expect(idsOf(result.accepted)).toEqual(expect.arrayContaining(['AnimatedSprite2D.play', 'yield']))
  })

  it('of one minified line of 900 kB is read to its end', async () => {
    const line = Array.from({ length: 30_000 }, (_, index) => `a${index}(b,c);x.y${index % 500}=c;`).join('')
    const chunk = line.slice(0, 900_000) + tail
    expect(idsOf((await retrieveLarge(chunk)).accepted)).toEqual(
      expect.arrayContaining(['AnimatedSprite2D.play', 'yield']),
    )
  })

  it.each(['"', '(', 'a', '#', '$', '\\', '/*', "'''", '{', 'a.', '\n'])('of nothing but %j ends', async (piece) => {
    const chunk = piece.repeat(100_000 / piece.length)
    expect((await retrieveLarge(chunk)).accepted.filter(({ id }) => id !== 'any call')).toEqual([])
  })
})

describe('a corpus with nothing in it', () => {
  const chunk = '$AnimatedSprite2D.play()'
  const stagesOf = ({ stages }: Trace): string[] => stages.map(({ stage }) => stage)

  it('gives an empty result', async () => {
    await using empty = await Retriever.create({ records: [], strategy: parallel() })
    const result = await empty.retrieve(chunk)
    expect(result).toMatchObject({
      status: 'no-direct-evidence',
      candidates: [],
      accepted: [],
      uncertain: [],
      rejected: [],
    })
    expect(stagesOf(result.trace)).toContain('validate')
    expectSound(result, chunk)
  })

  it('but ids, blanks and punctuation gives an empty result and a reason', async () => {
    const blank = [
      page('a'),
      page('b', { content: '   \n' }),
      page('c', { content: '?!... --', code_blocks: ['', '{}'] }),
      page('d', { title: '' }),
    ]
    await using retriever = await retrieverOf(blank)
    const result = await retriever.retrieve(chunk)
    expect([result.status, result.accepted]).toEqual(['no-direct-evidence', []])
    expect(result.degraded.map(({ code }) => code)).toContain('no-vectors')
    expectSound(result, chunk)
  })

  it('is told from one with empty conditions', async () => {
    const conditions = [
      mapping('a', { required_when_seen_in_code: [] }),
      mapping('b', { required_when_seen_in_code: [''] }),
    ]
    await using retriever = await retrieverOf([...conditions, prototype('c', { source_pattern: '' })])
    for (const text of [chunk, 'x', ';']) expect((await retriever.retrieve(text)).accepted).toEqual([])
  })
})

describe('a hostile record', () => {
  it('of one line of 900 kB and a token of 300 kB leaves the rest of it searchable', async () => {
    const line = Array.from({ length: 30_000 }, (_, index) => `a${index}(b,c);x.y${index % 500}=c;`).join('')
    const record = page('large', {
      content: `needle_word ${'QUJD'.repeat(75_000)} tail_word`,
      code_blocks: [line.slice(0, 900_000), 'hidden_call()'],
    })
    await using retriever = await retrieverOf([record, page('small', { content: 'other' })])
    for (const chunk of ['needle_word()', 'tail_word()', 'hidden_call()']) {
      expect(idsOf((await retriever.retrieve(chunk)).candidates)[0]).toBe('large')
    }
  })

  it('may have texts of any kind in any field', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('\ud83d', '\u0000', '{{', '`${`', '"""', 'A.b(', '::', '#'),
    )
    const list = fc.array(text, { maxLength: 4 })
    const fields = fc.oneof(
      fc.record({ title: text, content: text, code_blocks: list, api_symbols: list }).map((each) => page('x', each)),
      fc
        .record({
          source_api: text,
          match_terms: list,
          required_when_seen_in_code: list,
          source_pattern: text,
          before_code: text,
          owner: text,
        })
        .map((each) => mapping('x', each)),
    )
    await fc.assert(
      fc.asyncProperty(fields, text, async (record, extra) => {
        const chunk = `${Object.values(record).flat().join('\n')}\n${extra}`
        await using retriever = await retrieverOf([record])
        expectSound(await retriever.retrieve(chunk), chunk)
      }),
      { numRuns: 200 },
    )
  })
})
