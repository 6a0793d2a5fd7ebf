import { behindTypeArguments } from './generics.ts'
import { isKeyword, selfWords } from './keywords.ts'
import type { LanguageTraits } from './languages.ts'
import type { Token } from './lexer.ts'
import { type Uncommented, withoutComments } from './uncommented.ts'

/** What a member hangs on. */
export interface Receiver {
  /**
   * `name`: an identifier (`velocity.x`, `Input.get_axis`). `node`: a node path (`$Player`). `call`: the result of a
   * call (`get_tree().quit`). `element`: an element (`items[0].size`). `literal`: a literal, named `string`, `number` or
   * `pattern`. `unknown`: out of sight.
   */
  readonly kind: 'name' | 'node' | 'call' | 'element' | 'literal' | 'unknown'
  /** The identifier, node, function or collection; empty when there is none. */
  readonly name: string
  /** First name of the plain chain that leads here. */
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
      const depth = depthOf(closers.get(token.text)!, open, tokens)
      // Fragments are often unbalanced: a closer that fits nothing is passed over, and so is an opener in between.
      if (depth < 0) continue
      const last = open[depth]!
      open.length = depth
      partner[last] = index
      partner[index] = last
    }
  }
  return partner
}

/** Open brackets that a closer looks past for its opener. */
const lookedPast = 3

function depthOf(opener: string, open: readonly number[], tokens: readonly Token[]): number {
  for (let depth = open.length - 1; depth >= Math.max(0, open.length - 1 - lookedPast); depth--) {
    if (tokens[open[depth]!]!.text === opener) return depth
  }
  return -1
}

/** Names of a chain that are kept in its path: a minified line must not hold the square of its length. */
const longestPath = 16

/** Every identifier of the code with what it hangs on; comments and strings are not code. Linear. */
export function readUses(tokens: readonly Token[], partner: Int32Array, traits: LanguageTraits): Use[] {
  const reader = new UseReader(withoutComments(tokens, partner), traits)
  return reader.read()
}

/** Letters that touch a string from the left say how it is written: `r"..."`, `u8"..."`. */
const stringPrefix = /^(?:[a-zA-Z]{1,2}|u8R?|[uUL]R)$/

/** Tokens walked back to find the bracket that encloses one; argument lists are short. */
const enclosingReach = 200

const definitionWords: ReadonlySet<string> = new Set([
  'def',
  'func',
  'function',
  'fn',
  'fun',
  'init',
  'constructor',
  'signal',
])

/** Tokens of a node path; scenes are not nested deeper, and a run of marks must not be walked once for each. */
const longestNodePath = 64

/** Functions of node trees that are given the path of the node they return. */
const nodeGetters: ReadonlySet<string> = new Set(['get_node', 'get_node_or_null'])

class UseReader {
  readonly #tokens: readonly Token[]
  readonly #partner: Int32Array
  readonly #places: Int32Array
  readonly #traits: LanguageTraits
  readonly #uses: Use[] = []
  /** Use by token, so that a chain can be continued. */
  readonly #at = new Map<number, Use>()

  constructor(code: Uncommented, traits: LanguageTraits) {
    this.#tokens = code.tokens
    this.#partner = code.partner
    this.#places = code.places
    this.#traits = traits
  }

  read(): Use[] {
    for (let index = 0; index < this.#tokens.length; index++) {
      const token = this.#tokens[index]!
      if (token.kind === 'operator' && this.#traits.nodePaths && (token.text === '$' || token.text === '%')) {
        index = this.#readNodePath(index)
      } else if (token.kind === 'word' && !this.#isStringPrefix(index)) this.#add(index, this.#readName(index))
    }
    return this.#uses
  }

  #add(index: number, use: Use): void {
    this.#uses.push(use)
    this.#at.set(index, use)
  }

