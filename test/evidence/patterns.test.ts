import { describe, expect, it } from 'vitest'
import { readChunk } from '../../src/code/chunk.ts'
import { compilePattern, matchPattern, patternMatches } from '../../src/evidence/patterns.ts'

const chunk = readChunk('# connect(1)\nbutton.connect(self)\nprint("connect(2)")', 'gdscript')
const at = chunk.text.indexOf('connect(self)')

describe('a source pattern', () => {
  it('is matched on code alone: not in comments, not inside strings', () => {
    expect(matchPattern(chunk, '\\bconnect\\(\\w+\\)', undefined)).toEqual({
      start: at,
      end: at + 'connect(self)'.length,
    })
    expect(matchPattern(chunk, 'connect\\(1', undefined)).toBeUndefined()
    expect(matchPattern(chunk, 'connect\\(2', undefined)).toBeUndefined()
  })

  it('has to cover a place where a gate stands', () => {
    const gate = { start: at, end: at + 'connect'.length }
    expect(matchPattern(chunk, 'connect\\(', [gate])).toEqual({ start: at, end: at + 'connect('.length })
    expect(matchPattern(chunk, 'button', [gate])).toBeUndefined()
    expect(patternMatches(chunk, 'connect\\(', { start: at, end: at + 'connect('.length })).toBe(true)
    expect(patternMatches(chunk, 'connect\\(', { start: at, end: at + 'connect'.length })).toBe(false)
  })

  it.each(['(', '[a', '(?<=a)b', '(((a{100}){100}){100})', 'a{2000}', 'a'.repeat(5000), '\\ud800', '[ab]{1,900}[cd]'])(
    'that is invalid or too large is reported, never thrown: %.30s',
    (pattern) => {
      expect(compilePattern(pattern)).toBeUndefined()
      expect(matchPattern(chunk, pattern, undefined)).toBe('bad')
      expect(patternMatches(chunk, pattern, { start: 0, end: 1 })).toBe(false)
    },
  )

  it('finds a gate anywhere in a megabyte, and the same span again', () => {
    const text = `${'call(some, thing)\n'.repeat(30_000)}old_name(x)\n${'call(some, thing)\n'.repeat(30_000)}`
    const large = readChunk(text, 'python')
    const start = text.indexOf('old_name')
    const match = matchPattern(large, '\\bold_name\\s*\\(', [{ start, end: start + 8 }])
    expect(match).toEqual({ start, end: start + 9 })
    expect(patternMatches(large, '\\bold_name\\s*\\(', { start, end: start + 9 })).toBe(true)
  })
})
