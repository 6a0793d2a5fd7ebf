import { isKeyword } from '../keywords.ts'
import type { Token } from './token.ts'

const valueEnds: ReadonlySet<string> = new Set([')', ']', '}', '++', '--', '<', '/'])

/** Whether a `/` behind this token begins a pattern: where a value has ended it divides, and `</` closes a tag. */
export function canBeginRegex(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'operator') return !valueEnds.has(before.text)
  return before.kind === 'word' && isKeyword(before.text) && before.text !== 'this' && before.text !== 'super'
}

/** Finds pattern literals such as `/["']+/g` in one text. */
export class RegexReader {
  readonly #text: string
  #noneUntil = 0

  constructor(text: string) {
    this.#text = text
  }

  /** End of the literal whose first `/` stands at `start`, or 0 when it does not close on its line. */
  end(start: number): number {
    if (start < this.#noneUntil) return 0
    const text = this.#text
    let inClass = false
    let index = start + 1
    for (; index < text.length; index++) {
      const char = text.charAt(index)
      if (char === '\n') break
      if (char === '\\') index++
      else if (char === '[') inClass = true
      else if (char === ']') inClass = false
      else if (char === '/' && !inClass) {
        if (index === start + 1) return 0
        index++
        while (/[a-z]/.test(text.charAt(index))) index++
        return index
      }
    }
    this.#noneUntil = index
    return 0
  }
}
