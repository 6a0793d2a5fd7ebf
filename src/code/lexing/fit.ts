import type { Token } from './token.ts'

const codeLine = /[=;{}]|[\p{L}\p{N}_][([]|\)\s*:?$|^\s*[@#]|^\s*(?:pass|return|else:|break|continue)\b/u
const proseLine = /^\s*\p{L}[\p{L}'’-]*(?:[,;:]?\s[\p{L}][\p{L}'’-]*){3,}[.,:;!?]?\s*$/u
/** Characters of a line that are looked at. */
const longestLine = 200

/**
 * How well the division of a text into strings and code fits its lines: lines of code in multi-line strings and lines of
 * prose in code speak against it. 0 is the best.
 */
export function fitOf(text: string, tokens: readonly Token[]): number {
  let fit = 0
  let from = 0
  for (const token of tokens) {
    if (token.kind === 'comment') {
      from = token.end
      continue
    }
    if (token.kind !== 'string' || !token.text.includes('\n')) continue
    fit -= linesLike(text.slice(from, token.start), proseLine) + linesLike(token.text, codeLine)
    from = token.end
  }
  return fit - linesLike(text.slice(from), proseLine)
}

function linesLike(text: string, pattern: RegExp): number {
  let count = 0
  for (let from = 0; from < text.length; ) {
    let to = text.indexOf('\n', from)
    if (to < 0) to = text.length
    if (pattern.test(text.slice(from, Math.min(to, from + longestLine)))) count++
    from = to + 1
  }
  return count
}
