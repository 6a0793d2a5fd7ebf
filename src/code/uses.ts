import type { LanguageTraits } from './languages.ts'
import type { Token } from './lexer.ts'

/** What a member hangs on. */
export interface Receiver {
  /**
   * `name`: an identifier (`velocity.x`, `Input.get_axis`). `node`: a node path (`$Player`). `call`: the result of a
   * call (`get_tree().quit`). `element`: an element (`items[0].size`). `literal`: a literal. `unknown`: out of sight.
   */
  readonly kind: 'name' | 'node' | 'call' | 'element' | 'literal' | 'unknown'
  /** The identifier, node, function or collection; empty when there is none. */
  readonly name: string
  /** Where the root of the chain that leads here stands among the tokens, or -1. */
  readonly root: string
}

/** One occurrence of an identifier in code. */
export interface Use {
  readonly name: string
  readonly start: number
  readonly end: number
  /** Index of its token. */
  readonly token: number
  readonly position: 'code' | 'annotation' | 'node' | 'argument'
  readonly call: boolean
  readonly receiver: Receiver | undefined
  /** Names from the root of the chain to this one, as far as they are plain: `Input`, `is_action_pressed`. */
  readonly path: readonly string[]
  /** Where the text of `path` begins; it is contiguous up to `end`. */
  readonly pathStart: number
}

const access = new Set(['.', '::', '->', '?.', '!.', '&.'])
const closers = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
])

/** Index of the partner of each bracket token, -1 for the others and for unbalanced ones. Linear. */
export function matchBrackets(tokens: readonly Token[]): Int32Array {
  const partner = new Int32Array(tokens.length).fill(-1)
  const open: number[] = []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (token?.kind !== 'operator') continue
    if (token.text === '(' || token.text === '[' || token.text === '{') open.push(index)
    else if (closers.has(token.text)) {
      const last = open.at(-1)
      // Fragments are often unbalanced: a closer that fits nothing is passed over.
      if (last === undefined || tokens[last]?.text !== closers.get(token.text)) continue
      open.pop()
      partner[last] = index
      partner[index] = last
    }
  }
  return partner
}

/** Every identifier of the code with what it hangs on; comments and strings are not code. */
export function readUses(tokens: readonly Token[], partner: Int32Array, traits: LanguageTraits): Use[] {
  const uses: Use[] = []
  /** Use by token index, so that a chain can be continued. */
  const at = new Map<number, Use>()
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined) continue
    if (token.kind === 'operator' && traits.nodePaths && (token.text === '$' || token.text === '%')) {
      const node = readNodePath(tokens, index)
      if (node !== undefined) {
        uses.push(node)
        at.set(node.token, node)
        index = node.token
      }
      continue
    }
    if (token.kind !== 'word') continue
    const use = readUse(tokens, index, partner, at, traits)
    uses.push(use)
    at.set(index, use)
  }
  return uses
}

function readUse(
  tokens: readonly Token[],
  index: number,
  partner: Int32Array,
  at: ReadonlyMap<number, Use>,
  traits: LanguageTraits,
): Use {
  const token = tokens[index]!
  const before = tokens[index - 1]
  const next = tokens[index + 1]
  const call = next?.text === '(' || (next?.text === '<' && isGenericCall(tokens, index + 1)) || next?.text === '!('
  const base = { name: token.text, end: token.end, token: index, call }
  if (before?.text === '@' && before.end === token.start) {
    return { ...base, start: before.start, name: `@${token.text}`, position: 'annotation', receiver: undefined, path: [`@${token.text}`], pathStart: before.start }
  }
  if (before !== undefined && access.has(before.text)) {
    const receiver = receiverOf(tokens, index - 1, partner, at, traits)
    const owner = receiver.use
    // The span of a path must be one stretch of text: a line break or comment inside would not be what a reader sees.
    const joined = owner !== undefined && owner.end === before.start && before.end === token.start
    return {
      ...base,
      start: token.start,
      position: 'code',
      receiver: { kind: receiver.kind, name: receiver.name, root: owner?.path[0] ?? receiver.name },
      path: joined ? [...owner.path, token.text] : [token.text],
      pathStart: joined ? owner.pathStart : token.start,
    }
  }
  return {
    ...base,
    start: token.start,
    position: isArgument(tokens, index, partner) ? 'argument' : 'code',
    receiver: undefined,
    path: [token.text],
    pathStart: token.start,
  }
}

