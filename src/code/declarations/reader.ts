import { behindTypeArguments } from '../generics.ts'
import { isKeyword, selfWords } from '../keywords.ts'
import type { LanguageTraits } from '../languages.ts'
import type { Token } from '../lexer.ts'

export type DeclarationKind = 'variable' | 'parameter' | 'function' | 'type' | 'import'

/** A name that the chunk binds itself, with its type where the text shows one. */
export interface Declaration {
  readonly kind: DeclarationKind
  /** Path of the type: `tf`, `Session`. */
  readonly type: readonly string[] | undefined
  /** Whether the type is written or constructed in sight; otherwise it is inferred from a factory or constant. */
  readonly certain: boolean
}

/** What the readers of this folder share: tokens without comments, and what has been found so far. */
export interface Reader {
  readonly tokens: readonly Token[]
  readonly partner: Int32Array
  readonly traits: LanguageTraits
  readonly names: Map<string, Declaration>
  readonly imports: Map<string, readonly string[]>
  readonly bases: (readonly string[])[]
}

/** A type as far as it was understood. */
export interface TypeShown {
  readonly type: readonly string[]
  readonly certain: boolean
}

/** First declaration wins, but a known type is never lost to an unknown one. */
export function declare(reader: Reader, token: Token | undefined, kind: DeclarationKind, shown?: TypeShown): void {
  if (token?.kind !== 'word' || isKeyword(token.text) || selfWords.has(token.text) || token.text === '_') return
  const known = reader.names.get(token.text)
  if (known?.type !== undefined && (known.certain || shown === undefined)) return
  if (known !== undefined && shown === undefined) return
  reader.names.set(token.text, { kind: known?.kind ?? kind, type: shown?.type, certain: shown?.certain ?? false })
}

/** A type that is written in sight. */
export function written(path: readonly string[] | undefined): TypeShown | undefined {
  return path === undefined ? undefined : { type: path, certain: true }
}

const typeMarks = /^[*&?^[\]]+$/
const typeModifiers =
  /^(?:new|const|dyn|mut|ref|out|in|final|unsigned|signed|struct|class|enum|inout|readonly|this|params|vararg|virtual|public|private|protected|some|any)$/
const builtInTypes = /^(?:bool|boolean|byte|char|double|float|int|long|short|string|str|object|void|unsigned)$/

/** Whether a reserved word names a type: `int`. */
export function isBuiltInType(word: string): boolean {
  return builtInTypes.test(word)
}

/** A dotted name. */
export interface Path {
  readonly path: readonly string[]
  /** Index of its last token. */
  readonly last: number
}

/** The dotted name at `index`, past marks and words such as `*`, `&`, `new`; undefined where none stands. */
export function pathAt(reader: Reader, index: number): Path | undefined {
  const { tokens } = reader
  let at = index
  while (tokens[at] !== undefined) {
    const { text } = tokens[at]!
    // `&'a str`: a lifetime stands before the type.
    if (text === "'" && tokens[at + 1]?.kind === 'word') at += 2
    else if (typeMarks.test(text) || text === '\\' || (typeModifiers.test(text) && tokens[at + 1]?.text !== '.')) at++
    else break
  }
  const first = tokens[at]
  if (first?.kind !== 'word' || (isKeyword(first.text) && !isBuiltInType(first.text))) return undefined
  const path = [first.text]
  while (isSeparator(reader, at + 1) && tokens[at + 2]?.kind === 'word' && path.length < longestPath) {
    path.push(tokens[at + 2]!.text)
    at += 2
  }
  return { path, last: at }
}

/** Names of a path that are read. */
const longestPath = 32

function isSeparator({ tokens, traits }: Reader, index: number): boolean {
  const text = tokens[index]?.text
  return text === '.' || text === '::' || (text === '\\' && traits.access.has('\\'))
}

/** A type with what belongs to it: `Map<String, List<Integer>>`, `const std::string &`, `int[]`. */
export function typeAt(reader: Reader, index: number): (Path & { readonly behind: number }) | undefined {
  const found = pathAt(reader, index)
  if (found === undefined) return undefined
  const { tokens } = reader
  let at = behindTypeArguments(tokens, found.last + 1)
  while (
    tokens[at] !== undefined &&
    (typeMarks.test(tokens[at]!.text) || tokens[at]!.text === '...' || tokens[at]!.text === '&&')
  ) {
    if (tokens[at]!.text === '[' && tokens[at + 1]?.text !== ']') break
    at++
  }
  while (tokens[at]?.text === 'const') at++
  return { ...found, behind: at }
}

/** Index behind the token, or behind its partner when it opens a bracket. */
export function skip({ partner }: Reader, index: number): number {
  const other = partner[index] ?? -1
  return other > index ? other + 1 : index + 1
}

/** Start and end of each part between commas, brackets kept whole. */
export function* parts(reader: Reader, from: number, to: number): Generator<readonly [start: number, end: number]> {
  let start = from
  for (let at = from; at < to; ) {
    if (reader.tokens[at]!.text === ',') {
      yield [start, at]
      start = ++at
    } else at = skip(reader, at)
  }
  if (start < to) yield [start, to]
}

/** Words that may stand before a declaration. */
const modifiers =
  /^(?:public|private|protected|internal|static|final|readonly|const|abstract|override|virtual|sealed|unsafe|volatile|extern|inline|constexpr|async|export|default|pub|mut|let|var|local|transient|synchronized|declare|explicit|mutable|thread_local|required|late|open|lateinit)$/

/** Tokens walked back over modifiers. */
const modifierReach = 6

/** Whether a statement begins at the token, or behind its modifiers. */
export function startsStatement({ tokens, traits }: Reader, index: number): boolean {
  let at = index
  while (
    index - at < modifierReach &&
    !tokens[at]!.startsLine &&
    tokens[at - 1]?.kind === 'word' &&
    modifiers.test(tokens[at - 1]!.text)
  )
    at--
  const before = tokens[at - 1]?.text
  const values = traits.tables || traits.classBases
  // Arguments and values on lines of their own are no statements.
  if (before === '(' || before === ',' || before === '[' || (values && before === '{')) return false
  return (
    before === undefined ||
    tokens[at]!.startsLine ||
    before === ';' ||
    before === '{' ||
    before === '}' ||
    before === ']'
  )
}
