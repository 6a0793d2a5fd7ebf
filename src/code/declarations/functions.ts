import { behindTypeArguments } from '../generics.ts'
import { isKeyword } from '../keywords.ts'
import { readPattern } from './patterns.ts'
import {
  type DeclarationKind,
  declare,
  isBuiltInType,
  parts,
  pathAt,
  type Reader,
  skip,
  typeAt,
  written,
} from './reader.ts'

/** `func name(parameters)`, `def name(...)`, Go's `func (r *T) name(...)`. */
export function readFunction(reader: Reader, index: number): void {
  const { tokens, partner } = reader
  let at = index + 1
  const receiver = partner[at] ?? -1
  if (
    tokens[at]?.text === '(' &&
    receiver > 0 &&
    tokens[receiver + 1]?.kind === 'word' &&
    tokens[receiver + 2]?.text === '('
  ) {
    readParameters(reader, at, receiver)
    at = receiver + 1
  }
  at = behindTypeArguments(tokens, at)
  const name = tokens[at]?.kind === 'word' && !isKeyword(tokens[at]!.text) ? pathAt(reader, at) : undefined
  if (name !== undefined) {
    // `func Type.method` or `function M.f` adds to something that exists; its last name is what it binds.
    if (name.path.length === 1) declare(reader, tokens[at], 'function')
    at = name.last + 1
    if (tokens[at]?.text === ':' && tokens[at + 1]?.kind === 'word' && reader.traits.access.has(':')) at += 2
  } else if (tokens[at]?.kind === 'word' && tokens[at + 1]?.text === '.') at += 3
  at = behindTypeArguments(tokens, at)
  const close = partner[at] ?? -1
  if (tokens[at]?.text !== '(' || close < 0) return
  readParameters(reader, at, close)
  // Go names its results in a second pair of brackets.
  const results = partner[close + 1] ?? -1
  if (reader.traits.typePlace === 'behind' && tokens[close + 1]?.text === '(' && results > 0)
    readParameters(reader, close + 1, results)
}

/** Names between brackets: `a`, `a: T`, `a = 1`, `T a`, `a T`, `{ a, b }`. */
export function readParameters(reader: Reader, open: number, close: number, kind: DeclarationKind = 'parameter'): void {
  // Where a mark tells variables they are found by it.
  if (reader.traits.sigils) return
  if (reader.traits.typePlace === 'behind') return readGrouped(reader, open, close, kind)
  for (const [start, end] of parts(reader, open + 1, close)) readParameter(reader, start, end, kind)
}

function readParameter(reader: Reader, from: number, to: number, kind: DeclarationKind): void {
  const { tokens, traits, partner } = reader
  let at = from
  while (at < to && (tokens[at]!.kind !== 'word' || isKeyword(tokens[at]!.text)) && !isBuiltInType(tokens[at]!.text)) {
    const close = partner[at] ?? -1
    if (close > at) {
      // `[Attribute] T a` in the C family, a pattern elsewhere.
      if (traits.typePlace === 'before' && tokens[at]!.text === '[') {
        at = close + 1
        continue
      }
      return readPattern(reader, at, Math.min(close, to), undefined)
    }
    at++
  }
  if (at >= to) return
  const first = tokens[at]!
  // Swift names a parameter twice: `with body: Body`.
  const named = tokens[at + 1]?.kind === 'word' && tokens[at + 2]?.text === ':' && at + 2 < to ? at + 1 : at
  const colon = tokens[named + 1]?.text === '?' ? named + 2 : named + 1
  if (colon < to && tokens[colon]?.text === ':') {
    declare(reader, tokens[named], kind, colon + 1 < to ? written(pathAt(reader, colon + 1)?.path) : undefined)
    return
  }
  if (traits.typePlace === 'before') {
    let type = typeAt(reader, at)
    const path = type?.path
    while (type !== undefined && tokens[type.behind]?.text === '|') type = typeAt(reader, type.behind + 1)
    const name = type === undefined ? undefined : tokens[type.behind]
    if (name?.kind === 'word' && type!.behind < to) {
      declare(reader, name, kind, written(path))
      return
    }
    // A lone type is a parameter without a name.
    if (/^\p{Lu}/u.test(first.text)) return
  }
  const next = tokens[at + 1]?.text
  if (!isBuiltInType(first.text) && (at + 1 >= to || next === '=' || next === ':=' || next === '?'))
    declare(reader, first, kind)
}

/** Go's `a, b int, c string`: names share the type behind them; a list without names holds types alone. */
function readGrouped(reader: Reader, open: number, close: number, kind: DeclarationKind): void {
  const { tokens } = reader
  let waiting: number[] = []
  for (const [start, end] of parts(reader, open + 1, close)) {
    if (tokens[start]?.kind !== 'word') continue
    waiting.push(start)
    if (end - start < 2 || tokens[start + 1]?.text === '.') continue
    const at = tokens[start + 1]?.text === '...' ? start + 2 : start + 1
    const type = written(pathAt(reader, at)?.path)
    for (const name of waiting) declare(reader, tokens[name], kind, type)
    waiting = []
  }
}