function receiverOf(
  tokens: readonly Token[],
  dot: number,
  partner: Int32Array,
  at: ReadonlyMap<number, Use>,
  traits: LanguageTraits,
): { kind: Receiver['kind']; name: string; use?: Use } {
  const before = tokens[dot - 1]
  // In GDScript 3 a line that begins with a dot calls the parent class; elsewhere it continues the line above.
  if (before === undefined || (traits.nodePaths && tokens[dot]?.startsLine)) return { kind: 'unknown', name: '' }
  if (before.kind === 'word') {
    const use = at.get(dot - 1)
    return use === undefined
      ? { kind: 'name', name: before.text }
      : { kind: use.position === 'node' ? 'node' : 'name', name: use.name, use }
  }
  if (before.kind === 'string') {
    const node = at.get(dot - 1)
    return node === undefined ? { kind: 'literal', name: 'string' } : { kind: 'node', name: node.name, use: node }
  }
  if (before.kind === 'number') return { kind: 'literal', name: 'number' }
  const open = partner[dot - 1] ?? -1
  const head = open > 0 ? tokens[open - 1] : undefined
  if (before.text === ')' && head?.kind === 'word') return { kind: 'call', name: head.text }
  if (before.text === ']' && head?.kind === 'word') return { kind: 'element', name: head.text }
  return { kind: 'unknown', name: '' }
}

/** `Name<Type>(`: the angle bracket opens type arguments, not a comparison. */
function isGenericCall(tokens: readonly Token[], open: number): boolean {
  for (let index = open + 1; index < open + 12; index++) {
    const token = tokens[index]
    if (token === undefined) return false
    if (token.text === '>') return tokens[index + 1]?.text === '('
    if (token.kind !== 'word' && ![',', '.', '<', '?', '[', ']', '::'].includes(token.text)) return false
  }
  return false
}

/** `name=` inside a call's parentheses, or `name:` inside braces: a label, not a use of that name. */
function isArgument(tokens: readonly Token[], index: number, partner: Int32Array): boolean {
  const next = tokens[index + 1]?.text
  const before = tokens[index - 1]?.text
  if (next === '=' && (before === '(' || before === ',')) {
    const open = enclosing(tokens, index, partner)
    return open >= 0 && tokens[open]?.text === '(' && !isDefinition(tokens, open)
  }
  if (next === ':' && (before === '{' || before === ',')) {
    const open = enclosing(tokens, index, partner)
    return open >= 0 && tokens[open]?.text === '{'
  }
  return false
}

function isDefinition(tokens: readonly Token[], open: number): boolean {
  const word = tokens[open - 2]?.text
  return word === 'def' || word === 'func' || word === 'function' || word === 'fn' || word === 'fun'
}

/** Tokens walked back to find the bracket that encloses one; argument lists are short. */
const enclosingReach = 200

function enclosing(tokens: readonly Token[], index: number, partner: Int32Array): number {
  for (let at = index - 1; at >= 0 && index - at < enclosingReach; at--) {
    const token = tokens[at]
    if (token?.kind !== 'operator') continue
    if (token.text === '(' || token.text === '[' || token.text === '{') return at
    const open = partner[at] ?? -1
    if (open >= 0 && open < at) at = open
  }
  return -1
}

/** `$Body/Sprite`, `%Score`, `$"Body/My Sprite"`: the last segment is the node that is meant. */
function readNodePath(tokens: readonly Token[], index: number): Use | undefined {
  const mark = tokens[index]!
  const before = tokens[index - 1]
  // `a % b` and `"%s" % b` are arithmetic: a node path follows an operator, a keyword or nothing.
  if (mark.text === '%' && before !== undefined && before.kind !== 'operator' && before.end === mark.start) return undefined
  if (mark.text === '%' && (before?.kind === 'string' || before?.kind === 'number' || before?.text === ')' || before?.text === ']')) {
    return undefined
  }
  let last = tokens[index + 1]
  let at = index + 1
  if (last === undefined || last.start !== mark.end) return undefined
  if (last.kind === 'string') {
    const content = last.text.slice(1, -1)
    const from = content.lastIndexOf('/') + 1
    const name = content.slice(from)
    const start = last.start + 1 + from
    if (name === '') return undefined
    return { name, start, end: start + name.length, token: at, position: 'node', call: false, receiver: undefined, path: [name], pathStart: start }
  }
  if (last.kind !== 'word') return undefined
  while (tokens[at + 1]?.text === '/' && tokens[at + 1]?.start === last.end) {
    const following = tokens[at + 2]
    if (following?.kind !== 'word' || following.start !== last.end + 1) break
    last = following
    at += 2
  }
  return { name: last.text, start: last.start, end: last.end, token: at, position: 'node', call: false, receiver: undefined, path: [last.text], pathStart: last.start }
}
