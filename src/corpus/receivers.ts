import type { ChunkReading, NameUse, ResolvedReceiver } from '../code/chunk.ts'
import { fold, partsOf } from '../code/parts.ts'
import type { Subject } from './reading.ts'
import type { CollectionSymbols } from './symbol-table.ts'

/**
 * How one use of a name in the chunk relates to a record's subject of that name.
 *
 * `exact`: the chain in the chunk, with imports and types put in, is the subject. `typed`: the receiver's type agrees
 * with the owner. `named`: the receiver's type is unknown, and of all owners of the name the chunk names just this one.
 * `hinted`: the receiver's name resembles the owner. `open`: nothing speaks for or against. `conflict`: the receiver's
 * type is known and is another one.
 */
export type Agreement = 'exact' | 'typed' | 'named' | 'hinted' | 'open' | 'conflict'

const order: readonly Agreement[] = ['conflict', 'open', 'hinted', 'named', 'typed', 'exact']

/** Whether `a` is stronger than `b`. */
export function stronger(a: Agreement, b: Agreement): boolean {
  return order.indexOf(a) > order.indexOf(b)
}

/** Last segments that two paths have in common. */
export function commonSuffix(a: readonly string[], b: readonly string[]): number {
  let count = 0
  while (count < a.length && count < b.length && a[a.length - 1 - count] === b[b.length - 1 - count]) count++
  return count
}

/** Owners of names that are called without a receiver: `@GlobalScope`, `@GDScript`. */
function isGlobalScope(owner: string): boolean {
  return owner.startsWith('@') || owner === 'global' || owner === 'globals' || owner === 'builtins'
}

/** Relates one use to one subject of the same last name. */
export function agreementOf(
  use: NameUse,
  subject: Subject,
  chunk: ChunkReading,
  symbols: CollectionSymbols,
): Agreement {
  const { path } = subject
  const { receiver, resolved } = use
  if (path.length === 1) return receiver.knowledge === 'bare' ? 'exact' : 'conflict'
  const suffix = commonSuffix(resolved, path)
  const name = path.at(-1)!
  const owner = path.at(-2)!
  if (suffix === path.length)
    return resolved.length === suffix || receiver.knowledge === 'certain' ? 'exact' : longerChain(use, path)
  if (suffix >= 2 && suffix >= Math.min(resolved.length, 3)) return receiver.knowledge === 'likely' ? 'typed' : 'exact'
  switch (receiver.knowledge) {
    case 'bare':
      if (isGlobalScope(owner))
        return use.use.call || use.use.position === 'annotation' || isConstant(use) ? 'exact' : 'open'
      if (use.use.position === 'annotation') return 'conflict'
      return chunk.declarations.bases.some((base) => base.at(-1) === owner) ? 'typed' : 'open'
    case 'self':
      return receiver.type.at(-1) === owner ? 'typed' : 'open'
    case 'certain':
    case 'likely': {
      const type = receiver.type.at(-1)
      if (type === owner) return 'typed'
      if (type !== undefined && isAnother(type, owner, name, receiver, symbols)) return 'conflict'
      return receiver.knowledge === 'likely' && resemblance(receiver.hint, owner) > 0 ? 'hinted' : 'open'
    }
    case 'open':
      if (isGlobalScope(owner) || otherDimension(receiver.hint, owner)) return 'conflict'
      if (resemblance(receiver.hint, owner) > 0) return 'hinted'
      return isOnlyNamedOwner(owner, name, chunk, symbols) ? 'named' : 'open'
  }
}

/** `a.b.Owner.name` against `Owner.name`: another module's, unless its root is a type. */
function longerChain(use: NameUse, path: readonly string[]): Agreement {
  const extra = use.resolved[use.resolved.length - path.length - 1]
  return extra === undefined ? 'exact' : /^\p{Lu}/u.test(path[0] ?? '') ? 'typed' : 'conflict'
}

