import { isBuiltInType, pathAt, type Reader, skip, type TypeShown, written } from './reader.ts'

/** Functions that return an instance of the type they are called on. */
const makers: ReadonlySet<string> = new Set([
  ...['new', 'instance', 'instantiate', 'create', 'default', 'builder', 'Builder', 'getInstance', 'shared'],
])
const nodeGetters: ReadonlySet<string> = new Set(['get_node', 'get_node_or_null'])

/** The type of the expression at `index` as far as its first words, or a cast behind it, show it. */
export function typeOfValue(reader: Reader, index: number): TypeShown | undefined {
  return written(castBehind(reader, index)) ?? typeOfExpression(reader, index)
}

/** As `typeOfValue`, where `as` binds a name and casts nothing. */
export function typeOfExpression(reader: Reader, index: number): TypeShown | undefined {
  const { tokens, traits } = reader
  const first = tokens[index]
  if (first === undefined) return undefined
  if (traits.nodePaths && (first.text === '$' || first.text === '%')) return typeOfNode(reader, index + 1)
  if (first.kind === 'string') return first.text.startsWith('/') ? undefined : { type: ['String'], certain: false }
  if (first.text === 'await') return typeOfExpression(reader, index + 1)
  const isNew = first.text === 'new'
  const found = pathAt(reader, isNew || first.text === '&' ? index + 1 : index)
  if (found === undefined) return undefined
  if (isNew) return written(found.path)
  return typeOfPath(reader, found.path, found.last + 1)
}

function typeOfPath(reader: Reader, path: readonly string[], next: number): TypeShown | undefined {
  const { tokens, traits } = reader
  const name = path.at(-1)!
  const owner = path.slice(0, -1)
  const isType = /^\p{Lu}/u.test(name)
  const after = tokens[next]?.text
  if (after === '<' && tokens[next + 2]?.text === '>' && tokens[next + 1]?.kind === 'word') {
    // `GetNode<Timer>()` returns a Timer, `ArrayList<Timer>()` a list.
    return written(isType && traits.typePlace !== 'before' ? path : [tokens[next + 1]!.text])
  }
  const ofType = owner.length > 0 && /^\p{Lu}/u.test(owner[0]!)
  if (after === '(' && !tokens[next]!.startsLine) {
    const behind = skip(reader, next)
    // What is called on the result decides the type instead: `Foo.new().bar()`.
    const continued = behind > next + 1 && traits.access.has(tokens[behind]?.text ?? '') && tokens[behind]!.text !== ':'
    if (continued && !tokens[behind]!.startsLine) return undefined
    const argument = tokens[next + 1]
    if (nodeGetters.has(name) && argument?.kind === 'string') return nodeType(argument.text.slice(1, -1))
    if (makers.has(name) && owner.length > 0) return written(owner)
    if (isType) return written(path)
    return ofType ? { type: owner, certain: false } : undefined
  }
  if (after === '{' && isType && !tokens[next]!.startsLine) return written(path)
  // `Vector2.ZERO`: a constant of a type usually has that type.
  if (ofType && /^[\p{Lu}\d_]+$/u.test(name)) return { type: owner, certain: false }
  return undefined
}

function typeOfNode(reader: Reader, index: number): TypeShown | undefined {
  const { tokens } = reader
  if (tokens[index]?.kind === 'string') return nodeType(tokens[index]!.text.slice(1, -1))
  let last: string | undefined
  for (let at = index; tokens[at] !== undefined && tokens[at]!.start === tokens[at - 1]!.end; at++) {
    const { kind, text } = tokens[at]!
    if (kind === 'word') last = text
    else if (text !== '/' && text !== '%' && text !== '..') break
  }
  return last === undefined ? undefined : { type: [last], certain: false }
}

/** A node is often named after its type. */
function nodeType(path: string): TypeShown | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('%')) + 1)
  return name === '' || name.startsWith('.') ? undefined : { type: [name], certain: false }
}

/** Tokens looked at for a cast. */
const castReach = 40

/** `value as Type` on the same line. */
function castBehind(reader: Reader, index: number): readonly string[] | undefined {
  const { tokens } = reader
  for (let at = index; tokens[at] !== undefined && at < index + castReach; at = skip(reader, at)) {
    const token = tokens[at]!
    if (at > index && token.startsLine) return undefined
    if (token.text === ',' || token.text === ';' || token.text === ')') return undefined
    if (at > index && token.kind === 'word' && token.text === 'as') {
      // `as?` and `as!` are casts as well.
      const type = tokens[at + 1]?.text === '!' ? at + 2 : at + 1
      const path = pathAt(reader, type)?.path
      return path !== undefined && !(path.length === 1 && isBuiltInType(path[0]!)) ? path : undefined
    }
  }
  return undefined
}
