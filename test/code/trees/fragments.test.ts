import { describe, expect, it } from 'vitest'
import { readChunk } from '../../../src/code/chunk.ts'
import type { Token } from '../../../src/code/lexer.ts'
import { loadGrammars, longestParsed } from '../../../src/code/trees/grammars.ts'
import { randomBelow, realCode } from '../../helpers/real-code.ts'

const grammars = await loadGrammars()

function lost(text: string, tokens: readonly Token[]): string {
  let rest = ''
  let end = 0
  for (const token of tokens) {
    if (token.start < end || text.slice(token.start, token.end) !== token.text) return `overlap at ${token.start}`
    rest += text.slice(end, token.start)
    end = token.end
  }
  return (rest + text.slice(end)).trim()
}

describe('a fragment', () => {
  it.each(realCode)('of %s keeps all of its text in order, wherever it is cut', async (_, code) => {
    const below = randomBelow(11)
    for (const { name, language, text } of code()) {
      const start = below(text.length + 1)
      const cut = text.slice(start, start + below(1_500))
      // Half of them also lose a piece in the middle.
      const hole = below(cut.length + 1)
      const chunk = below(2) === 0 ? cut : cut.slice(0, hole) + cut.slice(hole + below(40))
      const { tokens } = readChunk(chunk, language, await grammars.parse(chunk, language)).code
      expect(lost(chunk, tokens), name).toBe('')
    }
  })

  it.each([
    ['gdscript', 'func a():\n\tone.first()\n\nfunc b(:\n\tif x ==\n\nfunc c():\n\ttwo.second("s") # no.third()\n'],
    ['python', 'def a():\n    one.first()\n\ndef b(:\n    x = = 2\n\ndef c():\n    two.second("s") # no.third()\n'],
    ['javascript', 'function a() { one.first() }\nfunction b( {\nfunction c() { two.second("s") } // no.third()\n'],
    ['gdscript', 'func a():\n\tone.first()\n    two.second("mixed tabs" % [\n# no.third()\n'],
    ['python', 'tail of a text"""\none.first()\nx = """a no.third() text\nof two lines"""\ntwo.second()\n'],
    ['cpp', 'inside a comment no.third() */\none.first();\nvoid f() {\n  two.second("s");\n'],
  ])('of %s gives its good part and is partial: %j', async (language, text) => {
    const withTree = readChunk(text, language, await grammars.parse(text, language))
    const alone = readChunk(text, language)
    for (const chunk of [withTree, alone]) {
      expect([...chunk.chains.keys()]).toEqual(['one.first', 'two.second'])
      expect(chunk.code.tree === undefined || chunk.code.partial).toBe(true)
    }
  })

  it.each([
    ['javascript', 'f(a', true],
    ['javascript', 'if (a { b() }', true],
    ['javascript', 'f("a)', true],
    ['javascript', '/* a', true],
    ['javascript', 'f(a) // [', false],
    ['python', 'x = "a\ny = 1', true],
    ['python', 'x = f"a {b}"', false],
    ['gdscript', 'func f():\n\tpass\n', false],
    ['gdscript', '', false],
  ])('of %s is told from a whole text: %j', async (language, text, partial) => {
    expect(readChunk(text, language, await grammars.parse(text, language)).code.partial).toBe(partial)
    expect(readChunk(text, language).code.partial).toBe(partial)
  })

  it('may hold halves of characters and control characters', async () => {
    const text = 'a.b("\ud83d")\u0000\r\nc.d("\ude00") // \u2028 é 😀\nе.f()'
    const { code } = readChunk(text, 'javascript', await grammars.parse(text, 'javascript'))
    expect(lost(text, code.tokens).replaceAll('\u0000', '')).toBe('')
  })
})

it('no tree is built of a very large text', async () => {
  expect(await grammars.parse('f();'.repeat(longestParsed / 4), 'javascript')).toBeDefined()
  expect(await grammars.parse('f();'.repeat(longestParsed / 4 + 1), 'javascript')).toBeUndefined()
})

it.each([
  ['javascript', '('.repeat(50_000)],
  ['javascript', 'a+'.repeat(50_000)],
  ['python', '['.repeat(40_000) + ']'.repeat(40_000)],
  ['gdscript', 'f('.repeat(30_000)],
])('deep nesting ends nothing (%s)', async (language, text) => {
  expect((await grammars.parse(text, language))?.grammar).toBe(language)
})
