import { baseWords, functionWords, isKeyword, typeWords, variableWords } from './keywords.ts'
import type { LanguageTraits } from './languages.ts'
import type { Token } from './lexer.ts'

export type DeclarationKind = 'variable' | 'parameter' | 'function' | 'type' | 'import'

/** A name that the chunk binds itself, with its type where the text shows one. */
export interface Declaration {
  readonly kind: DeclarationKind
  /** Path of the type: `tf`, `Session`. */
  readonly type: readonly string[] | undefined
  /** Whether the type is written or constructed in sight; otherwise it is inferred from a factory or constant. */
  readonly certain: boolean
}

/** What a chunk binds. */
export interface Declarations {
  readonly names: ReadonlyMap<string, Declaration>
  /** What an import makes a name stand for: `tf` for `tensorflow`. */
  readonly imports: ReadonlyMap<string, readonly string[]>
  /** Types that the chunk's own class extends. */
  readonly bases: readonly (readonly string[])[]
}

interface Reader {
  readonly tokens: readonly Token[]
  readonly partner: Int32Array
  readonly traits: LanguageTraits
  readonly names: Map<string, Declaration>
  readonly imports: Map<string, readonly string[]>
  readonly bases: (readonly string[])[]
}

/** Reads what the code binds: variables, parameters, functions, types, imports. Language-neutral; linear in the tokens. */
export function readDeclarations(tokens: readonly Token[], partner: Int32Array, traits: LanguageTraits): Declarations {
  const code = tokens.some((token) => token.kind === 'comment') ? withoutComments(tokens, partner) : { tokens, partner }
  const reader: Reader = { ...code, traits, names: new Map(), imports: new Map(), bases: [] }
  for (let index = 0; index < code.tokens.length; index++) {
    const token = code.tokens[index]
    if (token?.kind !== 'word') continue
    const before = code.tokens[index - 1]
    const member = before !== undefined && (before.text === '.' || before.text === '->' || before.text === '::' || before.text === '$')
    if (member) continue
    if (functionWords.has(token.text)) readFunction(reader, index)
    else if (typeWords.has(token.text)) readType(reader, index)
    else if (baseWords.has(token.text)) pushPath(reader.bases, pathAt(reader, index + 1))
    else if (token.text === 'import' || token.text === 'from' || token.text === 'using' || token.text === 'use') readImport(reader, index)
    else if (variableWords.has(token.text)) readVariable(reader, index + 1)
    else if (token.text === 'for' || token.text === 'foreach') readLoop(reader, index + 1)
    else if (token.text === 'signal' && traits.nodePaths) declare(reader, code.tokens[index + 1], 'variable', undefined, false)
    else if (token.text === 'as' && code.tokens[index + 1]?.kind === 'word') readAs(reader, index)
    else if (token.text === 'lambda') readLambda(reader, index + 1)
    else readBinding(reader, index)
  }
  return reader
}

function withoutComments(tokens: readonly Token[], partner: Int32Array): { tokens: Token[]; partner: Int32Array } {
  const kept: Token[] = []
  const place = new Int32Array(tokens.length).fill(-1)
  let line = false
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.kind === 'comment') {
      line ||= token.startsLine
      continue
    }
    place[index] = kept.length
    kept.push(line && !token.startsLine ? { ...token, startsLine: true } : token)
    line = false
  }
  const moved = new Int32Array(kept.length).fill(-1)
  for (let index = 0; index < tokens.length; index++) {
    const other = partner[index] ?? -1
    if (other >= 0 && place[index]! >= 0) moved[place[index]!] = place[other]!
  }
  return { tokens: kept, partner: moved }
}

/** First declaration wins, but a known type is never lost to an unknown one. */
function declare(
  reader: Reader,
  token: Token | undefined,
  kind: DeclarationKind,
  type: readonly string[] | undefined,
  certain: boolean,
): void {
  if (token?.kind !== 'word' || isKeyword(token.text)) return
  const known = reader.names.get(token.text)
  if (known?.type !== undefined && (known.certain || type === undefined)) return
  if (known !== undefined && type === undefined) return
  reader.names.set(token.text, { kind: known?.kind ?? kind, type, certain })
}

