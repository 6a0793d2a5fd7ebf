import type { Span } from '../contracts.ts'
import { type Declarations, readDeclarations } from './declarations.ts'
import { isEveryday, isKeyword, selfWords } from './keywords.ts'
import { isKnownLanguage } from './languages.ts'
import { fold, longestWord, partsOf } from './parts.ts'
import { readProse } from './prose.ts'
import { type CodeReading, readCode } from './reading.ts'
import type { SyntaxTree } from './trees/syntax-tree.ts'
import type { Use } from './uses.ts'

/** What is known of the object a member hangs on. */
export interface ResolvedReceiver {
  /**
   * `certain`: its type is written in sight. `likely`: inferred (a node's name, a factory, a constant). `self`: the
   * chunk's own object. `bare`: no receiver. `open`: a value of unknown type.
   */
  readonly knowledge: 'certain' | 'likely' | 'self' | 'bare' | 'open'
  /** Path of the type or module; for `self` the base type; empty when unknown. */
  readonly type: readonly string[]
  /** The receiver's own name: a hint at its type, never proof. */
  readonly hint: string
}

/** One distinct name on one distinct kind of receiver. */
export interface NameUse {
  readonly use: Use
  readonly receiver: ResolvedReceiver
  /** The chain with imports and types put in: `AnimatedSprite2D.play`, `tensorflow.keras.layers.Dense`. */
  readonly resolved: readonly string[]
}

/** One distinct identifier of the chunk's code. */
export interface ChunkName {
  readonly name: string
  /** First occurrence in the role that weighs most. */
  readonly span: Span
  readonly role: Role
  /** The chunk binds it and never reaches it through another object: no evidence for an API of that name. */
  readonly own: boolean
  readonly uses: readonly NameUse[]
}

/** What a name does where it weighs most, strongest first. */
export type Role = 'call' | 'member' | 'type' | 'constant' | 'annotation' | 'node' | 'name' | 'label' | 'own'

/** A chunk, read once for all modalities and validators. */
export interface ChunkReading {
  readonly text: string
  readonly code: CodeReading
  readonly declarations: Declarations
  readonly names: ReadonlyMap<string, ChunkName>
  /** Dotted chains as written, `::` and `->` as `.`, with the span of their first occurrence. */
  readonly chains: ReadonlyMap<string, Span>
  readonly lines: ReadonlyMap<string, Span>
  /** Indices of the tokens with a text, comments left out. */
  readonly places: ReadonlyMap<string, readonly number[]>
  /** The use at a token. */
  readonly useAt: ReadonlyMap<number, Use>
  /** Contents of string constants, without the quotes. */
  readonly strings: ReadonlyMap<string, Span>
  /** Folded words to search by, with their weights. */
  readonly terms: ReadonlyMap<string, number>
  /** Name of the language as it was given; undefined when it was not given or is not known. */
  readonly language: string | undefined
}

/**
 * Weights of query terms by role. Names that an API could own say what a chunk is about; locals, comments and strings
 * say it less often. Chosen on the development queries of two corpora (`bench/ranking.ts`).
 */
export const roleWeights: Readonly<Record<Role | 'comment' | 'string', number>> = {
  call: 1,
  member: 1,
  type: 1,
  constant: 1,
  annotation: 1,
  node: 0.6,
  name: 0.6,
  label: 0.4,
  own: 0.3,
  comment: 0.3,
  string: 0.4,
}

/** A part of an identifier counts this share of the whole: `action` of `is_action_pressed`. */
export const partWeight = 0.4

/** Strings longer than this are data, not names or messages that a page would repeat. */
const longestString = 200

