import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCode } from '../../src/code/reading.ts'

/** Every use as its chain, with `()` behind a call. */
function usesOf(code: string, language: string): string[] {
  return readCode(code, language).uses.map(({ path, call }) => path.join('.') + (call ? '()' : ''))
}

function receiverOf(code: string, name: string, language: string): string {
  const use = readCode(code, language).uses.find((candidate) => candidate.name === name)
  return use?.receiver === undefined ? 'none' : `${use.receiver.kind} ${use.receiver.name}`.trim()
}

describe('a chain is read through', () => {
  it.each([
    ['javascript', 'a?.b', 'a.b'],
    ['c', 'a->b', 'a.b'],
    ['cpp', 'std::vector<int> v;', 'std.vector'],
    ['kotlin', 'a!!.b()', 'a.b()'],
    ['lua', 'self:stop()', 'self.stop()'],
    ['gdscript', '$Body/Sprite.frame', 'Sprite.frame'],
    ['gdscript', '%Score.text', 'Score.text'],
    ['python', '@tf.function\ndef f(): pass', 'tf.function'],
    ['javascript', '`$\u007ba.b(`x`)}`', 'a.b()'],
    ['python', 'f"{tf.log(x)}"', 'tf.log()'],
  ])('%s: %j', (language, code, chain) => expect(usesOf(code, language)).toContain(chain))
})

describe('a member hangs on', () => {
  it.each([
    ['python', 'a.b().c', 'c', 'call b'],
    ['javascript', 'foo\n  .bar()\n  // why\n  .baz()', 'baz', 'call bar'],
    ['python', 'foo \\\n  .bar()', 'bar', 'name foo'],
    ['javascript', 'rows?.[0]?.save()', 'save', 'element rows'],
    ['javascript', 'new Foo<Bar>().go()', 'go', 'call Foo'],
    ['gdscript', 'get_node("A/B").hide()', 'hide', 'node B'],
    ['javascript', '/["\']+/.test(s)', 'test', 'literal pattern'],
    ['gdscript', 'x.y\n(a as B).go()', 'go', 'unknown'],
    ['gdscript', 'func f() -> Vector2:', 'Vector2', 'none'],
    ['java', 'xs.map(x -> y)', 'y', 'none'],
  ])('%s: %j: %s on %s', (language, code, name, expected) => expect(receiverOf(code, name, language)).toBe(expected))
})

describe('a call is seen', () => {
  it.each([
    ['csharp', 'GetNode<Timer>("T")', 'GetNode()'],
    ['rust', 'println!("{}", x)', 'println()'],
    ['rust', 'v.collect::<Vec<_>>()', 'collect()'],
  ])('%s: %j', (language, code, call) => expect(usesOf(code, language).join(' ')).toContain(call))

  it('but not where a comparison or a new line parts name and bracket', () => {
    expect(usesOf('if (a < b) (c)', 'java')).not.toContain('a()')
    expect(usesOf('x\n(y)', 'javascript')).not.toContain('x()')
  })
})

it('labels and keys are no uses of the name', () => {
  const positions = (code: string, language: string): string[] =>
    readCode(code, language)
      .uses.filter(({ position }) => position === 'argument')
      .map(({ name }) => name)
  expect(positions('f(a=1, b=c)', 'python')).toEqual(['a', 'b'])
  expect(positions('x = { key: 1 }', 'javascript')).toEqual(['key'])
  expect(positions('x = { Key: 1 }', 'python')).toEqual([])
  expect(positions('if (a = b) {}', 'javascript')).toEqual([])
  expect(positions('retry: while (a) b()', 'javascript')).toEqual(['retry'])
  expect(positions('x = a ?\n  b :\n  c', 'javascript')).toEqual([])
  expect(positions('image: nginx', 'yaml')).toEqual([])
})

it('every span gives its text, in any text and language', () => {
  const texts = fc
    .array(fc.constantFrom(...'abXé.:()[]{}<>$%@"\'`#/\\ \n=,', '->', '::', '?.', 'new ', 'f"{', '${'), {
      maxLength: 60,
    })
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('gdscript', 'python', 'javascript', 'rust', 'php', 'lua', 'ruby'),
      (text, language) => {
        for (const use of readCode(text, language).uses) {
          expect(text.slice(use.start, use.end)).toBe(use.name)
          expect(text.slice(use.pathStart, use.end).endsWith(use.path.at(-1)!)).toBe(true)
        }
      },
    ),
    { numRuns: 500 },
  )
})
