import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/contracts.ts'
import { DirectEvidenceError } from '../../src/errors.ts'
import { formatTrace } from '../../src/trace/format.ts'
import { Lines } from '../../src/trace/lines.ts'
import { printable } from '../../src/trace/printable.ts'
import { parallelTrace, traceOf } from './example.ts'

describe('formatTrace', () => {
  test('shows header, one table for each stage, evidence by line and column, verdicts with reasons', async () => {
    expect(formatTrace(await parallelTrace())).toMatchInlineSnapshot(`
      "strategy  parallel
      chunk     gdscript, 3 lines, 52 characters
      status    evidence
      degraded  nothing

      bm25  1 ms
        rank  collection   id    score  why
           1  docs_chunks  play  9.123  terms=play sprite

      embedding  1 ms
        rank  collection   id     score  why
           1  docs_chunks  input    0.5  similarity=0.5

      literal  1 ms
        rank  collection   id    score
           1  docs_chunks  play      4

      union  0 ms
        rank  collection   id
           1  docs_chunks  play
           2  docs_chunks  input

      provenance  0 ms
        rank  collection   id     why
           1  docs_chunks  play   bm25 #1 (9.123), literal #1 (4)
           2  docs_chunks  input  embedding #1 (0.5)

      fuse  1 ms
        rank  collection   id       score  why
           1  docs_chunks  play   0.03279  bm25=0.01639 literal=0.01639
           2  docs_chunks  input  0.01639  embedding=0.01639

      evidence  1 ms
        rank  collection   id
           1  docs_chunks  play
             + 3:4 AnimatedSprite2D.play (chain, 3) in title
           2  docs_chunks  input
             - missing: AnimatedSprite2D, moving

      validate  1 ms
        rank  collection   id     why
           1  docs_chunks  play   accept by literal: the chunk calls AnimatedSprite2D.play
           2  docs_chunks  input  reject by literal: nothing of the chunk stands in the record

      ranking  0 ms
        rank  collection   id       score  why
           1  docs_chunks  play   0.03279  accept
           2  docs_chunks  input  0.01639  reject
      "
    `)
  })

  test('says what did not go as asked', () => {
    const degraded = [{ stage: 'embedding', code: 'MODEL_FAILED', message: 'no answer' }]
    expect(formatTrace({ ...traceOf([]), degraded })).toContain('degraded  embedding: no answer (MODEL_FAILED)')
    expect(formatTrace(traceOf([{ stage: 'embedding', ms: 2, error: 'no answer' }]))).toContain('  error: no answer')
  })

  test('a search that found nothing says so', () => {
    expect(formatTrace(traceOf([{ stage: 'bm25', ms: 1, hits: [] }]))).toContain('bm25  1 ms\n  no hits\n')
  })

  test('stages of other strategies are shown by the same rules', () => {
    const text = formatTrace(
      traceOf([
        { stage: 'classify', ms: 0.2, intent: 'find_similar', confidence: 0.8, weights: { text: 0.3 } },
        { stage: 'rerank', ms: 4, top: [{ collection: 'c', id: 'x', rank: 3, rerankScore: 0.25, rankBefore: 9 }] },
      ]),
    )
    expect(text).toContain('  intent: find_similar\n  confidence: 0.8\n  weights: text=0.3\n')
    expect(text).toMatch(/ 3 {2}c {11}x {4}0\.25 {2}rankBefore=9\n/)
  })

  test('shows `top` rows and says how many more there are', () => {
    const hits = Array.from({ length: 12 }, (_, index) => ({ collection: 'c', id: `r${index}`, rank: index + 1 }))
    const trace = traceOf([{ stage: 'bm25', ms: 1, hits }])
    expect(formatTrace(trace)).toContain('  … 2 more\n')
    expect(formatTrace(trace, { top: 1 })).toContain('  … 11 more\n')
    expect(formatTrace(trace, { top: Infinity })).not.toContain('more')
  })

  test('shows `top` hits of each collection, because each is ranked by itself', () => {
    const hits = ['a', 'b'].flatMap((collection) =>
      [1, 2, 3].map((rank) => ({ collection, id: `${collection}${rank}`, rank })),
    )
    const text = formatTrace(traceOf([{ stage: 'bm25', ms: 1, hits }]), { top: 1 })
    expect(text).toContain(' a1\n')
    expect(text).toContain(' b1\n  … 4 more\n')
  })

  test.each([
    ['top', { top: 0 }],
    ['top', { top: 1.5 }],
    ['top', { top: Number.NaN }],
    ['top', { top: '3' as never }],
    ['color', { color: 'yes' as never }],
    ['colour', { colour: true } as never],
  ])('an option `%s` out of range or unknown is refused', (option, options) => {
    expect.assertions(2)
    try {
      formatTrace(traceOf([]), options)
    } catch (error) {
      expect(DirectEvidenceError.isInstance(error) && error.code).toBe('OPTION_INVALID')
      expect(DirectEvidenceError.isInstance(error) && error.details.option).toBe(option)
    }
  })

  test('colours only when asked, and then says the same', async () => {
    const trace = await parallelTrace()
    const plain = formatTrace(trace)
    const colored = formatTrace(trace, { color: true })
    expect(plain).not.toContain('\x1b')
    expect(colored).toContain('\x1b[32m')
    expect(colored.replaceAll(/\x1b\[\d+m/g, '')).toBe(plain)
  })

  test('text from records and chunks reaches no terminal as a command', () => {
    const evil = 'a\x1b[2Jb\u009b31mc\r\n\u202ed\u2028\u{e0041}'
    const evidence = [{ text: evil, kind: evil, weight: 1, chunk: { start: 1, end: 2 }, field: evil }]
    const key = { collection: evil, id: evil }
    const text = formatTrace({
      ...traceOf([
        { stage: evil, ms: 0, [evil]: evil, error: evil },
        { stage: 'bm25', ms: 0, hits: [{ ...key, rank: 1, score: 1, why: { [evil]: [evil] } }] },
        { stage: 'evidence', ms: 0, [`${evil}s`]: [{ ...key, evidence, missing: [evil] }], [evil]: [] },
        { stage: 'validate', ms: 0, verdicts: [{ ...key, outcome: evil, by: evil, reason: evil, answer: 'no' }] },
      ]),
      strategy: evil,
      chunk: { text: evil, language: evil, characters: evil.length },
      degraded: [{ stage: evil, code: evil, message: evil }],
    })
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
    expect(text).toContain('a\\x1b[2Jb\\x9b31mc\\r\\n\\u202ed\\u2028\\u{e0041}')
  })

  test('long text is cut to the line', () => {
    const long = 'x'.repeat(1_000_000)
    const hits = [{ collection: long, id: long, rank: 1, score: 1, why: { terms: [long] } }]
    const text = formatTrace(traceOf([{ stage: 'bm25', ms: 1, hits, note: long }]))
    expect(text).toContain('…')
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(160)
  })

  test('shows whatever JSON a stage logs without failing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (log) => {
        const text = formatTrace(traceOf([{ ...(log as Record<string, Json>), stage: 'mine', ms: 0 }]))
        return !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text.replaceAll('\n', ''))
      }),
    )
  })

  test('shows known fields of the wrong type without failing', () => {
    const names = ['rank', 'score', 'why', 'modalities', 'contributions', 'evidence', 'missing', 'outcome', 'reason']
    const items = fc.array(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()))
    fc.assert(
      fc.property(items, (logged) => {
        const hits = logged.map((item) => ({ ...(item as Record<string, Json>), collection: 'c', id: 'x' }))
        expect(formatTrace(traceOf([{ stage: 'bm25', ms: 0, hits }]))).toContain('bm25')
      }),
    )
  })
})

