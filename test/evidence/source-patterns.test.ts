import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyzeChunk } from '../../src/code/analyze.ts'
import { loadGrammars } from '../../src/code/trees/grammars.ts'
import { faultOfPattern, isPatternMatch, reportPattern } from '../../src/evidence/source-patterns.ts'

const grammars = await loadGrammars()
const code = [
  'func f():',
  '\t# Old.instance()',
  '\tprint("a.instance()")',
  '\tvar s = Sprite.instance()',
  '\tb.connect("pressed", self, "x") # how',
].join('\n')
const chunk = await analyzeChunk(code, { language: 'gdscript', grammars })
const unread = await analyzeChunk(code, { language: 'gdscript' })

/** What the pattern matches, or what became of it. */
function matched(pattern: string | object, language?: string): string {
  const text = typeof pattern === 'string' ? pattern : JSON.stringify(pattern)
  const report = reportPattern(chunk, 'p', text, language, undefined)
  return report.outcome === 'match' ? code.slice(report.span.start, report.span.end) : report.outcome
}

/** The pattern can never match: it says why, whatever the chunk. */
function fault(pattern: string | object, language?: string): string {
  const text = typeof pattern === 'string' ? pattern : JSON.stringify(pattern)
  return faultOfPattern(text, language, grammars) ?? ''
}

describe('an ast-grep pattern', () => {
  it.each([
    ['$A.instance()', 'Sprite.instance()'],
    ['$O.connect($S, self, $F)', 'b.connect("pressed", self, "x")'],
    ['$O.connect($$$ARGS)', 'b.connect("pressed", self, "x")'],
    [{ pattern: '$A.instance()' }, 'Sprite.instance()'],
    [
      { rule: { pattern: '$A.instance()', inside: { kind: 'function_definition', stopBy: 'end' } } },
      'Sprite.instance()',
    ],
    [{ rule: { pattern: '$A.$M()' }, constraints: { A: { regex: '^Spr' } } }, 'Sprite.instance()'],
    [
      { rule: { kind: 'attribute', matches: 'x' }, utils: { x: { regex: 'connect' } } },
      'b.connect("pressed", self, "x")',
    ],
    [{ any: [{ pattern: 'nothing($A)' }, { pattern: 'print($A)' }] }, 'print("a.instance()")'],
  ])('matches code: %j', (pattern, expected) => expect(matched(pattern)).toBe(expected))

  it.each([['Old.$M()'], [{ kind: 'comment' }], [{ kind: 'string' }], ['$A.free()']])(
    'matches neither comments nor strings, nor what is not there: %j',
    (pattern) => expect(matched(pattern)).toBe('none'),
  )

  it('has to cover a place where a gate stands', () => {
    const start = code.indexOf('connect')
    const gate = { start, end: start + 'connect'.length }
    expect(reportPattern(chunk, 'p', '$A.connect($$$B)', undefined, [gate]).outcome).toBe('match')
    expect(reportPattern(chunk, 'p', '$A.instance()', undefined, [gate]).outcome).toBe('none')
  })

  it('is checked again at exactly its span', () => {
    const start = code.indexOf('Sprite.instance()')
    const end = start + 'Sprite.instance()'.length
    expect(isPatternMatch(chunk, '$A.instance()', undefined, { start, end })).toBe(true)
    expect(isPatternMatch(chunk, '$A.instance()', undefined, { start, end: end - 1 })).toBe(false)
    expect(isPatternMatch(unread, '$A.instance()', undefined, { start, end })).toBe(false)
  })
})

describe('the language of a record', () => {
  it.each([
    ['$A.instance()', 'gdscript', 'Sprite.instance()'],
    ['$A.instance()', 'GD', 'Sprite.instance()'],
    ['$A.instance()', 'python', 'none'],
    ['\\bSprite\\.instance\\(', 'gdscript', 'Sprite.instance('],
    ['\\bSprite\\.instance\\(', 'python', 'none'],
    ['\\bSprite\\.instance\\(', 'a language nobody knows', 'none'],
  ])('decides whether %s of %s is tried at all', (pattern, language, expected) => {
    expect(matched(pattern, language)).toBe(expected)
  })

  it('is no reason to turn a chunk down whose language is only guessed from a fragment', async () => {
    const guessed = await analyzeChunk('\tSprite.instance()\n', { grammars })
    expect(reportPattern(guessed, 'p', '\\bSprite\\.', 'gdscript', undefined).outcome).toBe('match')
  })
})

