import { describe, expect, it } from 'vitest'
import { type ChunkReading, readChunk } from '../../../src/code/chunk.ts'
import { literalsOf } from '../../../src/code/literals.ts'
import { loadGrammars } from '../../../src/code/trees/grammars.ts'
import { type RealCode, randomBelow, realCode } from '../../helpers/real-code.ts'

const grammars = await loadGrammars()

/** All of a chunk that can become evidence, or a word to search by. */
function literals(chunk: ChunkReading): string[] {
  const found = literalsOf(chunk).map(({ key, kind, span }) => `${kind} ${key} ${span.start}`)
  return [...found, ...[...chunk.terms].map(([term, weight]) => `term ${term} ${weight}`)].sort()
}

/**
 * Why the two readings may differ on code that parses. One more reason is known, of which the code here has none: text
 * between tags is no code to a tree (`<p>Open World</p>`). The other: GDScript lets a string in plain quotes run over several lines,
 * and the grammar of Python lets it by mistake. The lexer ends such a string with its line, because a lone quote is much
 * more often the end of a string that began before the chunk.
 */
function mayDiffer(withoutTree: ChunkReading): boolean {
  const { traits, tokens } = withoutTree.code
  if (traits.name !== 'gdscript' && traits.name !== 'python') return false
  return tokens.some(({ kind, text }) => kind === 'operator' && (text === '"' || text === "'"))
}

async function compare(codes: readonly RealCode[]): Promise<{ read: number; excepted: number; faults: string[] }> {
  let read = 0
  let excepted = 0
  const faults: string[] = []
  for (const { name, language, text } of codes) {
    const tree = await grammars.parse(text, language)
    if (tree === undefined) continue
    read++
    const withTree = literals(readChunk(text, language, tree))
    const alone = readChunk(text, language)
    const withoutTree = literals(alone)
    const difference = withTree.filter((each) => !withoutTree.includes(each))
    difference.push(...withoutTree.filter((each) => !withTree.includes(each)))
    if (difference.length === 0) continue
    if (mayDiffer(alone)) excepted++
    else faults.push(`${name}: ${difference.slice(0, 3).join(', ')}`)
  }
  return { read, excepted, faults }
}

describe('with and without a tree, the same text gives the same literals', () => {
  describe.each(realCode)('in %s', (_, code) => {
    const codes = code()

    it.skipIf(codes.length === 0)('whole', async () => {
      const { read, excepted, faults } = await compare(codes)
      expect(faults).toEqual([])
      expect(read).toBeGreaterThan(codes.length / 2)
      expect(excepted).toBeLessThanOrEqual(read / 100)
    })

    it.skipIf(codes.length === 0)('cut at any place', async () => {
      const below = randomBelow(7)
      const cuts = codes.map(({ name, language, text }) => {
        const start = below(text.length + 1)
        const end = start + 100 + below(2_500)
        return { name: `${name} ${start} to ${end}`, language, text: text.slice(start, end) }
      })
      const { excepted, faults } = await compare(cuts)
      expect(faults).toEqual([])
      expect(excepted).toBeLessThanOrEqual(cuts.length / 50)
    })
  })
})

it.each([
  ['go', 'package main\n\nimport "fmt"\n\n// Old()\nfunc f(a int) {\n\tfmt.Println("a", `b\nc`, \'x\') /* d */\n}\n'],
  ['java', 'class A {\n  // Old()\n  void f(List<String> a) {\n    a.add("x" + \'y\' + """\n      z""");\n  }\n}\n'],
  ['tsx', `export const A = (p: Props) => <B title="x" on={() => f(\`a \${p.q} b\`)} />\n`],
  ['html', '<!-- a.b() -->\n<p class="c"><br></p>\n'],
])('and so in %s', async (language, text) => {
  const { read, faults } = await compare([{ name: language, language, text }])
  expect({ read, faults }).toEqual({ read: 1, faults: [] })
})