function pushPath(paths: (readonly string[])[], path: readonly string[] | undefined): void {
  if (path !== undefined) paths.push(path)
}

/** A dotted name at `index`, past marks such as `*`, `&`, `?`, `new`; undefined where none stands. */
function pathAt(reader: Reader, index: number): { readonly 0: string } & string[] | undefined {
  const { tokens } = reader
  let at = index
  while (tokens[at] !== undefined && (/^[*&?^\[\]]+$/.test(tokens[at]!.text) || /^(?:new|const|dyn|mut|ref|out|in|final|unsigned)$/.test(tokens[at]!.text))) at++
  const first = tokens[at]
  if (first?.kind !== 'word' || (isKeyword(first.text) && !isBuiltInType(first.text))) return undefined
  const path: [string, ...string[]] = [first.text]
  while ((tokens[at + 1]?.text === '.' || tokens[at + 1]?.text === '::') && tokens[at + 2]?.kind === 'word') {
    path.push(tokens[at + 2]!.text)
    at += 2
  }
  return path
}

function isBuiltInType(word: string): boolean {
  return /^(?:bool|boolean|byte|char|double|float|int|long|short|string|str|object|void)$/.test(word)
}

function pathEnd(reader: Reader, index: number): number {
  let at = index
  while ((reader.tokens[at + 1]?.text === '.' || reader.tokens[at + 1]?.text === '::') && reader.tokens[at + 2]?.kind === 'word') at += 2
  return at
}

/** `func name(parameters)`, `def name(...)`, Go's `func (r *T) name(...)`. */
function readFunction(reader: Reader, index: number): void {
  const { tokens, partner } = reader
  let at = index + 1
  if (tokens[at]?.text === '(' && tokens[(partner[at] ?? -1) + 1]?.kind === 'word' && (partner[at] ?? -1) > 0) {
    const close = partner[at]!
    if (tokens[close + 2]?.text === '(') {
      readParameters(reader, at, close)
      at = close + 1
    }
  }
  if (tokens[at]?.kind === 'word') {
    // `func Type.method` or `function M.f` adds to something that exists; its last name is what it binds.
    const last = pathEnd(reader, at)
    if (last === at) declare(reader, tokens[at], 'function', undefined, false)
    at = last + 1
  }
  if (tokens[at]?.text === '<') while (tokens[at] !== undefined && tokens[at]?.text !== '(' && at < index + 40) at++
  const close = partner[at] ?? -1
  if (tokens[at]?.text === '(' && close > 0) readParameters(reader, at, close)
}

/** Names between parentheses: `a`, `a: T`, `a = 1`, `T a`, `a T`. */
function readParameters(reader: Reader, open: number, close: number): void {
  const { tokens, partner, traits } = reader
  let at = open + 1
  while (at < close) {
    let end = at
    while (end < close && tokens[end]?.text !== ',') {
      const other = partner[end] ?? -1
      end = other > end ? other + 1 : end + 1
    }
    readParameter(reader, at, Math.min(end, close), traits)
    at = end + 1
  }
}

function readParameter(reader: Reader, from: number, to: number, traits: LanguageTraits): void {
  const { tokens } = reader
  let at = from
  while (at < to && (tokens[at]?.kind !== 'word' || isKeyword(tokens[at]!.text)) && !isBuiltInType(tokens[at]?.text ?? '')) at++
  const first = tokens[at]
  if (first === undefined || at >= to) return
  const next = tokens[at + 1]
  if (at + 1 < to && next?.text === ':') {
    const type = pathAt(reader, at + 2)
    declare(reader, first, 'parameter', type, type !== undefined)
    return
  }
  const last = pathEnd(reader, at)
  let second = last + 1
  if (tokens[second]?.text === '<') while (second < to && tokens[second - 1]?.text !== '>') second++
  while (second < to && /^[*&?\[\]]+$|^\.\.\.$/.test(tokens[second]?.text ?? '')) second++
  if (second < to && tokens[second]?.kind === 'word') {
    // Two words side by side: `Type name` in the C family, `name Type` in Go and friends.
    if (traits.typePlace === 'before') declare(reader, tokens[second], 'parameter', pathAt(reader, at), true)
    else {
      const type = pathAt(reader, last + 1)
      declare(reader, first, 'parameter', type, type !== undefined)
    }
    return
  }
  if (last === at && !isBuiltInType(first.text)) declare(reader, first, 'parameter', undefined, false)
}

