import type { ChunkReading, NameUse } from '../code/chunk.ts'
import type { Subject } from './reading.ts'
import { type Agreement, agreementOf } from './receivers.ts'
import type { CollectionSymbols } from './symbol-table.ts'

/** Which types the names used on one receiver have in common: `x.play()` and `x.flip_h` point at the same few. */
export class OwnerVotes {
  readonly #chunk: ChunkReading
  readonly #symbols: CollectionSymbols
  readonly #leaders = new Map<string, ReadonlySet<string>>()

  constructor(chunk: ChunkReading, symbols: CollectionSymbols) {
    this.#chunk = chunk
    this.#symbols = symbols
    const groups = new Map<string, Set<string>>()
    for (const { name, own, uses } of chunk.names.values()) {
      if (own || symbols.count(name) === 0) continue
      for (const use of uses) {
        const group = groupOf(use)
        if (group === undefined) continue
        const members = groups.get(group) ?? new Set()
        groups.set(group, members.add(name))
      }
    }
    for (const [group, members] of groups) {
      if (members.size < 2) continue
      const votes = new Map<string, number>()
      for (const member of members) {
        for (const owner of symbols.owners(member)) votes.set(owner, (votes.get(owner) ?? 0) + 1)
      }
      let most = 0
      for (const count of votes.values()) most = Math.max(most, count)
      if (most < 2) continue
      this.#leaders.set(group, new Set([...votes].filter(([, count]) => count === most).map(([owner]) => owner)))
    }
  }

  /** How a use agrees with a subject of its name, where nothing else is known by what else the receiver is used for. */
  agreementOf(use: NameUse, subject: Subject): Agreement {
    const agreement = agreementOf(use, subject, this.#chunk, this.#symbols)
    return agreement === 'open' && this.#elect(use, subject.path.at(-2) ?? '') ? 'hinted' : agreement
  }

  /** Whether the owner has most of the names used on this receiver, and at least two. */
  #elect(use: NameUse, owner: string): boolean {
    const group = groupOf(use)
    return group !== undefined && (this.#leaders.get(group)?.has(owner) ?? false)
  }
}

function groupOf({ receiver }: NameUse): string | undefined {
  if (receiver.knowledge === 'open' || receiver.knowledge === 'likely')
    return receiver.hint === '' ? undefined : receiver.hint
  return receiver.knowledge === 'bare' || receiver.knowledge === 'self' ? '' : undefined
}