/** Reads a chunk as code, by its tree where there is one. Deterministic; linear in the text. */
export function readChunk(text: string, language: string | undefined, tree?: SyntaxTree): ChunkReading {
  const code = readCode(text, language, tree)
  const declarations = readDeclarations(code.tokens, code.partner, code.traits)
  const ownMembers = membersOfSelf(code)
  const names = new Map<string, MutableName>()
  const chains = new Map<string, Span>()
  for (const use of code.uses) {
    if (use.name.length > longestWord || (isKeyword(use.name) && use.receiver === undefined)) continue
    const resolved = resolve(use, declarations)
    addName(names, use, resolved, roleOf(use, resolved.receiver, declarations, ownMembers))
    if (use.path.length > 1) addOnce(chains, use.path.join('.'), { start: use.pathStart, end: use.end })
  }
  const lines = new Map<string, Span>()
  for (const line of code.lines) addOnce(lines, line.key, { start: line.start, end: line.end })
  const strings = readStrings(code)
  return {
    text,
    code,
    declarations,
    names,
    chains,
    lines,
    places: placesOf(code),
    useAt: new Map(code.uses.map((use) => [use.token, use])),
    strings,
    terms: readTerms(code, names, strings),
    language: language !== undefined && isKnownLanguage(language) ? language : undefined,
  }
}

interface MutableName extends ChunkName {
  span: Span
  role: Role
  own: boolean
  uses: NameUse[]
}

const roleOrder: readonly Role[] = ['call', 'member', 'type', 'constant', 'annotation', 'node', 'name', 'label', 'own']

/** Distinct receivers kept of one name; a minified megabyte must not keep a million. */
const mostUses = 32

function addName(names: Map<string, MutableName>, use: Use, resolved: NameUse, role: Role): void {
  const known = names.get(use.name)
  if (known === undefined) {
    names.set(use.name, {
      name: use.name,
      span: { start: use.start, end: use.end },
      role,
      own: role === 'own',
      uses: [resolved],
    })
    return
  }
  if (roleOrder.indexOf(role) < roleOrder.indexOf(known.role)) {
    known.role = role
    known.span = { start: use.start, end: use.end }
  }
  known.own &&= role === 'own'
  const { receiver } = resolved
  const seen = known.uses.some(
    (other) =>
      other.receiver.knowledge === receiver.knowledge &&
      other.receiver.hint === receiver.hint &&
      other.use.call === use.call &&
      other.resolved.length === resolved.resolved.length &&
      other.resolved.every((segment, index) => segment === resolved.resolved[index]),
  )
  if (!seen && known.uses.length < mostUses) known.uses.push(resolved)
}

function addOnce(spans: Map<string, Span>, key: string, span: Span): void {
  if (!spans.has(key)) spans.set(key, span)
}

/** Puts types and imports in the place of the receiver's name. */
function resolve(use: Use, declarations: Declarations): NameUse {
  const { receiver } = use
  if (receiver === undefined) {
    const imported = declarations.imports.get(use.name)
    return { use, receiver: { knowledge: 'bare', type: [], hint: '' }, resolved: imported ?? use.path }
  }
  const known = (knowledge: ResolvedReceiver['knowledge'], type: readonly string[]): NameUse => ({
    use,
    receiver: { knowledge, type, hint: receiver.name },
    resolved: type.length > 0 ? [...type, use.name] : use.path,
  })
  if (receiver.kind === 'node') return known('likely', [receiver.name])
  if (receiver.kind === 'literal') return known('likely', receiver.name === 'string' ? ['String'] : [])
  if (receiver.kind !== 'name') return known('open', [])
  const middle = use.path.slice(1, -1)
  const direct = use.path.length === 2
  const root = use.path[0] ?? ''
  if (direct && selfWords.has(receiver.name)) return known('self', declarations.bases[0] ?? [])
  const imported = declarations.imports.get(root)
  if (imported !== undefined && use.path.length > 1) return known('certain', [...imported, ...middle])
  const declared = declarations.names.get(receiver.name)
  if (direct && declared?.type !== undefined) {
    return known(declared.certain ? 'certain' : 'likely', importedPath(declared.type, declarations))
  }
  // A capitalised root that nobody declared is a type or a singleton.
  if (use.path.length > 1 && declared === undefined && /^\p{Lu}/u.test(root) && !declarations.names.has(root)) {
    return known(direct ? 'certain' : 'likely', use.path.slice(0, -1))
  }
  if (use.path.length > 2 && declarations.names.get(root) === undefined && !selfWords.has(root)) {
    return { ...known('open', []), resolved: use.path }
  }
  return known('open', [])
}

