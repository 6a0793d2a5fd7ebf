import { type CorpusRecord, DirectEvidenceError, parallel, type RecordSource, Retriever } from 'direct-evidence'

type Fields = Readonly<Record<string, unknown>>

/** A piece of documentation. */
export function page(id: string, fields: Fields = {}): CorpusRecord {
  return { id, collection: 'docs_chunks', ...fields }
}

/** A reference entry about one API name. */
export function entry(title: string, fields: Fields = {}): CorpusRecord {
  return page(title, { title, api_symbols: [title], ...fields })
}

/** A rename whose gate is the old name. */
export function mapping(id: string, fields: Fields = {}): CorpusRecord {
  return { id, collection: 'api_mapping', source_api: id, required_when_seen_in_code: [id], ...fields }
}

/** A label for a kind of code. */
export function prototype(id: string, fields: Fields = {}): CorpusRecord {
  return { id, collection: 'label_prototypes', label: id, ...fields }
}

/** A retriever of the default strategy. */
export function retrieverOf(records: RecordSource): Promise<Retriever> {
  return Retriever.create({ records, strategy: parallel() })
}

/** What a promise was refused with; fails when it was not, or not by an error of the library. */
export async function refusal(promise: Promise<unknown>): Promise<DirectEvidenceError> {
  const error = await promise.then(
    () => new Error('nothing was refused'),
    (cause: unknown) => cause,
  )
  if (DirectEvidenceError.isInstance(error)) return error
  throw error
}

/** A reproducible order that is not the given one. */
export function shuffled<T>(values: readonly T[], seed = 1): T[] {
  const mixed = [...values]
  let state = seed
  for (let last = mixed.length - 1; last > 0; last--) {
    // Park and Miller's generator: the same on every machine.
    state = (state * 48_271) % 2_147_483_647
    const other = state % (last + 1)
    const held = mixed[last] as T
    mixed[last] = mixed[other] as T
    mixed[other] = held
  }
  return mixed
}
