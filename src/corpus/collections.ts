import { z } from 'zod'
import { DirectEvidenceError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import { parseRecord } from './parse-record.ts'
import { isObject, type RecordPlace } from './record-shape.ts'
import type { CorpusRecord } from './records.ts'

/** How the text of a field is read: as natural language, as source code, or as a name such as `Input.is_action_pressed`. */
export type FieldReading = 'prose' | 'code' | 'symbol'

/**
 * What a field proves.
 *
 * - `subject`: it names what the record is about; at most one field of a collection.
 * - `alias`: other names of the subject; one of them does where the subject's own name is not used.
 * - `owner`: the types that the subject belongs to, comma-separated; not searched.
 * - `mention`: literals in it are evidence.
 * - `gate`: every entry must be in the chunk's code.
 * - `pattern`: every entry is a source pattern that must match the chunk's code: a regular expression, an ast-grep
 *   pattern with a meta-variable (`$A.instance()`), or a rule object of ast-grep.
 * - `none`: it bears no evidence; it can still be searched.
 */
export type EvidenceRole = 'subject' | 'alias' | 'owner' | 'mention' | 'gate' | 'pattern' | 'none'

/** How one field of a collection is read. Its value is a string or an array of strings; in a pattern field also rule objects. */
export interface FieldDefinition {
  readonly reads: FieldReading
  /** Boost in BM25, at least 0; 0 is not searched. Default 1; 0 for a pattern, which is matched and never searched. */
  readonly weight?: number | undefined
  /** Default `mention`. */
  readonly evidence?: EvidenceRole | undefined
}

/** What {@link defineCollection} takes. */
export interface CollectionDefinition {
  /** What records have in `collection`; without control characters. */
  readonly name: string
  /**
   * Checks each record when it is added; synchronous. Default: every field is a string, an array of strings or absent,
   * and other fields are kept. Use `z.looseObject`, since `z.object` drops fields that it does not list.
   */
  readonly schema?: z.ZodType | undefined
  /** At least one, by name. Fields of a record that are not named here are kept and never read. */
  readonly fields: Readonly<Record<string, FieldDefinition>>
  /**
   * Start of a field name, taken literally. A record with `true` in a field whose name starts so says that its old name
   * is still legal, and therefore proves nothing alone. Such fields must be booleans. Default: there are none.
   */
  readonly weakNames?: string | undefined
  /**
   * Field that names the document a record is a part of, such as the page of a section. Parts that were found together
   * lift each other in the ranking; a record about one API name stands alone. Default: records are no parts.
   */
  readonly partOf?: string | undefined
}

/** A field with its defaults filled in. */
export interface CollectionField {
  readonly name: string
  readonly reads: FieldReading
  readonly weight: number
  readonly evidence: EvidenceRole
}

/** A kind of record and how it is read, with all defaults filled in; made by {@link defineCollection}. */
export interface Collection {
  readonly name: string
  readonly schema: z.ZodType
  /** In the order of the definition. */
  readonly fields: readonly CollectionField[]
  readonly weakNames: string | undefined
  readonly partOf: string | undefined
  /**
   * Checks a record against the schema. Its fields keep their order; a missing `collection` is filled in; an own
   * `__proto__` is dropped. The value itself is not changed.
   *
   * @param place Where it was read, for the message.
   * @throws `RECORD_INVALID` with the field at fault.
   */
  parse(value: unknown, place?: RecordPlace): CorpusRecord
}

const marker: unique symbol = Symbol.for('direct-evidence.collection') as never

const definitionSchema = z.strictObject({
  name: z
    .string('must be a string')
    .min(1, 'must not be empty; give what the records have in `collection`')
    // Keys join name and id with NUL; line ends and halves of surrogate pairs would not survive being written down.
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must not hold control characters, line ends or half characters'),
  schema: z.custom<z.ZodType>((value) => value instanceof z.ZodType, 'must be a zod schema (zod 4)').optional(),
  fields: z.custom<Readonly<Record<string, unknown>>>(isObject, 'must be an object of field names and definitions'),
  weakNames: z.string('must be a string').min(1, 'must not be empty, or every field would be meant').optional(),
  partOf: z.string('must be a string').min(1, 'must not be empty').optional(),
})

const roles = ['subject', 'alias', 'owner', 'mention', 'gate', 'pattern', 'none'] as const

const onePattern = z.union([z.string(), z.custom<object>(isObject)])

/** What a pattern field may hold. Whether a pattern is a good one is found out later, and never refuses its record. */
export const patternSchema: z.ZodType = z
  .union([onePattern, z.array(onePattern)], 'must be a pattern, a rule object, or an array of these')
  .nullish()

const fieldSchema = z.strictObject({
  reads: z.enum(['prose', 'code', 'symbol'], 'must be `prose`, `code` or `symbol`'),
  weight: z.number('must be a finite number, at least 0').min(0, 'must be at least 0; 0 is not searched').optional(),
  evidence: z.enum(roles, `must be one of ${roles.map((role) => `\`${role}\``).join(', ')}`).default('mention'),
})

/**
 * Defines a kind of record: its name, what its fields must be, how they are read and what they prove.
 *
 * @throws `COLLECTION_INVALID` with the option at fault: unknown, out of range, or at odds with another.
 * @example
 * ```ts
 * import { defineCollection } from 'direct-evidence'
 *
 * const recipes = defineCollection({
 *   name: 'recipes',
 *   fields: {
 *     api: { reads: 'symbol', evidence: 'subject', weight: 2 },
 *     text: { reads: 'prose' },
 *     example: { reads: 'code' },
 *   },
 * })
 * console.log(recipes.fields[1]) // { name: 'text', reads: 'prose', weight: 1, evidence: 'mention' }
 * ```
 */
export function defineCollection(definition: CollectionDefinition): Collection {
  const parsed = check('', definitionSchema, definition)
  const fields = Object.entries(parsed.fields).map(([field, value]) => checkField(field, value))
  refuseContradictions(fields)
  const schema = parsed.schema ?? defaultSchema(fields)
  refuseLossySchema(schema, fields)
  const collection: Collection = {
    name: parsed.name,
    schema,
    fields: Object.freeze(fields),
    weakNames: parsed.weakNames,
    partOf: parsed.partOf,
    parse: (value, place = {}) => parseRecord(collection, value, place),
  }
  return Object.freeze(Object.defineProperty(collection, marker, { value: true }))
}

/** Whether a value was made by {@link defineCollection}, of this or of another loaded copy of the package. */
export function isCollection(value: unknown): value is Collection {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, marker)
}

/** Checks options as everywhere in the library, and names a fault as one of the definition. */
function check<Schema extends z.ZodType>(path: string, schema: Schema, value: unknown): z.output<Schema> {
  try {
    return parseOptions(path === '' ? 'defineCollection' : `defineCollection: \`${path}\``, schema, value)
  } catch (cause) {
    if (!DirectEvidenceError.isInstance(cause)) throw cause
    const option = [path, cause.details.option ?? ''].filter((part) => part !== '' && part !== 'options').join('.')
    throw new DirectEvidenceError('COLLECTION_INVALID', cause.message, { option })
  }
}