/** `class Name extends Base`, `class Name(Base)`, `class Name : Base`, `enum Name`. */
function readType(reader: Reader, index: number): void {
  const { tokens, partner } = reader
  const name = tokens[index + 1]
  if (name?.kind !== 'word' || name.startsLine) return
  declare(reader, name, 'type', undefined, false)
  let at = index + 2
  if (tokens[at]?.text === '<') while (tokens[at] !== undefined && tokens[at]?.text !== '>' && at < index + 30) at++
  if (tokens[at]?.text === '>') at++
  const close = partner[at] ?? -1
  if (tokens[at]?.text === '(' && close > 0) {
    for (let base = at + 1; base < close; base++) {
      if (tokens[base]?.kind === 'word' && tokens[base + 1]?.text !== '=') {
        pushPath(reader.bases, pathAt(reader, base))
        base = pathEnd(reader, base)
      }
    }
  } else if (tokens[at]?.text === ':' && tokens[at + 1]?.kind === 'word' && tokens[at + 1]?.startsLine === false) {
    pushPath(reader.bases, pathAt(reader, at + 1))
  }
}

/** `var name: Type = value`, `const { a: b } = value`, `let mut x = value`. */
function readVariable(reader: Reader, index: number): void {
  const { tokens, partner } = reader
  let at = index
  while (tokens[at]?.kind === 'word' && variableWords.has(tokens[at]!.text)) at++
  const name = tokens[at]
  if (name?.text === '{' || name?.text === '[' || name?.text === '(') {
    const close = partner[at] ?? -1
    if (close > 0) readPattern(reader, at, close)
    return
  }
  if (name?.kind !== 'word') return
  // `Type name` behind the keyword: `const int x`, `static Foo bar`.
  const last = pathEnd(reader, at)
  const second = tokens[last + 1]
  if (second?.kind === 'word' && !second.startsLine && !isKeyword(second.text)) {
    declare(reader, second, 'variable', pathAt(reader, at), true)
    return
  }
  readTyped(reader, at, 'variable')
}

/** A name with what follows it: `: Type`, `:= value`, `= value`. */
function readTyped(reader: Reader, at: number, kind: DeclarationKind): void {
  const { tokens } = reader
  const next = tokens[at + 1]
  if (next?.text === ':' && tokens[at + 2]?.text !== '=') {
    const type = pathAt(reader, at + 2)
    if (type !== undefined) {
      declare(reader, tokens[at], kind, type, true)
      return
    }
  }
  if (next?.text === '=' || next?.text === ':=' || next?.text === ':') {
    const value = typeOfValue(reader, next.text === ':' ? at + 3 : at + 2)
    declare(reader, tokens[at], kind, value?.type, value?.certain ?? false)
    return
  }
  declare(reader, tokens[at], kind, undefined, false)
}

/** `{ a, b: c }` and `[a, b]` on the left: the names that are bound, not the keys. */
function readPattern(reader: Reader, open: number, close: number): void {
  const { tokens } = reader
  const module = requiredModule(reader, close)
  for (let at = open + 1; at < close; at++) {
    const token = tokens[at]
    if (token?.kind !== 'word') continue
    if (tokens[at + 1]?.text === ':' && tokens[at + 2]?.kind === 'word') {
      declare(reader, tokens[at + 2], module ? 'import' : 'variable', undefined, false)
      if (module) reader.imports.set(tokens[at + 2]!.text, [...module, token.text])
      at += 2
    } else if (tokens[at - 1]?.text !== '=') {
      declare(reader, token, module ? 'import' : 'variable', undefined, false)
      if (module) reader.imports.set(token.text, [...module, token.text])
    }
  }
}

/** `= require('m')` or `= await import('m')` behind a pattern or name. */
function requiredModule(reader: Reader, before: number): string[] | undefined {
  const { tokens } = reader
  let at = before + 1
  if (tokens[at]?.text !== '=') return undefined
  at++
  if (tokens[at]?.text === 'await') at++
  const word = tokens[at]?.text
  if ((word !== 'require' && word !== 'import') || tokens[at + 1]?.text !== '(' || tokens[at + 2]?.kind !== 'string') return undefined
  return moduleOf(tokens[at + 2]!.text)
}