describe('printable', () => {
  test('escapes what cannot be seen and leaves the rest', () => {
    expect(printable('plain $x\\n été 漢字 🙂', 99)).toBe('plain $x\\n été 漢字 🙂')
    expect(printable('\0\t\x7f\ufeff\ud83d', 99)).toBe('\\x00\\t\\x7f\\ufeff\\ud83d')
  })

  test('is never longer than asked and ends with … exactly when it was cut', () => {
    const texts = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, longest) => {
        const whole = printable(text, 100_000)
        const shown = printable(text, longest)
        const width = [...whole].length
        if (width <= longest) expect(shown).toBe(whole)
        else expect(shown).toBe(`${[...whole].slice(0, longest - 1).join('')}…`)
      }),
    )
  })
})

describe('Lines', () => {
  test('counts lines and columns from 1, whatever the line end', () => {
    const lines = new Lines('ab\ncd\r\ne\rf')
    expect(lines.count).toBe(4)
    expect([0, 2, 3, 7, 9].map((offset) => lines.at(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 3 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
    ])
  })

  test('a line end at the very end begins no line that counts', () => {
    expect(['', 'a', 'a\n', 'a\n\n', '\na'].map((text) => new Lines(text).count)).toEqual([0, 1, 1, 2, 2])
  })

  test('has no place for an offset outside of the text', () => {
    const lines = new Lines('ab')
    expect(lines.at(2)).toEqual({ line: 1, column: 3 })
    expect([-1, 3, 0.5, Number.NaN].map((offset) => lines.at(offset))).toEqual(Array(4).fill(undefined))
  })

  test('agrees with splitting the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r') }), fc.nat(), (text, number) => {
        const offset = number % (text.length + 1)
        // Inside of \r\n the line has not ended yet.
        const before = text.slice(0, offset).replace(/\r$/, text[offset] === '\n' ? '.' : '\r')
        const parts = before.split(/\r\n|\n|\r/)
        expect(new Lines(text).at(offset)).toEqual({ line: parts.length, column: parts.at(-1)!.length + 1 })
      }),
    )
  })
})
