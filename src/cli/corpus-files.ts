import { builtInCollections } from '../corpus/built-in.ts'
import { readRecords } from '../corpus/jsonl.ts'
import type { LocatedRecord, LocatedSource } from '../corpus/locate.ts'
import { keyOf } from '../corpus/records.ts'
import { DirectEvidenceError } from '../errors.ts'

export interface CorpusOptions {
  readonly signal?: AbortSignal | undefined
  /** Told of every line that gives no record, in order of the lines; when missing, the first one is thrown. */
  readonly onRefused?: ((error: DirectEvidenceError) => void) | undefined
}

/** The records of some files, without those that are refused. */
export function openCorpus(files: readonly string[], { signal, onRefused }: CorpusOptions): LocatedSource {
  const reader = readRecords(files, { signal, onError: onRefused === undefined ? 'stop' : 'collect' })
  if (onRefused === undefined) return reader
  const located = async function* (): AsyncGenerator<LocatedRecord> {
    const check = recordChecker()
    let told = 0
    const tell = (): void => {
      for (; told < reader.errors.length; told++) onRefused(reader.errors[told]!)
    }
    for await (const record of reader.located()) {
      tell()
      const fault = check(record)
      if (fault === undefined) yield record
      else onRefused(fault)
    }
    tell()
  }
  const iterate = async function* (): AsyncGenerator<LocatedRecord['record']> {
    for await (const { record } of located()) yield record
  }
  return { located, [Symbol.asyncIterator]: iterate }
}

/**
 * What the retriever would throw for a record, found beforehand: the reader collects only lines that hold no record at
 * all, and a retriever that has thrown does not go on.
 */
function recordChecker(): (located: LocatedRecord) => DirectEvidenceError | undefined {
  const collections = new Map(builtInCollections.map((collection) => [collection.name, collection]))
  const places = new Map<string, string>()
  return ({ record, ...place }) => {
    const { collection: name, id } = record
    const details = { collection: name, id, ...(place as { file: string; line: number }) }
    const collection = collections.get(name)
    if (collection === undefined) {
      const message = `There is no collection "${name}". Known: ${[...collections.keys()].join(', ')}.`
      return new DirectEvidenceError('COLLECTION_UNKNOWN', message, details)
    }
    try {
      collection.parse(record, place)
    } catch (error) {
      if (DirectEvidenceError.isInstance(error)) return error
      throw error
    }
    const key = keyOf(record)
    const before = places.get(key)
    if (before !== undefined) {
      const message = `Record "${id}" of collection "${name}": ${before} has the same id.`
      return new DirectEvidenceError('RECORD_DUPLICATE', message, details)
    }
    places.set(key, `${place.file}:${place.line}`)
    return undefined
  }
}