/** `'@scope/name/part'` as the path of a module: what its segments are called. */
function moduleOf(quoted: string): string[] {
  return quoted
    .slice(1, -1)
    .split(/[/:]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

function readLoop(reader: Reader, index: number): void {
  const { tokens } = reader
  let at = index
  while (tokens[at]?.text === '(' || variableWords.has(tokens[at]?.text ?? '')) at++
  for (; tokens[at] !== undefined && at < index + 12; at++) {
    const token = tokens[at]!
    if (token.text === 'in' || token.text === 'of' || token.text === ':' || token.text === ':=' || token.text === '=' || token.text === '{') return
    if (token.kind !== 'word') continue
    const typed = tokens[at + 1]?.text === ':' && tokens[at + 2]?.kind === 'word' ? pathAt(reader, at + 2) : undefined
    if (tokens[at + 1]?.kind === 'word' && !isKeyword(tokens[at + 1]!.text)) {
      declare(reader, tokens[at + 1], 'variable', pathAt(reader, at), true)
      return
    }
    declare(reader, token, 'variable', typed, typed !== undefined)
    if (typed !== undefined) return
  }
}

/** `with open(f) as name`, `except E as name`: binds; `value as Type`: a cast, read with the value. */
function readAs(reader: Reader, index: number): void {
  const { tokens } = reader
  const name = tokens[index + 1]!
  let at = index - 1
  while (at >= 0 && !tokens[at + 1]?.startsLine && tokens[at]?.text !== 'with' && tokens[at]?.text !== 'except') at--
  const opener = tokens[at]?.text
  if (opener !== 'with' && opener !== 'except') return
  const value = typeOfValue(reader, at + 1)
  declare(reader, name, 'variable', opener === 'except' ? pathAt(reader, at + 1) : value?.type, value?.certain ?? false)
}

function readLambda(reader: Reader, index: number): void {
  for (let at = index; reader.tokens[at] !== undefined && at < index + 20; at++) {
    const token = reader.tokens[at]!
    if (token.text === ':') return
    if (token.kind === 'word') declare(reader, token, 'parameter', undefined, false)
  }
}

/** Bindings without a keyword: `name := value`, `name = value`, `Type name = value`, `(a, b) =>`. */
function readBinding(reader: Reader, index: number): void {
  const { tokens, partner, traits } = reader
  const token = tokens[index]!
  const before = tokens[index - 1]
  const next = tokens[index + 1]
  if (next === undefined) return
  if (next.text === '=>' && !(before?.kind === 'operator' && (before.text === '}' || before.text === '|'))) {
    declare(reader, token, 'parameter', undefined, false)
    return
  }
  const startsStatement = token.startsLine || before === undefined || before.text === ';' || before.text === '{' || before.text === '}'
  if (next.text === ':=' && startsStatement) return readTyped(reader, index, 'variable')
  if (next.text === '=' && startsStatement && traits.assignmentDeclares) return readTyped(reader, index, 'variable')
  if (next.text === ':' && startsStatement && traits.assignmentDeclares && tokens[index + 2]?.kind === 'word' && !tokens[index + 2]?.startsLine) {
    return readTyped(reader, index, 'variable')
  }
  if (next.text === ',' && startsStatement && (traits.assignmentDeclares || traits.name === 'go')) readTuple(reader, index)
  if (next.text === '(' && traits.typePlace === 'before') {
    // `Type name(Type a, Type b) {` defines a function; its parameters are in sight.
    const close = partner[index + 1] ?? -1
    const opens = close > 0 && (tokens[close + 1]?.text === '{' || tokens[close + 1]?.text === 'throws')
    if (opens && before?.kind === 'word' && !before.startsLine && !token.startsLine && !/^(?:new|return|else|await)$/.test(before.text)) {
      declare(reader, token, 'function', undefined, false)
      readParameters(reader, index + 1, close)
    } else if (opens && before?.text === '>' && !token.startsLine) {
      declare(reader, token, 'function', undefined, false)
      readParameters(reader, index + 1, close)
    }
  }
  if (traits.typePlace === 'before' && startsStatement && (!isKeyword(token.text) || isBuiltInType(token.text) || token.text === 'var')) readTypeFirst(reader, index)
}

/** `a, b = value`: every name on the left. */
function readTuple(reader: Reader, index: number): void {
  const names: Token[] = []
  for (let at = index; at < index + 24; at += 2) {
    const name = reader.tokens[at]
    if (name?.kind !== 'word') return
    names.push(name)
    const separator = reader.tokens[at + 1]?.text
    if (separator === ',') continue
    if (separator === '=' || separator === ':=') for (const each of names) declare(reader, each, 'variable', undefined, false)
    return
  }
}

/** `Type name =`, `Type<T> name;`, `Type[] name)`. */
function readTypeFirst(reader: Reader, index: number): void {
  const { tokens } = reader
  let at = pathEnd(reader, index) + 1
  if (tokens[at]?.text === '<') {
    const from = at
    while (tokens[at] !== undefined && tokens[at - 1]?.text !== '>' && at < from + 20) at++
  }
  while (/^[*&?\[\]]+$/.test(tokens[at]?.text ?? '')) at++
  const name = tokens[at]
  const after = tokens[at + 1]?.text
  if (name?.kind !== 'word' || name.startsLine || isKeyword(name.text)) return
  if (after === '=' || after === ';' || after === ',' || after === ')' || after === '{' || after === undefined) {
    declare(reader, name, 'variable', pathAt(reader, index), true)
  }
}

const makers = new Set(['new', 'instance', 'instantiate', 'create', 'default', 'builder', 'Builder', 'getInstance', 'shared'])

/** The type of an expression as far as its first words show it. */
function typeOfValue(reader: Reader, index: number): { type: readonly string[]; certain: boolean } | undefined {
  const { tokens, partner } = reader
  const first = tokens[index]
  const cast = castBehind(reader, index)
  if (cast !== undefined) return { type: cast, certain: true }
  if (first === undefined) return undefined
  if (first.text === '$' || (first.text === '%' && reader.traits.nodePaths)) {
    let at = index + 1
    if (tokens[at]?.kind === 'string') return nodeType(tokens[at]!.text.slice(1, -1))
    while (tokens[at + 1]?.text === '/' && tokens[at + 2]?.kind === 'word') at += 2
    return tokens[at]?.kind === 'word' ? { type: [tokens[at]!.text], certain: false } : undefined
  }
  if (first.kind === 'string') return { type: ['String'], certain: false }
  if (first.text === 'await') return typeOfValue(reader, index + 1)
  const start = first.text === 'new' || first.text === '&' ? index + 1 : index
  const path = pathAt(reader, start)
  if (path === undefined) return undefined
  if (first.text === 'new') return { type: path, certain: true }
  const last = pathEnd(reader, start)
  const after = tokens[last + 1]?.text
  const name = path.at(-1)!
  if (after === '<' && tokens[last + 3]?.text === '>' && tokens[last + 2]?.kind === 'word') return { type: [tokens[last + 2]!.text], certain: true }
  if (after === '(') {
    // What is called on the result decides the type instead: `Foo.new().bar()`.
    const close = partner[last + 1] ?? -1
    const continued = close > 0 && tokens[close + 1]?.text === '.' && !tokens[close + 1]?.startsLine
    if (name === 'get_node' && tokens[last + 2]?.kind === 'string' && !continued) return nodeType(tokens[last + 2]!.text.slice(1, -1))
    if (continued) return undefined
    if (makers.has(name) && path.length > 1) return { type: path.slice(0, -1), certain: true }
    if (/^\p{Lu}/u.test(name)) return { type: path, certain: true }
    return path.length > 1 && /^\p{Lu}/u.test(path[0]) ? { type: path.slice(0, -1), certain: false } : undefined
  }
  if (after === '{' && /^\p{Lu}/u.test(name) && !tokens[last + 1]!.startsLine) return { type: path, certain: true }
  // `Vector2.ZERO`: a constant of a type usually has that type.
  if (path.length > 1 && /^\p{Lu}/u.test(path[0]) && /^[\p{Lu}\d_]+$/u.test(name)) return { type: path.slice(0, -1), certain: false }
  return undefined
}

function nodeType(path: string): { type: readonly string[]; certain: boolean } | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name === '' ? undefined : { type: [name], certain: false }
}

/** `value as Type` on the same line. */
function castBehind(reader: Reader, index: number): readonly string[] | undefined {
  const { tokens, partner } = reader
  for (let at = index; tokens[at] !== undefined && at < index + 40; at++) {
    const token = tokens[at]!
    if (at > index && token.startsLine) return undefined
    if (token.text === ',' || token.text === ';' || token.text === ')') return undefined
    if (token.kind === 'word' && token.text === 'as' && at > index) return pathAt(reader, at + 1)
    const close = partner[at] ?? -1
    if (close > at) at = close
  }
  return undefined
}

/** `import a.b as c`, `from m import x as y`, `import { a as b } from 'm'`, `import a.b.C;`, `use a::b`. */
function readImport(reader: Reader, index: number): void {
  const { tokens } = reader
  const word = tokens[index]!
  const begins = word.startsLine || index === 0 || tokens[index - 1]?.text === ';' || tokens[index - 1]?.text === 'export' || tokens[index - 1]?.text === 'pub'
  if (!begins) return
  let end = index + 1
  let depth = 0
  while (tokens[end] !== undefined && end < index + 120) {
    const text = tokens[end]!.text
    if (text === '(' || text === '{') depth++
    if (text === ')' || text === '}') depth--
    if (text === ';' || (tokens[end]!.startsLine && depth <= 0)) break
    end++
  }
  const module = tokens.slice(index + 1, end).find((token) => token.kind === 'string')
  if (word.text === 'from') return readFromImport(reader, index + 1, end)
  if (module !== undefined && word.text === 'import') return readModuleImport(reader, index + 1, end, moduleOf(module.text))
  for (let at = index + 1; at < end; at++) {
    const path = tokens[at]?.kind === 'word' && !isKeyword(tokens[at]!.text) ? pathAt(reader, at) : undefined
    if (path === undefined) continue
    const last = pathEnd(reader, at)
    const alias = tokens[last + 1]?.text === 'as' ? tokens[last + 2] : undefined
    const bound = alias ?? (word.text === 'import' && reader.traits.assignmentDeclares ? tokens[at] : tokens[last])
    if (bound?.kind === 'word') {
      reader.imports.set(bound.text, alias !== undefined || bound === tokens[last] ? path : [path[0]])
      declare(reader, bound, 'import', undefined, false)
    }
    at = alias === undefined ? last : last + 2
  }
}

function readFromImport(reader: Reader, index: number, end: number): void {
  const { tokens } = reader
  const module = pathAt(reader, index)
  if (module === undefined) return
  let at = pathEnd(reader, index) + 1
  if (tokens[at]?.text !== 'import') return
  for (at++; at < end; at++) {
    const name = tokens[at]
    if (name?.kind !== 'word') continue
    const alias = tokens[at + 1]?.text === 'as' ? tokens[at + 2] : undefined
    const bound = alias ?? name
    reader.imports.set(bound.text, [...module, name.text])
    declare(reader, bound, 'import', undefined, false)
    if (alias !== undefined) at += 2
  }
}

function readModuleImport(reader: Reader, index: number, end: number, module: readonly string[]): void {
  const { tokens } = reader
  for (let at = index; at < end; at++) {
    const name = tokens[at]
    if (name?.kind === 'string') {
      // Go: the module's last segment is the name it is used by.
      const last = module.at(-1)
      if (tokens[at - 1]?.kind !== 'word' && last !== undefined && reader.traits.name === 'go') reader.imports.set(last, module)
      continue
    }
    if (name?.kind !== 'word' || name.text === 'from' || name.text === 'type') continue
    const alias = tokens[at + 1]?.text === 'as' ? tokens[at + 2] : undefined
    const bound = alias ?? name
    const whole = tokens[at - 1]?.text === '*' || tokens[at - 2]?.text === '*' || tokens[at + 1]?.kind === 'string'
    reader.imports.set(bound.text, whole ? module : [...module, name.text])
    declare(reader, bound, 'import', undefined, false)
    if (alias !== undefined) at += 2
  }
}
