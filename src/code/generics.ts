import type { Token } from './lexer.ts'

/** Tokens between angle brackets before giving up: type arguments are short. */
const reach = 40

const inside: ReadonlySet<string> = new Set([
  ',',
  '.',
  '::',
  '?',
  '&',
  '*',
  '[',
  ']',
  '(',
  ')',
  '|',
  '->',
  '=>',
  ':',
  "'",
  '=',
])

/**
 * Index behind the type arguments whose `<` stands at `open`; `open` itself when they do not close, as in a comparison.
 */
export function behindTypeArguments(tokens: readonly Token[], open: number): number {
  if (tokens[open]?.text !== '<') return open
  let depth = 0
  for (let index = open; index < tokens.length && index < open + reach; index++) {
    const { kind, text } = tokens[index]!
    if (text === '<') depth++
    else if (text === '>') depth--
    else if (text === '>>') depth -= 2
    else if (kind === 'operator' && !inside.has(text)) return open
    else if (kind === 'string') return open
    // Below zero the bracket closes type arguments around these as well.
    if (depth <= 0) return depth === 0 ? index + 1 : open
  }
  return open
}
