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
export function agreementOf(use: NameUse, subject: Subject, chunk: ChunkReading, symbols: CollectionSymbols): Agreement {
  const { path } = subject
  const { receiver, resolved } = use
  const suffix = commonSuffix(resolved, path)
  if (path.length === 1) return receiver.knowledge === 'bare' ? 'exact' : 'conflict'
  const owner = path.at(-2)!
  if (suffix === path.length) return resolved.length === suffix || receiver.knowledge === 'certain' ? 'exact' : longerChain(use, path)
  if (suffix >= 2 && suffix >= Math.min(resolved.length, 3)) return receiver.knowledge === 'likely' ? 'typed' : 'exact'
  switch (receiver.knowledge) {
    case 'bare':
      if (isGlobalScope(owner)) return use.use.call || use.use.position === 'annotation' || isConstant(use) ? 'exact' : 'open'
      if (use.use.position === 'annotation') return 'conflict'
      return bareAgreement(owner, chunk, symbols)
    case 'certain':
      return foreign(receiver, owner, symbols, path.at(-1)!) ? 'conflict' : 'open'
    case 'likely':
      if (receiver.type.at(-1) === owner) return 'typed'
      if (resembles(receiver, owner)) return 'hinted'
      return foreign(receiver, owner, symbols, path.at(-1)!) ? 'conflict' : 'open'
    case 'self':
      if (receiver.type.at(-1) === owner) return 'typed'
      return 'open'
    case 'open':
      if (isGlobalScope(owner)) return 'conflict'
      return resembles(receiver, owner) ? 'hinted' : 'open'
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

function bareAgreement(owner: string, chunk: ChunkReading, _symbols: CollectionSymbols): Agreement {
  return chunk.declarations.bases.some((base) => base.at(-1) === owner) ? 'typed' : 'open'
}

/** Whether the known type documents this name itself, or cannot be the owner's kind of thing. */
function foreign(receiver: ResolvedReceiver, owner: string, symbols: CollectionSymbols, name: string): boolean {
  const type = receiver.type.at(-1)
  if (type === undefined || type === owner) return false
  // A type the corpus does not document may be anything; one that documents the name does not inherit it.
  if (!symbols.isType(type)) return receiver.knowledge === 'certain' && receiver.type.length > 1
  for (const entry of symbols.named(name)) {
    if (entry.reading.subject?.path.at(-2) === type) return true
  }
  return false
}

/** Whether the words of a receiver's name end in the words of a type's: `message_label` and `Label`, `$Timer`. */
export function resembles(receiver: ResolvedReceiver, owner: string): boolean {
  return resemblance(receiver.hint, owner) > 0
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

/** Share of a type's words that a name ends with, or begins with the last of them; 0 for none. */
export function resemblance(hint: string, owner: string): number {
  if (hint === '') return 0
  const name = wordsOf(hint)
  const type = wordsOf(owner)
  let count = 0
  while (count < name.length && count < type.length && name[name.length - 1 - count] === type[type.length - 1 - count]) count++
  return count / type.length
}
