import { describe, expect, it } from 'vitest'
import { hasMetavariable, isLoneMetavariable, repeatsVariable } from '../../../src/code/trees/metavariables.ts'
import { hasBenchmarkData, readBenchmarkLines } from '../../helpers/benchmark-data.ts'

describe('a text with a meta-variable is an ast-grep pattern', () => {
  it.each([
    '$A.instance()',
    'f($$$ARGS)',
    'f($$$)',
    '$_.call($A1)',
    'yield($O, "$S", $_X)',
    'a[$I]',
    '$A[$I-1]',
    '$$OP',
  ])('%s', (text) => expect(hasMetavariable(text)).toBe(true))

  it.each([
    ...['\\$[A-Z]\\w*', 'foo$', '(?:^|x$)', '^a$|^b$', '[$A-Z_]+', '[^$A]', '[$_]*x', '\\$A', '(?:$A)', 'a\\.b$_'],
    ...['$Player.hide()', 'foo$A', '$', '$a', '$1', '', 'connect\\('],
  ])('but not %s', (text) => expect(hasMetavariable(text)).toBe(false))

  it('and a long hostile text is told apart at once', () => {
    expect(hasMetavariable(`${'['.repeat(4_000)}`)).toBe(false)
    expect(hasMetavariable('[a-'.repeat(1_300))).toBe(false)
  })

  it.skipIf(!hasBenchmarkData('godot/corpus/api_mapping.jsonl'))('no pattern of the corpora changes its kind', () => {
    for (const data of ['godot', 'tensorflow']) {
      const records = readBenchmarkLines<{ source_pattern?: string }>(`${data}/corpus/api_mapping.jsonl`)
      const patterns = records.flatMap(({ source_pattern = '' }) => source_pattern)
      expect(patterns.filter(hasMetavariable)).toEqual([])
    }
  })
})

it('a pattern that is one meta-variable, or names one twice, is known as such', () => {
  expect(['$A', ' $$$ ', '$_', '$$$ARGS'].every(isLoneMetavariable)).toBe(true)
  expect(isLoneMetavariable('$A.b')).toBe(false)
  expect(repeatsVariable('$A + $A')).toBe(true)
  expect(repeatsVariable('$A + $B') || repeatsVariable('$_ + $_')).toBe(false)
})