describe('without a grammar', () => {
  it('an ast-grep pattern is not checked, and what is missing is said', () => {
    const report = reportPattern(unread, 'source_pattern', '$A.instance()', undefined, undefined)
    expect(report).toMatchObject({ outcome: 'unchecked' })
    expect(report.outcome === 'unchecked' && report.reason).toContain(
      'no grammar for gdscript is loaded; install @ast-grep/napi and tree-sitter-gdscript',
    )
  })

  it('one of another language is known not to match', () => {
    expect(reportPattern(unread, 'p', '$A.instance()', 'python', undefined).outcome).toBe('none')
  })
})

describe('a bad pattern is told from a good one, and never matches', () => {
  const nested = (depth: number): object => (depth === 0 ? { kind: 'call' } : { not: nested(depth - 1) })

  it.each([
    ['(', 'missing closing )'],
    ['a'.repeat(5_000), 'longer than 4000 characters'],
    ['[ab]{1,900}[cd]', 'too large'],
    [`$A.${'x'.repeat(5_000)}`, 'longer than 4000 characters'],
    [`$A.${'x'.repeat(2_000)}`, 'longer than 1000 characters'],
    ['$A', 'matches everything'],
    ['$A.(', 'is no code of'],
    [{}, 'must say something'],
    [{ rule: [] }, 'must be objects'],
    [{ rule: { kind: 'call' }, fix: 'x' }, 'no key `fix`'],
    [{ kindd: 'call' }, 'no key `kindd`'],
    [{ kind: 'no_such_kind' }, 'Kind `no_such_kind` is invalid'],
    [{ regex: '(' }, 'its `regex` is not valid'],
    [{ regex: '(((a{100}){100}){100})' }, 'its `regex` is not valid'],
    [{ matches: 'nobody' }, '`nobody` is not defined'],
    [{ rule: { matches: 'a' }, utils: { a: { matches: 'b' }, b: { matches: 'a' } } }, 'cyclic'],
    [{ rule: { matches: { a: {} } } }, 'must be the name of a rule'],
    [{ all: 'x' }, 'must be a list of rules'],
    [{ all: [null] }, 'a rule must be an object'],
    [{ all: Array.from({ length: 200 }, () => ({ kind: 'call' })) }, 'more than 100 rules'],
    [{ all: [{ kind: 'call' }, nested(60)] }, 'nested more than 24 deep'],
    ['{"rule": "not closed', 'not valid JSON'],
  ])('%.60j', (pattern, expected) => {
    expect(fault(pattern)).toContain(expected)
    expect(fault(pattern)).not.toBe('')
    expect(matched(pattern)).toBe('none')
  })

  it('in the language of its record, or in all that are loaded', () => {
    expect(fault('def $F($$$):', 'python')).toBe('')
    expect(fault('$A =', 'gdscript')).toContain('is no code of gdscript')
    expect(fault('$A.instance()', undefined)).toBe('')
    // Nobody can tell without the grammar.
    expect(fault('$A.(', 'kotlin')).toBe('')
  })

  it('whatever it holds', () => {
    const rule = fc.letrec((tie) => ({
      rule: fc.dictionary(
        fc.constantFrom(
          'all',
          'any',
          'not',
          'has',
          'inside',
          'regex',
          'kind',
          'pattern',
          'nthChild',
          'stopBy',
          'matches',
        ),
        fc.oneof({ depthSize: 'small' }, fc.jsonValue(), tie('rule'), fc.array(tie('rule'), { maxLength: 3 })),
        { maxKeys: 3 },
      ),
    })).rule
    fc.assert(
      fc.property(
        fc.oneof(
          rule.map((value) => JSON.stringify(value)),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const report = reportPattern(chunk, 'p', text, undefined, undefined)
          if (faultOfPattern(text, 'gdscript', grammars) !== undefined) expect(report.outcome).not.toBe('match')
        },
      ),
      { numRuns: 400 },
    )
  })
})

describe('a search that would take too long is not begun', () => {
  it.each([
    ['$A + $A'],
    ['{"has":{"stopBy":"end","regex":"z"}}'],
    ['{"inside":{"stopBy":"end","kind":"string"}}'],
    ['{"nthChild":"2n+1"}'],
    ['{"has":{"stopBy":"end","has":{"stopBy":"end","follows":{"stopBy":"end","kind":"string"}}}}'],
  ])('%s on a chain of 40,000 names', async (pattern) => {
    const chain = await analyzeChunk(`${'a+'.repeat(40_000)}a`, { language: 'javascript', grammars })
    const report = reportPattern(chain, 'p', pattern, undefined, undefined)
    expect(report).toMatchObject({ outcome: 'unchecked' })
    expect(report.outcome === 'unchecked' && report.reason).toContain('too long')
  })

  it('and one that is quick is found in the same chunk', async () => {
    const chain = await analyzeChunk(`${'a+'.repeat(40_000)}b.instance()`, { language: 'javascript', grammars })
    expect(reportPattern(chain, 'p', '$A.instance()', undefined, undefined).outcome).toBe('match')
  })
})