function importedPath(type: readonly string[], declarations: Declarations): readonly string[] {
  const imported = declarations.imports.get(type[0] ?? '')
  return imported === undefined ? type : [...imported, ...type.slice(1)]
}

function roleOf(
  use: Use,
  receiver: ResolvedReceiver,
  declarations: Declarations,
  ownMembers: ReadonlySet<string>,
): Role {
  if (use.position === 'annotation') return 'annotation'
  if (use.position === 'node') return 'node'
  if (use.position === 'argument') return 'label'
  if (use.receiver !== undefined) {
    const onSelf = selfWords.has(use.receiver.name) && use.receiver.kind === 'name'
    if (onSelf && (ownMembers.has(use.name) || declarations.names.has(use.name))) return 'own'
    if (use.call) return 'call'
    return /^\p{Lu}/u.test(use.name) && receiver.knowledge !== 'open' ? 'type' : 'member'
  }
  const declared = declarations.names.get(use.name)
  if (declared !== undefined && declared.kind !== 'import') return 'own'
  if (use.call) return 'call'
  if (/^[\p{Lu}\d_]+$/u.test(use.name) && use.name.length > 1) return 'constant'
  if (/^\p{Lu}/u.test(use.name)) return 'type'
  return 'name'
}

/** Names assigned on the chunk's own object: `self.weight = …` makes `weight` the chunk's own. */
function membersOfSelf(code: CodeReading): ReadonlySet<string> {
  const members = new Set<string>()
  for (const use of code.uses) {
    if (use.receiver?.kind !== 'name' || !selfWords.has(use.receiver.name) || use.path.length > 2) continue
    if (use.receiver.name !== 'super' && code.tokens[use.token + 1]?.text === '=') members.add(use.name)
  }
  return members
}

function placesOf(code: CodeReading): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (let index = 0; index < code.tokens.length; index++) {
    const token = code.tokens[index]!
    if (token.kind === 'comment' || token.text.length > longestWord) continue
    const known = places.get(token.text)
    if (known === undefined) places.set(token.text, [index])
    else known.push(index)
  }
  return places
}

function readStrings(code: CodeReading): Map<string, Span> {
  const strings = new Map<string, Span>()
  for (const token of code.tokens) {
    // What stands behind a value in a string says how it is written: `{ratio:.2f}`.
    if (token.kind !== 'string' || /^[:!]/.test(token.text)) continue
    const quotes = /^("""|'''|["'`])/.exec(token.text)?.[0].length ?? 1
    const content = token.text.slice(quotes, -quotes)
    if (content.length > 1 && content.length <= longestString && content.trim() === content) {
      addOnce(strings, content, { start: token.start + quotes, end: token.end - quotes })
    }
  }
  return strings
}

function readTerms(
  code: CodeReading,
  names: ReadonlyMap<string, ChunkName>,
  strings: ReadonlyMap<string, Span>,
): Map<string, number> {
  const terms = new Map<string, number>()
  const add = (word: string, weight: number): void => {
    if (word.length > longestWord) return
    raise(terms, fold(word), weight)
    for (const part of partsOf(word)) raise(terms, part, weight * partWeight)
  }
  for (const { name, role } of names.values()) {
    add(name, isEveryday(name) && role !== 'call' && role !== 'member' ? roleWeights[role] / 2 : roleWeights[role])
  }
  for (const content of strings.keys()) addProse(content, roleWeights.string, add)
  for (const token of code.tokens) {
    if (token.kind === 'comment') addProse(token.text, roleWeights.comment, add)
  }
  // A query of reserved words alone is a person's word, not code: `signal`, `yield`.
  if (terms.size === 0) for (const { kind, text } of code.tokens) if (kind === 'word') add(text, roleWeights.name)
  return terms
}

function addProse(text: string, weight: number, add: (word: string, weight: number) => void): void {
  for (const { path } of readProse(text)) {
    for (const name of path) if (!isKeyword(name)) add(name, weight)
  }
}

function raise(terms: Map<string, number>, term: string, weight: number): void {
  if (weight > (terms.get(term) ?? 0)) terms.set(term, weight)
}