  /** A name with nothing before it. */
  #lone(index: number, name: string, start: number, position: Use['position'], call: boolean): Use {
    const end = this.#tokens[index]!.end
    const token = this.#places[index]!
    return { name, start, end, token, position, call, receiver: undefined, path: [name], pathStart: start }
  }

  #isStringPrefix(index: number): boolean {
    const next = this.#tokens[index + 1]
    const token = this.#tokens[index]!
    return (
      next?.kind === 'string' &&
      next.start === token.end &&
      next.text.charAt(0) !== '`' &&
      stringPrefix.test(token.text)
    )
  }

  #readName(index: number): Use {
    const tokens = this.#tokens
    const { text: name, start, end } = tokens[index]!
    const before = tokens[index - 1]
    if (before?.text === '@' && before.end === start) return this.#readAt(index, before)
    const call = this.#isCall(index)
    if (!this.#isAccess(index - 1)) {
      return this.#lone(index, name, start, this.#isLabel(index) ? 'argument' : 'code', call)
    }
    const receiver = this.#receiverOf(index - 1)
    const owner = receiver.use
    // The span of a path must be one stretch of text: a line break or comment inside would not be what a reader sees.
    const touching = owner !== undefined && owner.end === before!.start && before!.end === start
    const joined = touching && owner.path.length < longestPath
    return {
      name,
      start,
      end,
      token: this.#places[index]!,
      position: 'code',
      call,
      receiver: { kind: receiver.kind, name: receiver.name, root: owner?.path[0] ?? receiver.name },
      path: joined ? [...owner.path, name] : [name],
      pathStart: joined ? owner.pathStart : start,
    }
  }

  /** `@name`: a name of its own, the use of a decorator, or a member of the code's own object. */
  #readAt(index: number, mark: Token): Use {
    const { text: name, start } = this.#tokens[index]!
    const { at } = this.#traits
    const lone = this.#lone(index, name, start, 'code', this.#isCall(index))
    if (at === 'member') return { ...lone, receiver: { kind: 'name', name: 'self', root: 'self' } }
    if (at === 'use') return { ...lone, call: lone.call || !this.#isAccess(index + 1) }
    // A chain is one of plain names.
    if (this.#isAccess(index + 1)) return lone
    return this.#lone(index, `@${name}`, mark.start, 'annotation', lone.call)
  }

  #isCall(index: number): boolean {
    const tokens = this.#tokens
    const end = tokens[index]!.end
    let next = index + 1
    // `name!(...)` is a macro or a forced call; `name::<T>(...)` names type arguments.
    if (tokens[next]?.text === '!' && tokens[next]?.start === end) {
      return tokens[next + 1]?.start === end + 1 && ['(', '[', '{'].includes(tokens[next + 1]!.text)
    }
    if (tokens[next]?.text === '::' && tokens[next + 1]?.text === '<') next++
    if (tokens[next]?.text === '<') next = behindTypeArguments(tokens, next)
    return tokens[next]?.text === '(' && !tokens[next]!.startsLine
  }

  /** Whether the token leads to a member; an arrow between spaces is one of a type or a function. */
  #isAccess(index: number): boolean {
    const token = this.#tokens[index]
    if (token?.kind !== 'operator' || !this.#traits.access.has(token.text)) return false
    if (token.text === '->') return token.startsLine || this.#tokens[index - 1]?.end === token.start
    // `a ? b : c` and keys: a colon that calls a method has no space around it.
    return (
      token.text !== ':' ||
      (this.#tokens[index - 1]?.end === token.start && this.#tokens[index + 1]?.start === token.end)
    )
  }

  #receiverOf(dot: number): { kind: Receiver['kind']; name: string; use?: Use } {
    const unknown = { kind: 'unknown' as const, name: '' }
    const tokens = this.#tokens
    // In GDScript 3 a line that begins with a dot calls the parent class; elsewhere it continues the line above.
    if (this.#traits.nodePaths && tokens[dot]?.startsLine) return unknown
    let at = dot - 1
    while (tokens[at]?.text === '\\') at--
    const before = tokens[at]
    if (before === undefined) return unknown
    const use = this.#at.get(at)
    if (use?.position === 'node') return { kind: 'node', name: use.name, use }
    if (before.kind === 'word') {
      const apart = before.end !== tokens[dot]!.start
      if (use === undefined || (apart && isKeyword(before.text) && !selfWords.has(before.text))) return unknown
      return { kind: 'name', name: use.name, use }
    }
    if (before.kind === 'string') return { kind: 'literal', name: before.text.startsWith('/') ? 'pattern' : 'string' }
    if (before.kind === 'number') return { kind: 'literal', name: 'number' }
    return this.#bracketReceiver(at) ?? unknown
  }

  /** What stands before brackets that end a receiver: the function of a call, the collection of an element. */
  #bracketReceiver(close: number): { kind: Receiver['kind']; name: string } | undefined {
    const tokens = this.#tokens
    const open = this.#partner[close] ?? -1
    if (open < 1 || tokens[open]!.startsLine) return undefined
    let at = open - 1
    if (tokens[at]?.text === '?.') at--
    else if (tokens[at]?.text === '>') at = this.#beforeTypeArguments(at)
    const head = tokens[at]
    if (head?.kind !== 'word') return undefined
    // `if (a) .b` calls nothing; `A.new().b` does.
    if (isKeyword(head.text) && !selfWords.has(head.text) && !this.#isAccess(at - 1)) return undefined
    if (tokens[close]!.text === ']') return { kind: 'element', name: head.text }
    if (tokens[close]!.text !== ')') return undefined
    const path = tokens[open + 1]
    if (this.#traits.nodePaths && nodeGetters.has(head.text) && close === open + 2 && path?.kind === 'string') {
      const name = path.text.slice(1, -1).split('/').at(-1) ?? ''
      if (name !== '' && name !== '..' && name !== '.') return { kind: 'node', name }
    }
    return { kind: 'call', name: head.text }
  }

  #beforeTypeArguments(close: number): number {
    for (let at = close - 1; at >= 0 && close - at < 20; at--) {
      if (this.#tokens[at]?.text === '<' && behindTypeArguments(this.#tokens, at) === close + 1) return at - 1
    }
    return close
  }

  /** `name=` in the brackets of a call, `name:` or `name =` among keys: a label, not a use of that name. */
  #isLabel(index: number): boolean {
    const next = this.#tokens[index + 1]?.text
    const before = this.#tokens[index - 1]?.text
    if (next === ':' && this.#traits.labelBrackets !== '' && this.#isStatementLabel(index)) return true
    if (before !== '(' && before !== ',' && before !== '{' && before !== '[') return false
    if (next === '=') {
      const open = this.#enclosing(index)
      const bracket = this.#tokens[open]?.text
      return (
        (bracket === '(' && this.#isCallBracket(open) && !this.#isDefinition(open)) ||
        (bracket === '{' && this.#traits.tables)
      )
    }
    if (next !== ':') return false
    const open = this.#enclosing(index)
    return open >= 0 && this.#traits.labelBrackets.includes(this.#tokens[open]!.text) && !this.#isDefinition(open)
  }

  /** `retry: while (...)`: the mark of a place in the code. */
  #isStatementLabel(index: number): boolean {
    const token = this.#tokens[index]!
    const before = this.#tokens[index - 1]?.text
    const begins = token.startsLine || before === undefined || before === ';' || before === '{' || before === '}'
    return begins && before !== '?' && this.#tokens[index + 1]!.start === token.end && !isKeyword(token.text)
  }

  #isCallBracket(open: number): boolean {
    const head = this.#tokens[open - 1]
    if (head?.kind === 'word') return !isKeyword(head.text) || selfWords.has(head.text)
    return head?.text === '>' || head?.text === ']' || head?.text === ')' || head?.text === '!'
  }

  /** Whether a bracket opens the parameters of a function: `def name(`, `func (r) name(`, `function A.b(`. */
  #isDefinition(open: number): boolean {
    if (this.#tokens[open]?.text !== '(') return false
    for (let at = open - 1; at >= 0 && open - at < 8; at--) {
      const token = this.#tokens[at]!
      if (definitionWords.has(token.text)) return true
      if (token.startsLine || (token.kind !== 'word' && !/^[.:<>]+$/.test(token.text))) return false
    }
    return false
  }

  #enclosing(index: number): number {
    for (let at = index - 1; at >= 0 && index - at < enclosingReach; at--) {
      const token = this.#tokens[at]!
      if (token.kind !== 'operator') continue
      if (token.text === '(' || token.text === '[' || token.text === '{') return at
      const open = this.#partner[at] ?? -1
      if (open >= 0 && open < at) at = open
    }
    return -1
  }

  /**
   * `$Body/Sprite`, `%Score`, `$"../My Sprite"`, `$"%Score"`: the last segment is the node that is meant. Returns the
   * index of the last token that was read.
   */
  #readNodePath(index: number): number {
    const tokens = this.#tokens
    const mark = tokens[index]!
    if (mark.text === '%' && this.#endsValue(index - 1)) return index
    const first = tokens[index + 1]
    if (first === undefined || first.start !== mark.end) return index
    if (first.kind === 'string') {
      const content = first.text.slice(1, -1)
      const from = Math.max(content.lastIndexOf('/'), content.lastIndexOf('%')) + 1
      const name = content.slice(from)
      if (name === '' || name.startsWith('.')) return index
      this.#add(index + 1, this.#node(index + 1, name, first.start + 1 + from))
      return index + 1
    }
    let last = -1
    for (let at = index + 1; at < Math.min(tokens.length, index + longestNodePath); at++) {
      const token = tokens[at]!
      if (token.start !== tokens[at - 1]!.end) break
      if (token.kind === 'word' || token.kind === 'number') {
        // Two names side by side cannot be: a path has marks between its names.
        if (last === at - 1) break
        last = at
      } else if (token.text !== '/' && token.text !== '%' && token.text !== '..') break
      // `$A / 2` divides, and so does what has no name behind the slash.
    }
    if (last < 0 || tokens[last]!.kind !== 'word') return index
    this.#add(last, this.#node(last, tokens[last]!.text, tokens[last]!.start))
    return last
  }

  /** The node that a path means; its name can be a part of a string. */
  #node(index: number, name: string, start: number): Use {
    return { ...this.#lone(index, name, start, 'node', false), end: start + name.length }
  }

  /** Whether a value ends at the token, so that a `%` behind it is the remainder of a division. */
  #endsValue(index: number): boolean {
    const token = this.#tokens[index]
    if (token === undefined || this.#tokens[index + 1]!.startsLine) return false
    if (token.kind === 'word') return !isKeyword(token.text) || selfWords.has(token.text)
    return token.kind !== 'operator' || token.text === ')' || token.text === ']' || token.text === '}'
  }
}
