const wordBeyondAscii = /[\p{L}\p{M}\p{N}\p{Pc}]/u

export type AsciiClass = 'letter' | 'digit' | 'space' | 'other'

const asciiClasses: readonly AsciiClass[] = Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (/[A-Za-z_]/.test(char)) return 'letter'
  if (/[0-9]/.test(char)) return 'digit'
  return code <= 32 ? 'space' : 'other'
})

/** The class of a code unit; `_` is a letter, control characters are white space. */
export function asciiClassOf(code: number): AsciiClass | 'beyond' {
  return code < 128 ? (asciiClasses[code] ?? 'other') : Number.isNaN(code) ? 'other' : 'beyond'
}

/** Whether the character at `index` can be part of an identifier; letters of every script can. */
export function isWordAt(text: string, index: number): boolean {
  const kind = asciiClassOf(text.charCodeAt(index))
  if (kind === 'beyond') return wordBeyondAscii.test(characterAt(text, index))
  return kind === 'letter' || kind === 'digit'
}

/** Whether a span is empty, or begins or ends inside a word: what it gives is then a part of a longer name. */
export function cutsWord(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const inside = (at: number): boolean => isWordAt(text, at - 1) && isWordAt(text, at)
  return start === end || inside(start) || inside(end)
}

/** The whole character of which the code unit at `index` is a part; a lone surrogate stays alone. */
function characterAt(text: string, index: number): string {
  const code = text.charCodeAt(index)
  if (isLowSurrogate(code) && isHighSurrogate(text.charCodeAt(index - 1))) return text.slice(index - 1, index + 1)
  if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(index + 1))) return text.slice(index, index + 2)
  return text.charAt(index)
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** End of the word at `start`. A `$` inside a word belongs to it (JavaScript, Java); a leading one does not. */
export function wordEnd(text: string, start: number): number {
  let end = start
  while (
    end < text.length &&
    (isWordAt(text, end) || (text.charCodeAt(end) === 36 && end > start && isWordAt(text, end + 1)))
  )
    end++
  return Math.max(end, start + 1)
}
