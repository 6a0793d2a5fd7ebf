import type { ChunkReading, NameUse } from '../code/chunk.ts'
import type { IndexedRecord } from '../contracts.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import { sameButForNumber } from '../corpus/receivers.ts'
import { indexOfSorted } from '../corpus/sorted.ts'

/**
 * Whether a name that a record requires is used on the type it says the name belongs to.
 *
 * `agrees`: on that type. `differs`: on another one, for the corpus says that it has the name itself, or describes it
 * without a word of the owner. `apart`: on a declared type that is not the owner, and the corpus does not know it.
 * `unknown`: what it is used on is not shown.
 */
export type Ownership = 'agrees' | 'differs' | 'apart' | 'unknown'

/** What the uses of a record's name say of its owner, the best of them. */
export interface OwnershipReport {
  readonly ownership: Ownership
  /** The type that the name is used on, as far as it is shown. */
  readonly type: string
  /** The owners as the record gives them. */
  readonly owners: readonly string[]
}

const order: readonly Ownership[] = ['agrees', 'unknown', 'apart', 'differs']

/** Nothing to say (undefined) of a record that names no owner, or whose gate is not the bare name of its subject. */
export function ownershipOf(
  chunk: ChunkReading,
  entry: IndexedRecord,
  knowledge: CorpusKnowledge,
): OwnershipReport | undefined {
  const { gates, owners: stated, subject } = entry.reading
  const name = subject?.path.at(-1)
  if (subject === undefined || name === undefined || !gates.some(({ text }) => text === name)) return undefined
  const owners = stated.length > 0 ? stated : subject.path.slice(-2, -1)
  const uses = chunk.names.get(name)?.uses ?? []
  if (owners.length === 0 || uses.length === 0) return undefined
  const lastNames = owners.map((owner) => owner.slice(owner.lastIndexOf('.') + 1))
  let best: OwnershipReport | undefined
  for (const use of uses) {
    const type = typeOf(use)
    const ownership = relate(use, type, name, lastNames, chunk, knowledge)
    if (best === undefined || order.indexOf(ownership) < order.indexOf(best.ownership)) {
      best = { ownership, type, owners }
    }
  }
  return best
}

/** The type that a use hangs on; for an imported name, what it is imported from. */
function typeOf({ receiver, use, resolved }: NameUse): string {
  if (receiver.knowledge === 'bare') return use.path.length < resolved.length ? (resolved.at(-2) ?? '') : ''
  return receiver.type.at(-1) ?? ''
}

function relate(
  { receiver }: NameUse,
  type: string,
  name: string,
  owners: readonly string[],
  chunk: ChunkReading,
  knowledge: CorpusKnowledge,
): Ownership {
  if (receiver.knowledge === 'bare' || receiver.knowledge === 'self') {
    const inherits = chunk.declarations.bases.some((base) => owners.includes(base.at(-1) ?? ''))
    if (inherits) return 'agrees'
    if (type === '' || receiver.knowledge === 'self') return 'unknown'
    return owners.includes(type) ? 'agrees' : 'differs'
  }
  if (type === '') return 'unknown'
  if (owners.includes(type)) return 'agrees'
  if (receiver.knowledge !== 'certain') {
    // A node called `AnimatedSprite` is most likely an `AnimatedSprite2D`; one called `Player` may be anything.
    return owners.some((owner) => sameButForNumber(type, owner)) ? 'agrees' : 'unknown'
  }
  if (hasName(type, name, knowledge)) return 'differs'
  if (isDescribed(type, knowledge)) return isRelated(type, owners, knowledge) ? 'unknown' : 'differs'
  return chunk.declarations.names.has(receiver.hint) && /^\p{Lu}/u.test(type) ? 'apart' : 'unknown'
}

/** Whether some record of the corpus is about this name of this type. */
export function hasName(type: string, name: string, { collections, symbols }: CorpusKnowledge): boolean {
  for (const collection of collections.keys()) if (symbols.of(collection).owns(type, name)) return true
  return false
}

/** Other types than these that the corpus knows to have the name. */
export function otherOwners(
  name: string,
  owners: readonly string[],
  { collections, symbols }: CorpusKnowledge,
): readonly string[] {
  const others = new Set<string>()
  for (const collection of collections.keys()) {
    for (const owner of symbols.of(collection).owners(name)) {
      if (!owners.some((own) => own === owner || own.endsWith(`.${owner}`))) others.add(owner)
    }
  }
  return [...others].sort()
}

function isDescribed(type: string, { collections, symbols }: CorpusKnowledge): boolean {
  for (const collection of collections.keys()) if (symbols.of(collection).count(type) > 0) return true
  return false
}

/** Whether a record about the type speaks of an owner: it may inherit from it. */
function isRelated(type: string, owners: readonly string[], knowledge: CorpusKnowledge): boolean {
  const { collections, symbols, vocabularies } = knowledge
  const ids = owners.flatMap((owner) => vocabularies.literals.find(owner) ?? [])
  for (const collection of collections.keys()) {
    for (const { reading } of symbols.of(collection).named(type)) {
      if (ids.some((id) => indexOfSorted(reading.literals.ids, id) >= 0)) return true
    }
  }
  return false
}
