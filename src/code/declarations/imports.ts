import { isKeyword } from '../keywords.ts'
import type { Token } from '../lexer.ts'
import { declare, pathAt, type Reader, skip } from './reader.ts'

/** Tokens of one import; a longer one is cut. */
const importReach = 600

/**
 * `import a.b as c`, `from m import x as y`, `import { a as b } from 'm'`, `import a.b.C;`, `use a::{b, c as d}`,
 * `using X = A.B;`. Returns the index of its last token, or of the word itself when it imports nothing.
 */
export function readImport(reader: Reader, index: number): number {
  const { tokens, traits } = reader
  const word = tokens[index]!
  const before = tokens[index - 1]?.text
  if (
    !word.startsLine &&
    index > 0 &&
    before !== ';' &&
    before !== '{' &&
    before !== '}' &&
    before !== 'export' &&
    before !== 'pub'
  )
    return index
  const next = tokens[index + 1]
  // `import('m')` is an expression.
  if (next === undefined || (next.startsLine && next.kind !== 'word') || (next.text === '(' && traits.name !== 'go'))
    return index
  const end = importEnd(reader, index)
  if (word.text === 'from') readFrom(reader, index + 1, end)
  else if (traits.name === 'go') readGoImports(reader, index + 1, end)
  else if (word.text === 'import' && tokens.slice(index + 1, end).some(({ kind }) => kind === 'string'))
    readModule(reader, index + 1, end)
  else readPaths(reader, index, end)
  return end - 1
}

function importEnd(reader: Reader, index: number): number {
  const { tokens } = reader
  let at = index + 1
  while (tokens[at] !== undefined && at < index + importReach) {
    if (
      tokens[at]!.text === ';' ||
      (tokens[at]!.startsLine && tokens[at - 1]!.text !== ',' && tokens[at - 1]!.text !== '\\')
    )
      break
    at = skip(reader, at)
  }
  return Math.min(at, tokens.length)
}

function bind(reader: Reader, name: Token | undefined, path: readonly string[]): void {
  if (name?.kind !== 'word' || isKeyword(name.text) || path.length === 0) return
  reader.imports.set(name.text, path)
  declare(reader, name, 'import')
}