function isConstant(use: NameUse): boolean {
  return /^[\p{Lu}\d_]+$/u.test(use.use.name)
}

/** Whether a known type is not the owner and cannot have inherited the name from it, as far as the corpus shows. */
function isAnother(
  type: string,
  owner: string,
  name: string,
  receiver: ResolvedReceiver,
  symbols: CollectionSymbols,
): boolean {
  if (otherDimension(type, owner)) return true
  // A type the corpus does not document may be anything; one that documents the name itself does not inherit it.
  if (!symbols.isType(type)) return receiver.knowledge === 'certain' && receiver.type.length > 1
  return symbols.owns(type, name)
}

/** Whether an owner is a type, whose members values carry; a module's names are reached through the module alone. */
export function isTypeName(owner: string): boolean {
  return /^\p{Lu}/u.test(owner)
}

/** Whether of all owners of the name the chunk's code names this one and no other. */
function isOnlyNamedOwner(owner: string, name: string, chunk: ChunkReading, symbols: CollectionSymbols): boolean {
  if (!isTypeName(owner) || chunk.names.get(owner)?.own !== false) return false
  return namedOwners(name, chunk, symbols).every((other) => other === owner)
}

const ownersSeen = new WeakMap<ChunkReading, WeakMap<CollectionSymbols, Map<string, readonly string[]>>>()

/** Owners of a name that the chunk's code names; asked for every record of that name, so found once. */
function namedOwners(name: string, chunk: ChunkReading, symbols: CollectionSymbols): readonly string[] {
  let ofChunk = ownersSeen.get(chunk)
  if (ofChunk === undefined) ownersSeen.set(chunk, (ofChunk = new WeakMap()))
  let ofSymbols = ofChunk.get(symbols)
  if (ofSymbols === undefined) ofChunk.set(symbols, (ofSymbols = new Map()))
  let owners = ofSymbols.get(name)
  if (owners === undefined) {
    owners = [...chunk.names.values()]
      .filter((other) => !other.own && symbols.owns(other.name, name))
      .map((other) => other.name)
    ofSymbols.set(name, owners)
  }
  return owners
}

const dimensionIn = /\d+[dD]?/g

/** `Sprite2D` and `Sprite3D`, `Vector2` and `Vector4`: one name but for its number is another thing. */
function otherDimension(a: string, b: string): boolean {
  const left = a.match(dimensionIn)?.join(' ').toLowerCase()
  const right = b.match(dimensionIn)?.join(' ').toLowerCase()
  return left !== undefined && right !== undefined && left !== right && wordsOf(a).at(-1) === wordsOf(b).at(-1)
}

/** `AnimatedSprite` and `AnimatedSprite2D`: one name, written with a number or without; not `Vector2` and `Vector3`. */
export function sameButForNumber(a: string, b: string): boolean {
  const left = wordsOf(a)
  const right = wordsOf(b)
  return left.length === right.length && left.every((word, index) => word === right[index]) && !otherDimension(a, b)
}

const wordCache = new Map<string, readonly string[]>()
const mostCachedWords = 50_000

function wordsOf(name: string): readonly string[] {
  let words = wordCache.get(name)
  if (words === undefined) {
    const parts = partsOf(name).filter((part) => !/^\d+d?$/.test(part))
    words = parts.length > 0 ? parts : [fold(name).replace(/\d+d?$/, '')]
    if (wordCache.size >= mostCachedWords) wordCache.clear()
    wordCache.set(name, words)
  }
  return words
}

/** Share of a type's words that a receiver's name ends with: `message_label` and `Label`, `$Timer`; 0 for none. */
export function resemblance(hint: string, owner: string): number {
  if (hint === '') return 0
  const name = wordsOf(hint)
  const type = wordsOf(owner)
  let count = 0
  while (count < name.length && count < type.length && name[name.length - 1 - count] === type[type.length - 1 - count])
    count++
  return count / type.length
}
