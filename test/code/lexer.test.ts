import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { traitsOf } from '../../src/code/languages.ts'
import { type Token, tokenize } from '../../src/code/lexer.ts'

const languages = [
  'gdscript',
  'python',
  'javascript',
  'java',
  'csharp',
  'c',
  'go',
  'rust',
  'ruby',
  'php',
  'lua',
  'sql',
  'shell',
  'kotlin',
  'swift',
]

function kinds(code: string, language: string, kind: Token['kind']): string[] {
  return tokenize(code, traitsOf(language, code))
    .filter((token) => token.kind === kind)
    .map(({ text }) => text)
}

/** Characters that open, close and escape things, so that random texts meet every branch. */
const codeLike = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'"\'`#/*-\\{}()[]<>$%@.:;= \n\r\t'),
      fc.constantFrom('"""', '//', '/*', '*/', '--', 'r"', 'f"{', '$"', 'größe', '节点', 'x1', '\ud83d'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
  )
  .map((pieces) => pieces.join(''))

describe('tokens', () => {
  it('stand in order, give the text they span, and leave out white space alone', () => {
    fc.assert(
      fc.property(codeLike, fc.constantFrom(...languages, undefined), (text, language) => {
        let end = 0
        for (const token of tokenize(text, traitsOf(language, text))) {
          expect(token.start).toBeGreaterThanOrEqual(end)
          expect(text.slice(end, token.start).trim()).toBe('')
          expect(text.slice(token.start, token.end)).toBe(token.text)
          expect(token.end).toBeGreaterThan(token.start)
          end = token.end
        }
        expect(text.slice(end).trim()).toBe('')
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['python', 'x = 1 # note', '# note'],
    ['gdscript', 'var x = 1 # note', '# note'],
    ['javascript', 'f() // note', '// note'],
    ['c', 'f(); /* a\n b */ g();', '/* a\n b */'],
    ['lua', 'f() -- note', '-- note'],
    ['sql', 'select 1 -- note', '-- note'],
  ])('of %s know the comment in %j', (language, code, comment) =>
    expect(kinds(code, language, 'comment')).toEqual([comment]),
  )

  it('do not take for a comment what only looks like one', () => {
    expect(kinds('a = b // c', 'python', 'comment')).toEqual([])
    expect(kinds('#include <x.h>\nint y;', 'c', 'comment')).toEqual([])
    expect(kinds('const u = "http://x.org"', 'javascript', 'comment')).toEqual([])
    expect(kinds('x = "# no"', 'python', 'comment')).toEqual([])
  })

  it.each([
    ['python', 'x = """a\nb"""', '"""a\nb"""'],
    ['gdscript', 'play(&"walk")', '"walk"'],
    ['javascript', 'f(`a b`)', '`a b`'],
    ['c', "char c = 'x';", "'x'"],
  ])('of %s know the string in %j', (language, code, string) => {
    const strings = kinds(code, language, 'string')
    expect(strings.some((text) => text.endsWith(string))).toBe(true)
  })

  it('keep letters of every script in one word', () => {
    expect(kinds('var größe = имя + 节点', 'gdscript', 'word')).toEqual(['var', 'größe', 'имя', '节点'])
  })
})
