import { createRequire } from 'node:module'
import { DirectEvidenceError, loadGrammars } from 'direct-evidence'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../helpers/corpus.ts'

const gdscript = createRequire(import.meta.url).resolve(
  `tree-sitter-gdscript/prebuilds/${process.platform}-${process.arch}/tree-sitter-gdscript.node`,
)

describe('grammars', () => {
  it('of a parser that does not load are refused, and the process goes on', async () => {
    const broken = { libraryPath: import.meta.filename }
    const error = await refusal(loadGrammars({ languages: ['javascript'], dynamic: { broken } }))
    expect({ code: error.code, option: error.details.option }).toEqual({ code: 'GRAMMAR_UNUSABLE', option: 'broken' })
    const missing = await refusal(loadGrammars({ dynamic: { missing: { libraryPath: gdscript, symbol: 'no_such' } } }))
    expect(missing.code).toBe('GRAMMAR_UNUSABLE')
  })

  it('that are built in need no registration, others are loaded by any of their names', async () => {
    expect((await loadGrammars({ languages: ['js', 'tsx'] })).languages).toEqual(['javascript', 'tsx'])
    const own = { libraryPath: gdscript, symbol: 'tree_sitter_gdscript' }
    const grammars = await loadGrammars({ languages: ['Python', 'gd'], dynamic: { 'my-script': own } })
    expect(grammars.languages).toEqual(['gdscript', 'my-script', 'python'])
    expect((await grammars.parse('var a = $B.c()', 'my-script'))?.grammar).toBe('my-script')
    expect((await grammars.parse('x = 1', 'PY'))?.grammar).toBe('python')
    expect(await grammars.parse('let x = 1', 'javascript')).toBeUndefined()
  })

  it('that are installed can be asked for later too; a parser of your own comes too late', async () => {
    expect((await loadGrammars({ languages: ['java', 'go'] })).languages).toEqual(['go', 'java'])
    const error = await refusal(loadGrammars({ dynamic: { late: { libraryPath: gdscript } } }))
    expect(error.code).toBe('GRAMMAR_UNUSABLE')
    expect(error.message).toContain('first call of loadGrammars()')
  })

  it('that are not installed say what to install', async () => {
    const error = await refusal(loadGrammars({ languages: ['kotlin'] }))
    expect(error.code).toBe('DEPENDENCY_MISSING')
    expect(error.message).toContain('npm install @ast-grep/lang-kotlin')
    const elsewhere = await refusal(loadGrammars({ from: 'file:///nowhere/at/all.js' }))
    expect(elsewhere.message).toContain('npm install @ast-grep/napi')
  })

  it.each([
    [{ languages: ['klingon'] }, 'languages'],
    [{ grammar: 1 }, 'grammar'],
    [{ dynamic: { x: { path: 'a' } } }, 'dynamic.x.libraryPath'],
  ])('refuse the option of %j', async (options, option) => {
    const error = await refusal(loadGrammars(options as never))
    expect(DirectEvidenceError.isInstance(error) && error.details.option).toBe(option)
  })

  it('are chosen by the text where no language is named, the dialect by what parses', async () => {
    const grammars = await loadGrammars()
    const chosen = async (text: string): Promise<string | undefined> => (await grammars.parse(text, undefined))?.grammar
    expect(await chosen('extends Node\n\nfunc _ready():\n\tpass\n')).toBe('gdscript')
    expect(await chosen('const a = require("b")\nconst f = () => a\n')).toBe('javascript')
    expect(await chosen('export const f = (a: string): Promise<A<B>> => g(a as B)\nexport type A = B | C\n')).toBe(
      'typescript',
    )
    expect(await chosen('words of a person')).toBeUndefined()
  })
})
