import { declare, type Reader, skip } from './reader.ts'

/** Tokens of one pattern that are read: it is written by hand. */
const patternReach = 400

/** `{ a, b: c }`, `[a, b]`, `(a, Some(b))` on the left: the names that are bound, not keys, constructors and defaults. */
export function readPattern(reader: Reader, open: number, close: number, module: readonly string[] | undefined): void {
  const { tokens } = reader
  const kind = module === undefined ? 'variable' : 'import'
  for (let at = open + 1; at < Math.min(close, open + patternReach); at++) {
    const token = tokens[at]!
    if (token.text === '=') at = defaultEnd(reader, at, Math.min(close, open + patternReach))
    if (token.kind !== 'word') continue
    let bound = token
    if (tokens[at + 1]?.text === ':') {
      // A key; what it is bound to follows, a name or another pattern.
      if (tokens[at + 2]?.kind !== 'word') continue
      bound = tokens[at + 2]!
      at += 2
    }
    if (/^(?:[({.]|::)$/.test(tokens[at + 1]?.text ?? '') || tokens[at - 1]?.text === '::') continue
    declare(reader, bound, kind)
    if (module !== undefined) reader.imports.set(bound.text, [...module, token.text])
  }
}

function defaultEnd(reader: Reader, from: number, close: number): number {
  let at = from
  while (at < close && reader.tokens[at]!.text !== ',') at = skip(reader, at)
  return at
}
