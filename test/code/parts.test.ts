import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, partsOf } from '../../src/code/parts.ts'

const composed = fc.string({ unit: 'grapheme' }).map((word) => word.normalize('NFC'))

describe('the parts of an identifier', () => {
  it.each([
    ['AnimatedSprite2D', ['animated', 'sprite', '2d']],
    ['is_action_pressed', ['is', 'action', 'pressed']],
    ['HTTPRequest', ['http', 'request']],
    ['play', []],
    ['größeÄndern', ['größe', 'ändern']],
  ])('%s', (word, parts) => expect(partsOf(word)).toEqual(parts))

  it('of a script without spaces are overlapping pairs', () => {
    expect(partsOf('节点就绪')).toEqual(expect.arrayContaining(['节点', '点就', '就绪']))
  })

  it('are folded, and the same at every call', () => {
    fc.assert(
      fc.property(composed, (word) => {
        const parts = partsOf(word)
        expect(parts).toEqual(partsOf(word))
        for (const part of parts) expect(fold(part)).toBe(part)
      }),
    )
  })
})

it('composed and decomposed accents are one word', () => {
  expect(fold('cafe\u0301_menu')).toBe(fold('caf\u00e9_menu'))
})