/** The module of a quoted address: what its segments are called. `'@scope/name/part'`, `"res://a.gd"`. */
export function moduleOf(quoted: string): string[] {
  return quoted
    .slice(1, -1)
    .split(/[/:]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

/** `from m import a as b, c`: dots before the module lead to the package that the code is in. */
function readFrom(reader: Reader, index: number, end: number): void {
  const { tokens } = reader
  let at = index
  while (/^\.+$/.test(tokens[at]?.text ?? '')) at++
  const module = tokens[at]?.text === 'import' ? undefined : pathAt(reader, at)
  if (module !== undefined) at = module.last + 1
  if (tokens[at]?.text !== 'import') return
  for (at++; at < end; at++) {
    const name = tokens[at]!
    if (name.kind !== 'word') continue
    const alias = tokens[at + 1]?.text === 'as' ? tokens[at + 2] : undefined
    bind(reader, alias ?? name, [...(module?.path ?? []), name.text])
    if (alias !== undefined) at += 2
  }
}

/** `import d, { a as b } from 'm'`, `import * as n from 'm'`, `import 'm' as n`. */
function readModule(reader: Reader, index: number, end: number): void {
  const { tokens } = reader
  const module = moduleOf(tokens.slice(index, end).find(({ kind }) => kind === 'string')!.text)
  let inBraces = false
  for (let at = index; at < end; at++) {
    const name = tokens[at]!
    if (name.text === '{') inBraces = true
    else if (name.text === '}') inBraces = false
    if (name.kind !== 'word' || name.text === 'from' || (name.text === 'type' && tokens[at + 1]?.kind === 'word'))
      continue
    if (name.text === 'as') {
      // What stands before is `*` or the module itself.
      bind(reader, tokens[at + 1], module)
      at++
      continue
    }
    const alias = tokens[at + 1]?.text === 'as' ? tokens[at + 2] : undefined
    bind(reader, alias ?? name, inBraces ? [...module, name.text] : module)
    if (alias !== undefined) at += 2
  }
}

/** `import ( "fmt"; m "a/b" )`: a module is used by the name before it, or its last segment. */
function readGoImports(reader: Reader, index: number, end: number): void {
  const { tokens } = reader
  for (let at = index; at < end; at++) {
    if (tokens[at]!.kind !== 'string') continue
    const module = moduleOf(tokens[at]!.text)
    const alias = tokens[at - 1]!
    const last = module.at(-1)
    if (alias.kind === 'word' && alias.text !== 'import') bind(reader, alias, module)
    else if (last !== undefined) {
      reader.imports.set(last, module)
      reader.names.set(last, { kind: 'import', type: undefined, certain: false })
    }
  }
}

/** Imports by dotted names, with groups in braces. */
function readPaths(reader: Reader, index: number, end: number): void {
  const { tokens } = reader
  const word = tokens[index]!.text
  let at = index + 1
  while (/^(?:static|function|const|qualified|type|typealias)$/.test(tokens[at]?.text ?? '')) at++
  // `using namespace n` and `using A.B` open a module and bind nothing.
  if (tokens[at]?.text === 'namespace') return
  if (word === 'using' && tokens[at + 1]?.text === '=')
    return bind(reader, tokens[at], pathAt(reader, at + 2)?.path ?? [])
  const opens = word === 'using' && tokens[at + 1]?.text === '.'
  if (!opens) readTree(reader, at, end, [], 0)
}

const separators: ReadonlySet<string> = new Set(['.', '::', '\\'])
const deepestTree = 16

/** `a::b`, `a::b as c`, `a::{b, c::d}`, `a.b, c.d`. */
function readTree(reader: Reader, from: number, to: number, prefix: readonly string[], depth: number): void {
  const { tokens, partner, traits } = reader
  for (let at = from; at < to; at++) {
    const path = [...prefix]
    const first = at
    while (at < to && (tokens[at]!.kind === 'word' || separators.has(tokens[at]!.text))) {
      if (tokens[at]!.text === 'as') break
      if (tokens[at]!.kind === 'word' && path.length < deepestTree) path.push(tokens[at]!.text)
      at++
    }
    const close = partner[at] ?? -1
    if (tokens[at]?.text === '{' && close > at) {
      if (depth < deepestTree) readTree(reader, at + 1, Math.min(close, to), path, depth + 1)
      at = close
    } else if (tokens[at]?.text === '*') at++
    else if (path.length > prefix.length) {
      if (path.at(-1) === 'self') path.pop()
      if (at < to && (tokens[at]?.text === 'as' || tokens[at]?.text === '=>')) bind(reader, tokens[++at], path)
      // Python binds the first name of a dotted module.
      else if (traits.classBases) bind(reader, tokens[first], path.slice(0, 1))
      else bindLast(reader, path)
    }
    while (at < to && tokens[at]!.text !== ',') at++
  }
}

function bindLast(reader: Reader, path: readonly string[]): void {
  const name = path.at(-1)
  if (name === undefined || isKeyword(name)) return
  reader.imports.set(name, path)
  if (!reader.names.has(name)) reader.names.set(name, { kind: 'import', type: undefined, certain: false })
}

/** `= require('m')`, `= require 'm'` or `= await import('m')` at an equals sign: the path of what is loaded. */
export function requiredModule(reader: Reader, equals: number): string[] | undefined {
  const { tokens } = reader
  let at = equals + 1
  if (tokens[equals]?.text !== '=') return undefined
  if (tokens[at]?.text === 'await') at++
  if (tokens[at]?.text !== 'require' && tokens[at]?.text !== 'import') return undefined
  const open = tokens[at + 1]?.text === '(' ? at + 1 : at
  if (tokens[open + 1]?.kind !== 'string') return undefined
  const dotted = reader.traits.access.has(':')
  const module = moduleOf(tokens[open + 1]!.text).flatMap((segment) => (dotted ? segment.split('.') : [segment]))
  const behind = open === at ? open + 2 : open + 3
  const member = tokens[behind]?.text === '.' && !tokens[behind]!.startsLine ? tokens[behind + 1] : undefined
  return member?.kind === 'word' ? [...module, member.text] : module
}
