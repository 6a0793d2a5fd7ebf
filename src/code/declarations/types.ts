import { behindTypeArguments } from '../generics.ts'
import { baseWords, isKeyword, typeWords } from '../keywords.ts'
import type { Token } from '../lexer.ts'
import { readParameters } from './functions.ts'
import { declare, parts, pathAt, type Reader, skip, typeAt, written } from './reader.ts'

/** Base types that are read of one list, and tokens that are passed over behind one of them. */
const mostBases = 16
const baseReach = 40

/** `class Name extends Base`, `class Name(Base)`, `class Name : Base`, `class Name < Base`, `enum Name { A, B }`. */
export function readType(reader: Reader, index: number): void {
  const { tokens, traits, partner } = reader
  const name = tokens[index + 1]
  if (tokens[index]!.text === 'enum' && name?.text === '{') return readMembers(reader, index + 1)
  if (name?.kind !== 'word' || name.startsLine || typeWords.has(name.text)) return
  let at = behindTypeArguments(tokens, index + 2)
  const next = tokens[at]
  if (traits.typePlace === 'before' && next !== undefined && !next.startsLine) {
    // `struct S *s` uses the type.
    const variable = typeAt(reader, index + 1)
    const held = variable === undefined ? undefined : tokens[variable.behind]
    if (held?.kind === 'word' && !isKeyword(held.text) && !held.startsLine) {
      declare(reader, held, 'variable', written(variable?.path))
      return
    }
  }
  declare(reader, name, 'type')
  const close = partner[at] ?? -1
  if (next?.text === '(' && close > at) {
    if (traits.classBases) readBases(reader, at + 1, close)
    else readParameters(reader, at, close)
    at = close + 1
  }
  const mark = tokens[at]
  if ((mark?.text === ':' && !traits.classBases) || mark?.text === '<') at = readBases(reader, at + 1, tokens.length)
  if (tokens[index]!.text === 'enum' && tokens[at]?.text === '{') readMembers(reader, at)
}

/** Base types between commas, up to `to` or what ends such a list. Returns the index behind them. */
export function readBases(reader: Reader, from: number, to: number): number {
  const { tokens } = reader
  let at = from
  for (let count = 0; count < mostBases && at < to; count++) {
    // A list goes on in the next line only behind a comma.
    if (tokens[at] === undefined || (at === from && from > 0 && to === tokens.length && tokens[at]!.startsLine)) break
    if (tokens[at + 1]?.text === '=') at += 2
    else {
      const base = typeAt(reader, at)
      if (base === undefined) break
      reader.bases.push(base.path)
      at = base.behind
    }
    // What the base is called with, or a value: up to the comma.
    const end = Math.min(to, at + baseReach)
    while (at < end && tokens[at] !== undefined && !endsBase(tokens[at]!)) at = skip(reader, at)
    if (tokens[at]?.text !== ',') break
    at++
  }
  return at
}

/** `extends A implements B, C` holds two lists. */
function endsBase({ text, startsLine }: Token): boolean {
  return startsLine || /^[,{;:]$/.test(text) || baseWords.has(text)
}

/** The constants of an enumeration. */
function readMembers(reader: Reader, open: number): void {
  const { tokens, partner } = reader
  const close = partner[open] ?? -1
  if (close < 0) return
  for (const [start, end] of parts(reader, open + 1, close)) {
    let at = start
    // Attributes of a constant stand before it.
    while (tokens[at]?.text === '#' || tokens[at]?.text === '[') at = skip(reader, at)
    if (at < end) declare(reader, tokens[at], 'variable')
    // What stands behind a semicolon belongs to the class that the enumeration is.
    for (; at < end; at = skip(reader, at)) if (tokens[at]?.text === ';') return
  }
}

/** `type Name = ...`, `type Name struct`, `typealias Name = ...`. */
export function readAlias(reader: Reader, index: number): void {
  const { tokens } = reader
  const name = tokens[index + 1]
  if (name?.kind !== 'word' || name.startsLine) return
  const next = tokens[behindTypeArguments(tokens, index + 2)]
  if (
    next?.text === '=' ||
    next?.text === 'struct' ||
    next?.text === 'interface' ||
    pathAt(reader, index + 2) !== undefined
  ) {
    declare(reader, name, 'type')
  }
}
