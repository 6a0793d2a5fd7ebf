import { isKeyword, variableWords } from '../keywords.ts'
import { requiredModule } from './imports.ts'
import { readPattern } from './patterns.ts'
import { declare, isBuiltInType, pathAt, type Reader, skip, startsStatement, typeAt, written } from './reader.ts'
import { typeOfExpression, typeOfValue } from './values.ts'

/** Words such as `static` and `mut` before one name. */
const mostWords = 4
/** Declarations in one statement: `let a = 1, b = 2`. */
const mostDeclarators = 32
/** Tokens of one value that are passed over to find the next declaration. */
const valueReach = 200

/** `var name: Type = value`, `const { a: b } = value`, `let mut x = value`, `const int x`, `let a, b = 2`. */
export function readVariable(reader: Reader, index: number): void {
  const { tokens } = reader
  let at = index
  while (at < index + mostWords && variableWords.has(tokens[at]?.text ?? '')) at++
  for (let count = 0; count < mostDeclarators; count++) {
    const behind = readDeclarator(reader, at, count > 0)
    const next = behind < 0 ? -1 : nextDeclarator(reader, behind)
    if (next < 0) return
    at = next
  }
}

/** Returns the index behind the name that is declared, or -1. */
function readDeclarator(reader: Reader, at: number, further: boolean): number {
  const { tokens, partner, traits } = reader
  const token = tokens[at]
  if (token === undefined) return -1
  const close = partner[at] ?? -1
  if (/^[{[(]$/.test(token.text) && close > at) {
    readPattern(reader, at, close, requiredModule(reader, close + 1))
    return close + 1
  }
  if (token.kind !== 'word' && !(traits.typePlace === 'before' && /^[*&]+$/.test(token.text))) return -1
  if (!further && traits.typePlace === 'before') {
    // `const int x`, `static Foo *bar`, `auto &x`: behind the keyword stand a type and a name, or a name alone.
    const type = typeAt(reader, at)
    const name = type === undefined ? undefined : tokens[type.behind]
    if (name?.kind === 'word' && !name.startsLine && !isKeyword(name.text)) {
      declare(reader, name, 'variable', written(type?.path))
      return type!.behind + 1
    }
  }
  let name = at
  while (tokens[name]?.kind === 'operator') name++
  if (tokens[name]?.kind !== 'word' || (isKeyword(tokens[name]!.text) && tokens[name]!.text !== '_')) return -1
  // `let Some(x) = value`: what is bound stands in the brackets.
  const path = pathAt(reader, name)
  const open = (path?.last ?? name) + 1
  const end = partner[open] ?? -1
  if (
    end > open &&
    (tokens[open]?.text === '(' || (tokens[open]?.text === '{' && tokens[end + 1]?.text === '=')) &&
    !tokens[open]!.startsLine
  ) {
    readPattern(reader, open, end, undefined)
    return end + 1
  }
  const after = tokens[name + 1]
  if (
    traits.typePlace === 'behind' &&
    after !== undefined &&
    !after.startsLine &&
    after.text !== '=' &&
    after.text !== ','
  ) {
    declare(reader, tokens[name], 'variable', written(pathAt(reader, name + 1)?.path))
  } else readTyped(reader, name)
  return name + 1
}

/** Index of the next name of the statement, behind a comma; -1 when there is none. */
function nextDeclarator(reader: Reader, from: number): number {
  const { tokens, partner, traits } = reader
  const namesFirst = traits.assignmentDeclares || traits.typePlace === 'behind'
  for (let at = from; tokens[at] !== undefined && at < from + valueReach; at = skip(reader, at)) {
    const { text, startsLine } = tokens[at]!
    if (text === ',') {
      const next = tokens[at + 1]
      if (next?.kind !== 'word' && !/^[{[*]$/.test(next?.text ?? '')) return -1
      const after = tokens[skip(reader, at + 1)]
      return next?.text === '*' ||
        after === undefined ||
        after.startsLine ||
        /^(?:[=,;:?!)]|of|in)$/.test(after.text) ||
        traits.typePlace === 'behind'
        ? at + 1
        : -1
    }
    // Lua and Go write all names before all values.
    if (text === ';' || (text === '=' && namesFirst) || (startsLine && !/^[.?:=]/.test(text))) return -1
    if (/^[)\]}]$/.test(text) && (partner[at] ?? -1) < from) return -1
  }
  return -1
}

/** A name with what follows it: `: Type`, `:= value`, `= value`. */
function readTyped(reader: Reader, at: number): void {
  const { tokens, traits } = reader
  const mark = /^[?!]$/.test(tokens[at + 1]?.text ?? '') && tokens[at + 2]?.text === ':' ? at + 2 : at + 1
  const next = tokens[mark]?.text
  if (next === ':' && tokens[mark + 1]?.text !== '=' && traits.typePlace === 'colon') {
    const type = pathAt(reader, mark + 1)
    if (type !== undefined) return declare(reader, tokens[at], 'variable', written(type.path))
  }
  const module = requiredModule(reader, mark)
  if (module !== undefined) {
    declare(reader, tokens[at], 'import')
    reader.imports.set(tokens[at]!.text, module)
    return
  }
  const value = next === '=' || next === ':=' || next === '<-' ? mark + 1 : next === ':' ? mark + 2 : -1
  declare(reader, tokens[at], 'variable', value < 0 ? undefined : typeOfValue(reader, value))
}

/** Tokens between `for` and what is walked over. */
const loopReach = 24

/** `for x in`, `for (const [k, v] of`, `for (Type x : xs)`, `for (int i = 0; ...)`. */
export function readLoop(reader: Reader, index: number): void {
  const { tokens, traits } = reader
  let at = index
  while (
    at < index + mostWords &&
    (/^(?:\(|await)$/.test(tokens[at]?.text ?? '') || variableWords.has(tokens[at]?.text ?? ''))
  )
    at++
  const stop = loopStop(reader, at)
  if (stop < 0) return
  if (tokens[at + 1]?.text === ':' && stop > at + 2)
    return declare(reader, tokens[at], 'variable', written(pathAt(reader, at + 2)?.path))
  const type = traits.typePlace === 'before' ? typeAt(reader, at) : undefined
  if (type !== undefined && type.behind < stop && tokens[type.behind]?.kind === 'word') {
    return declare(reader, tokens[type.behind], 'variable', written(type.path))
  }
  for (; at < stop; at++) if (!isMemberAt(reader, at)) declare(reader, tokens[at], 'variable')
}

function loopStop({ tokens }: Reader, from: number): number {
  let colon = -1
  for (let at = from; tokens[at] !== undefined && at < from + loopReach; at++) {
    const { kind, text } = tokens[at]!
    if (kind === 'word' && (text === 'in' || text === 'of')) return at
    if (text === '=' || text === ':=') return colon < 0 ? at : colon
    if (text === ':' && colon < 0) colon = at
    if (text === ';' || text === '{') break
  }
  return colon
}

function isMemberAt({ tokens, traits }: Reader, index: number): boolean {
  return traits.access.has(tokens[index - 1]?.text ?? '')
}

/** Tokens walked back from `as` to the word that makes it bind. */
const asReach = 80

/** `with open(f) as name`, `except E as name`, SQL's `expression AS name`; elsewhere `as` casts, which is read with the value. */
export function readAs(reader: Reader, index: number): void {
  const { tokens, partner, traits } = reader
  const name = tokens[index + 1]
  if (traits.name === 'sql') return declare(reader, name, 'variable')
  let value = -1
  for (let at = index - 1; at >= 0 && index - at < asReach; at--) {
    const { text } = tokens[at]!
    if (text === 'with' || text === 'except') {
      const start = value < 0 ? at + 1 : value
      const from = tokens[start]?.text === '(' && (partner[start] ?? -1) > index ? start + 1 : start
      if (text === 'except') return declare(reader, name, 'variable', written(pathAt(reader, from)?.path))
      // What is entered is most often, not always, what is bound.
      const entered = typeOfExpression(reader, from)
      return declare(reader, name, 'variable', entered && { ...entered, certain: false })
    }
    if (text === ',' && value < 0) value = at + 1
    const open = partner[at] ?? -1
    if (open >= 0 && open < at) at = open
    else if (
      tokens[at]!.startsLine &&
      tokens[at - 1]?.text !== ',' &&
      tokens[at - 1]?.text !== '(' &&
      tokens[at - 1]?.text !== '\\'
    )
      return
  }
}

/** `a, b := value`: every name before the mark. */
export function readWalrus(reader: Reader, index: number): void {
  const { tokens } = reader
  if (tokens[index - 2]?.text !== ',') {
    const type = typeOfValue(reader, index + 1)
    if (!isMemberAt(reader, index - 1)) declare(reader, tokens[index - 1], 'variable', type)
    return
  }
  for (let at = index - 1; at >= 0 && index - at < loopReach; at -= 2) {
    if (tokens[at]?.kind !== 'word' || isMemberAt(reader, at)) return
    declare(reader, tokens[at], 'variable')
    if (tokens[at - 1]?.text !== ',') return
  }
}

/** `$name`: a variable of the code, with its type where `Type $name` or `$name = value` shows it. */
export function readSigil(reader: Reader, index: number): void {
  const { tokens } = reader
  const name = tokens[index + 1]?.text === '{' ? tokens[index + 2] : tokens[index + 1]
  const before = tokens[index - 1]
  if (
    before?.kind === 'word' &&
    !isKeyword(before.text) &&
    !tokens[index]!.startsLine &&
    reader.traits.typePlace === 'before'
  ) {
    return declare(reader, name, 'variable', { type: [before.text], certain: true })
  }
  declare(reader, name, 'variable', tokens[index + 2]?.text === '=' ? typeOfValue(reader, index + 3) : undefined)
}

/** Words before the brackets in which a statement may declare. */
const declaringHeads: ReadonlySet<string> = new Set(['try', 'using', 'while', 'if', 'with', 'fixed', 'lock', 'switch'])

/** Bindings without a keyword: `name = value`, `a, b = value`, `name: Type`, `Type name = value`. */
export function readAssignment(reader: Reader, index: number): void {
  const { tokens, traits } = reader
  const next = tokens[index + 1]
  if (traits.typePlace === 'before' && !traits.sigils) return readTypeFirst(reader, index)
  if (next === undefined || !traits.assignmentDeclares || !startsStatement(reader, index)) return
  if (next.text === '=' || next.text === '<-') {
    readTyped(reader, index)
    // `a = b = value`
    for (
      let at = index + 2;
      tokens[at]?.kind === 'word' && tokens[at + 1]?.text === '=' && at < index + loopReach;
      at += 2
    )
      readTyped(reader, at)
  } else if (next.text === ',') readTargets(reader, index)
  else if (
    next.text === ':' &&
    traits.classBases &&
    tokens[index + 2]?.kind === 'word' &&
    !tokens[index + 2]!.startsLine
  ) {
    readTyped(reader, index)
  }
}

/** `a, b = value`, `(a, b) = value`, `a, *rest = value`: the plain names on the left. */
export function readTargets(reader: Reader, index: number): void {
  const { tokens, partner } = reader
  let equals = index
  while (tokens[equals] !== undefined && equals < index + loopReach && tokens[equals]!.text !== '=') {
    const { kind, text, startsLine } = tokens[equals]!
    if ((startsLine && equals > index) || (kind !== 'word' && !/^(?:[,*.()[\]]|->)$/.test(text))) return
    equals++
  }
  if (tokens[equals]?.text !== '=') return
  for (let at = index; at < equals; at++) {
    const after = tokens[at + 1]?.text ?? ''
    // `items[0], box.size = value` binds no name.
    if (tokens[at]!.text === '[' && tokens[at - 1]?.kind === 'word' && at > index) at = Math.max(at, partner[at] ?? -1)
    else if (tokens[at]!.kind === 'word' && !isMemberAt(reader, at) && !/^(?:[.([]|->)$/.test(after))
      declare(reader, tokens[at], 'variable')
  }
}

/** `Type name =`, `Type<T> name;`, `Type[] name)`, `int a, b;`. */
function readTypeFirst(reader: Reader, index: number): void {
  const { tokens, partner } = reader
  const token = tokens[index]!
  if (isKeyword(token.text) && !isBuiltInType(token.text)) return
  const inHead = tokens[index - 1]?.text === '(' && declaringHeads.has(tokens[index - 2]?.text ?? '')
  if (!inHead && !startsStatement(reader, index)) return
  const type = typeAt(reader, index)
  const name = type === undefined ? undefined : tokens[type.behind]
  if (type === undefined || name?.kind !== 'word' || name.startsLine || isKeyword(name.text)) return
  const after = tokens[type.behind + 1]
  const close = partner[type.behind + 1] ?? -1
  // `Foo bar(1);` makes a Foo or declares a function; either way the name is the code's own.
  const made = after?.text === '(' && close > 0 && tokens[close + 1]?.text === ';' && reader.traits.quotedDigits
  if (after !== undefined && !after.startsLine && !made && !/^(?:[=;,){[:]|=>)$/.test(after.text)) return
  declare(reader, name, 'variable', written(type.path))
  for (let next = nextDeclarator(reader, type.behind + 1), count = 0; next >= 0 && count < mostDeclarators; count++) {
    const behind = readDeclarator(reader, next, true)
    next = behind < 0 ? -1 : nextDeclarator(reader, behind)
  }
}

/** `x instanceof Type name`, `x is Type name`, `out Type name`. */
export function readTest(reader: Reader, index: number): void {
  const { tokens } = reader
  const type = typeAt(reader, index + 1)
  const name = type === undefined ? undefined : tokens[type.behind]
  if (name?.kind === 'word' && !name.startsLine) declare(reader, name, 'variable', written(type?.path))
  else if (tokens[index + 1]?.text === 'var') declare(reader, tokens[index + 2], 'variable')
}

/** `catch (Type name)`, `catch (name)`, `rescue Type => name`. */
export function readRescue(reader: Reader, index: number): void {
  const { tokens } = reader
  for (let at = index + 1; tokens[at] !== undefined && at < index + loopReach && !tokens[at]!.startsLine; at++) {
    if (tokens[at]!.text !== '=>') continue
    return declare(reader, tokens[at + 1], 'variable', written(pathAt(reader, index + 1)?.path))
  }
}