function refuse(option: string, reason: string): never {
  throw new DirectEvidenceError('COLLECTION_INVALID', `defineCollection: option \`${option}\`: ${reason}`, { option })
}

function checkField(field: string, value: unknown): CollectionField {
  const option = `fields.${field}`
  if (field === '') refuse('fields', 'a field must have a name')
  // Records never keep that key, so the field would always be empty.
  if (field === '__proto__') refuse(option, 'records cannot have this field; name it otherwise')
  // Evidence cites the first entry of `code` as `code[0]`.
  if (/\[\d+\]$/.test(field)) refuse(option, 'a field name must not end like the index of a list; name it otherwise')
  const { reads, weight, evidence } = check(option, fieldSchema, value)
  if (evidence === 'pattern' && weight !== undefined && weight > 0) {
    refuse(`${option}.weight`, 'a pattern is matched and never searched; leave the weight out')
  }
  return Object.freeze({
    name: field,
    reads,
    weight: weight ?? (evidence === 'pattern' || evidence === 'owner' ? 0 : 1),
    evidence,
  })
}

function refuseContradictions(fields: readonly CollectionField[]): void {
  if (fields.length === 0) refuse('fields', 'name at least one field to read')
  const [, second] = fields.filter(({ evidence }) => evidence === 'subject')
  if (second !== undefined) {
    refuse(`fields.${second.name}.evidence`, 'a record is about one thing; make all subjects but one a `mention`')
  }
  const alias = fields.find(({ evidence }) => evidence === 'alias')
  if (alias !== undefined && !fields.some(({ evidence }) => evidence === 'subject')) {
    refuse(`fields.${alias.name}.evidence`, 'there is no subject that it could be another name of')
  }
  const found = fields.some(
    ({ weight, evidence }) => weight > 0 || (evidence !== 'none' && evidence !== 'pattern' && evidence !== 'owner'),
  )
  if (!found) refuse('fields', 'no field is searched or bears evidence; give one a weight above 0')
}

/** A schema that drops or refuses what the fields need would silently leave them empty. */
function refuseLossySchema(schema: z.ZodType, fields: readonly CollectionField[]): void {
  if (!(schema instanceof z.ZodObject)) return
  const { shape, catchall } = schema.def
  if (catchall !== undefined && catchall._zod.def.type !== 'never') return
  const needed = fields.map((field) => field.name)
  if (catchall !== undefined) needed.push('id', 'collection')
  const lost = needed.find((field) => !Object.hasOwn(shape, field))
  if (lost === undefined) return
  const does = catchall === undefined ? 'drops' : 'refuses'
  refuse('schema', `it ${does} the field \`${lost}\`; list the field or use \`z.looseObject\``)
}

function defaultSchema(fields: readonly CollectionField[]): z.ZodType {
  const text = z.union([z.string(), z.array(z.string())], 'must be a string or an array of strings').nullish()
  const shape = fields.map(({ name, evidence }) => [name, evidence === 'pattern' ? patternSchema : text])
  return z.looseObject({ ...Object.fromEntries(shape), id: z.string().min(1) })
}
