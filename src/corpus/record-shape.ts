import { DirectEvidenceError, type ErrorDetails } from '../errors.ts'
import { type LocatedRecord, placeDetails, placeText } from './locate.ts'

/** Where a record was read; both parts are unknown for a record that the host made in memory. */
export type RecordPlace = Omit<LocatedRecord, 'record'>

/** A `RECORD_INVALID` that says whose record, where and why. */
export function recordInvalid(reason: string, place: RecordPlace, details: ErrorDetails = {}): DirectEvidenceError {
  const { id, collection } = details
  const whose = id === undefined ? 'The record' : `Record "${id}"`
  const kind = id === undefined || collection === undefined ? '' : ` of collection "${collection}"`
  const message = `${whose}${kind}${placeText(place)}: ${reason}.`
  return new DirectEvidenceError('RECORD_INVALID', message, { ...details, ...placeDetails(place) })
}

/** A `RECORD_DUPLICATE` that names both places, as far as they are known; without `first`, the corpus has the record. */
export function recordDuplicate(second: LocatedRecord, first: RecordPlace | undefined): DirectEvidenceError {
  const { collection, id } = second.record
  const other = first === undefined ? 'a record that is already in the corpus' : `another record${placeText(first)}`
  return new DirectEvidenceError(
    'RECORD_DUPLICATE',
    `Record "${id}" of collection "${collection}"${placeText(second)} has the id of ${other}. Give each record of a collection its own id.`,
    { collection, id, ...placeDetails(second) },
  )
}

/** A `COLLECTION_UNKNOWN` that lists the names there are; `place` where a record names the collection. */
export function collectionUnknown(name: string, known: Iterable<string>, place: RecordPlace = {}): DirectEvidenceError {
  return new DirectEvidenceError(
    'COLLECTION_UNKNOWN',
    `There is no collection "${name}"${placeText(place)}. Known: ${[...known].join(', ')}; define others with defineCollection().`,
    { collection: name, ...placeDetails(place) },
  )
}

/** Whether a value is what a JSON line must hold. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of a record, never one that it inherits: `constructor` is a field like any other. */
export function ownField(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** Why a value cannot be a record whatever its collection, or undefined when it can. */
export function shapeFault(value: unknown): string | undefined {
  if (!isObject(value)) return `it is ${nameKind(value)}; a record is one JSON object with a string \`id\``
  const id = ownField(value, 'id')
  if (id === undefined || id === null)
    return 'it has no `id`; give it a string that no other record of its collection has'
  if (typeof id === 'number') return `the \`id\` is the number ${id}; write it as the string "${id}"`
  if (typeof id !== 'string') return `the \`id\` is ${nameKind(id)}; it must be a string`
  if (id === '') return 'the `id` is empty; give it a string that no other record of its collection has'
  const collection = ownField(value, 'collection')
  if (collection === undefined || collection === null) return undefined
  if (typeof collection !== 'string') return `the \`collection\` is ${nameKind(collection)}; it must be a string`
  return collection === '' ? 'the `collection` is empty; name one' : undefined
}

function nameKind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