const notFunctions: ReadonlySet<string> = new Set([
  'synchronized',
  'lock',
  'fixed',
  'unless',
  'elif',
  'elseif',
  'with',
  'until',
  'when',
])
const notBeforeFunctions = /^(?:new|return|else|await|throw|case|in|of|do|yield|typeof|delete|not|and|or|if)$/
/** Tokens between the parameters of a function and its body: `const noexcept`, `throws A, B`, `: Promise<Foo>`. */
const headReach = 16

/** `Type name(Type a, Type b) {`, `name(a) {`: the braces behind the brackets make it a definition. */
export function readBareFunction(reader: Reader, index: number): void {
  const { tokens, partner } = reader
  const token = tokens[index]!
  if (isKeyword(token.text) || notFunctions.has(token.text)) return
  const name = pathAt(reader, index)
  const open = (name?.last ?? index) + 1
  const close = partner[open] ?? -1
  if (tokens[open]?.text !== '(' || tokens[open]!.startsLine || close < 0 || !canPrecedeFunction(reader, index)) return
  if (!hasBody(reader, close + 1)) return
  if (open === index + 1) declare(reader, token, 'function')
  readParameters(reader, open, close)
}

function canPrecedeFunction({ tokens }: Reader, index: number): boolean {
  const before = tokens[index - 1]
  if (before === undefined || tokens[index]!.startsLine) return true
  if (before.kind === 'word') return !notBeforeFunctions.test(before.text)
  return /^(?:[{};,*&\]>]|>>|\*\*)$/.test(before.text)
}

function hasBody(reader: Reader, from: number): boolean {
  const { tokens } = reader
  for (let at = from; at < from + headReach && tokens[at] !== undefined; at++) {
    const { kind, text } = tokens[at]!
    if (text === '{') return true
    if (kind !== 'word' && !/^(?:[:,.<>&*[\]?|]|::|->|>>|&&)$/.test(text)) return false
  }
  return false
}

/** `lambda a, b=1: ...` */
export function readLambda(reader: Reader, index: number): void {
  const { tokens } = reader
  for (let at = index; tokens[at] !== undefined && at < index + 40; at = skip(reader, at)) {
    const token = tokens[at]!
    if (token.text === ':' || token.startsLine) return
    if (token.kind === 'word' && tokens[at - 1]?.text !== '=') declare(reader, token, 'parameter')
  }
}

/** Tokens walked back from an arrow to its parameters. */
const arrowReach = 24

/** `(a, b) => ...`, `a => ...`, `(a): T => ...`, `{ a, b -> ...`. */
export function readArrow(reader: Reader, index: number): void {
  const { tokens, partner, traits } = reader
  const before = index - 1
  if (tokens[before] === undefined) return
  let close = tokens[before]!.text === ')' ? before : -1
  for (let at = before; close < 0 && at > 0 && before - at < arrowReach; at--) {
    if (tokens[at]!.text === ':' && tokens[at - 1]!.text === ')') close = at - 1
    else if (/^(?:[;{(=,]|=>)$/.test(tokens[at]!.text)) break
  }
  if (close > 0) {
    const open = partner[close] ?? -1
    // `(A) -> B` is a type where types stand behind names.
    if (open < 0 || (traits.lambdaArrow === '->' && traits.typePlace !== 'before')) return
    if (traits.barParameters) readPattern(reader, open, close, undefined)
    else readParameters(reader, open, close)
    return
  }
  for (let at = before; at >= 0 && before - at < arrowReach; at -= 2) {
    const name = tokens[at]!
    const separator = tokens[at - 1]
    if (
      name.kind !== 'word' ||
      /^\p{Lu}/u.test(name.text) ||
      (separator?.kind === 'word' && !isKeyword(separator.text))
    )
      return
    if (separator !== undefined && (traits.access.has(separator.text) || /^[)\]|]$/.test(separator.text))) return
    declare(reader, name, 'parameter')
    if (separator?.text !== ',' || traits.lambdaArrow !== '->') return
  }
}

const beforeBars = /^(?:[{(,=[;]|=>|do|move|return)$/

/** `|a, b| ...`: returns the index of the closing bar, or of the token itself when it opens no parameters. */
export function readBars(reader: Reader, index: number): number {
  const { tokens } = reader
  const before = tokens[index - 1]
  if (before !== undefined && !beforeBars.test(before.text)) return index
  for (let at = index + 1; tokens[at] !== undefined && at < index + 24; at = skip(reader, at)) {
    if (tokens[at]!.startsLine) return index
    if (tokens[at]!.text !== '|') continue
    for (const [start, end] of parts(reader, index + 1, at)) readParameter(reader, start, end, 'parameter')
    return at
  }
  return index
}
