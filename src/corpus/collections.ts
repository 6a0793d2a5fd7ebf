import { z } from 'zod'
import { DirectEvidenceError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import { type LocatedRecord, placeText } from './locate.ts'
import type { CorpusRecord } from './records.ts'

/** How a field's text is read: natural language, source code, or API names such as `Input.is_action_pressed`. */
export type FieldReading = 'prose' | 'code' | 'symbol'

/**
 * What a field proves. `subject`: it names what the record is about. `mention`: literals in it are evidence. `gate`:
 * every entry must be in the chunk's code. `pattern`: a regular expression that must match the chunk's code. `none`:
 * nothing; it is only searched.
 */
export type EvidenceRole = 'subject' | 'mention' | 'gate' | 'pattern' | 'none'

/** One field of a collection: a string or an array of strings in each record that has it. */
export interface FieldDefinition {
  readonly reads: FieldReading
  /** Weight in BM25, 0 or more; 0 keeps it out of the search. Default 1. */
  readonly weight?: number
  /** Default `mention`. */
  readonly evidence?: EvidenceRole
}

/** What {@link defineCollection} takes. */
export interface CollectionDefinition {
  readonly name: string
  /** Checks a record; `id` and the types of the fields above are checked in any case. Keep unknown fields: use `z.looseObject`. */
  readonly schema?: z.ZodType
  /** The fields that are read, by name. All others are kept and ignored. */
  readonly fields: Readonly<Record<string, FieldDefinition>>
  /**
   * A record with `true` in a field whose name begins so (`old_name_legal` in `api_mapping`) says that its old name is
   * still legal, so that the name alone proves nothing.
   */
  readonly weakNames?: string
}

/** A kind of record and how it is read. */
export interface Collection {
  readonly name: string
  readonly fields: readonly (Required<FieldDefinition> & { readonly name: string })[]
  readonly weakNames: string | undefined
  /** The record, checked. Throws `RECORD_INVALID` with its place and the field at fault. */
  parse(record: CorpusRecord, place?: Omit<LocatedRecord, 'record'>): CorpusRecord
}

const definitionSchema = z.strictObject({
  name: z.string().regex(/^[^\u0000-\u001f\u007f]+$/, 'expected a name without control characters'),
  schema: z.custom<z.ZodType>((value) => typeof (value as z.ZodType | undefined)?.safeParse === 'function', 'expected a zod schema').optional(),
  fields: z
    .record(
      z.string().min(1),
      z.strictObject({
        reads: z.enum(['prose', 'code', 'symbol']),
        weight: z.number().min(0).default(1),
        evidence: z.enum(['subject', 'mention', 'gate', 'pattern', 'none']).default('mention'),
      }),
    )
    .refine((fields) => Object.keys(fields).length > 0, 'expected at least one field'),
  weakNames: z.string().min(1).optional(),
})

/** A text, several, or none. */
const fieldSchema = z.union([z.string(), z.array(z.string())], 'expected a string or an array of strings').nullish()

/**
 * Declares a collection of your own.
 *
 * @throws `COLLECTION_INVALID` with the option at fault.
 * @example
 * ```ts
 * const rules = defineCollection({
 *   name: 'review_rules',
 *   fields: {
 *     rule: { reads: 'prose', weight: 2, evidence: 'none' },
 *     bad_code: { reads: 'code' },
 *     required_tokens: { reads: 'symbol', evidence: 'gate' },
 *   },
 * })
 * ```
 */
export function defineCollection(definition: CollectionDefinition): Collection {
  const { name, schema, fields, weakNames } = checked(definition)
  const known = Object.entries(fields).map(([field, how]) => ({ name: field, ...how }))
  return {
    name,
    fields: known,
    weakNames,
    parse(record, place) {
      if (schema !== undefined) {
        const result = schema.safeParse(record)
        const issue = result.success ? undefined : result.error.issues[0]
        if (issue !== undefined) throw invalid(record, place, issue.path.map(String).join('.'), issue.message)
      }
      for (const field of known) {
        if (!Object.hasOwn(record, field.name)) continue
        const result = fieldSchema.safeParse(record[field.name])
        if (!result.success) throw invalid(record, place, field.name, result.error.issues[0]?.message ?? 'not text')
      }
      return record
    },
  }
}

function checked(definition: CollectionDefinition): z.output<typeof definitionSchema> {
  try {
    return parseOptions('defineCollection', definitionSchema, definition)
  } catch (error) {
    if (!DirectEvidenceError.isInstance(error)) throw error
    throw new DirectEvidenceError('COLLECTION_INVALID', error.message, error.details)
  }
}

function invalid(
  record: CorpusRecord,
  place: Omit<LocatedRecord, 'record'> | undefined,
  field: string,
  message: string,
): DirectEvidenceError {
  const where = place === undefined ? '' : placeText(place)
  return new DirectEvidenceError(
    'RECORD_INVALID',
    `Record "${record.id}" of collection "${record.collection}"${where}: field "${field}": ${message}.`,
    { collection: record.collection, id: record.id, option: field, ...place },
  )
}
