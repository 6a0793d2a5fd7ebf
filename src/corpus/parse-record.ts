import { z } from 'zod'
import { DirectEvidenceError } from '../errors.ts'
import type { Collection } from './collections.ts'
import { isObject, ownField, type RecordPlace, recordInvalid, shapeFault } from './record-shape.ts'
import type { CorpusRecord } from './records.ts'

/** What `Collection.parse` does. */
export function parseRecord(collection: Collection, value: unknown, place: RecordPlace): CorpusRecord {
  const fault = shapeFault(value)
  if (fault !== undefined) throw recordInvalid(fault, place, { collection: collection.name })
  const own = ownFields(value as CorpusRecord)
  const named = own.collection ?? collection.name
  if (named !== collection.name) {
    const reason = `it belongs to collection "${String(named)}"; give it to that one`
    throw recordInvalid(reason, place, detailsOf(collection, own))
  }
  own.collection = collection.name
  checkWeakNames(collection, own, place)
  const data = applySchema(collection, own, place)
  return inOrderOf(own, { ...data, id: own.id as string, collection: collection.name })
}

/** Without a prototype, so that a schema sees no field that the host program gave to all objects. */
function ownFields(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = Object.create(null) as Record<string, unknown>
  for (const field of Object.keys(value)) if (field !== '__proto__') own[field] = value[field]
  return own
}

/** A flag that is not a boolean would be read as unset, and the old name would count as proof. */
function checkWeakNames(collection: Collection, own: Readonly<Record<string, unknown>>, place: RecordPlace): void {
  if (collection.weakNames === undefined) return
  for (const field of Object.keys(own)) {
    const value = own[field]
    if (!field.startsWith(collection.weakNames) || typeof value === 'boolean' || (value ?? undefined) === undefined)
      continue
    throw recordInvalid(`field "${field}": must be true or false`, place, detailsOf(collection, own))
  }
}

function applySchema(collection: Collection, own: Readonly<Record<string, unknown>>, place: RecordPlace): object {
  const parsed = safeParse(collection, own)
  if (parsed.success) {
    if (isObject(parsed.data)) return parsed.data
    throw schemaInvalid(collection, `gives no object for the record "${own.id}"; transform single fields only`)
  }
  const issue = parsed.error.issues[0]!
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const field = fieldPath(unknown === undefined ? issue.path : [...issue.path, unknown])
  throw recordInvalid(`${field === '' ? '' : `field "${field}": `}${issue.message}`, place, detailsOf(collection, own))
}

/** As evidence cites it: `code_blocks[0]`. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('')
}

function safeParse(collection: Collection, own: unknown): z.ZodSafeParseResult<unknown> {
  try {
    return collection.schema.safeParse(own)
  } catch (cause) {
    if (!(cause instanceof z.core.$ZodAsyncError)) throw cause
    throw schemaInvalid(collection, 'is asynchronous; records are checked synchronously', cause)
  }
}

function schemaInvalid({ name }: Collection, reason: string, cause?: unknown): DirectEvidenceError {
  const message = `The schema of collection "${name}" ${reason}.`
  return new DirectEvidenceError('COLLECTION_INVALID', message, { cause, collection: name, option: 'schema' })
}

function detailsOf({ name }: Collection, own: Readonly<Record<string, unknown>>): { id: string; collection: string } {
  return { id: own.id as string, collection: name }
}

/** A schema gives its own fields first; a record that is written out again should look as it was read. */
function inOrderOf(own: Readonly<Record<string, unknown>>, data: CorpusRecord): CorpusRecord {
  const order = new Set([...Object.keys(own), ...Object.keys(data)])
  const fields = [...order].filter((field) => Object.hasOwn(data, field)).map((field) => [field, ownField(data, field)])
  return Object.fromEntries(fields) as CorpusRecord
}
