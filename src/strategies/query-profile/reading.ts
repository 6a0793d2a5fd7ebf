import { z } from 'zod'
import { readModelJson } from '../../models/model-json.ts'

/** A search profile as a profiler writes it, before anything in it was looked up in the chunk. */
export interface QueryProfile {
  readonly search_intent: string
  readonly important_literals: readonly string[]
  readonly likely_doc_topics: readonly string[]
  /** `A to B`, `A -> B` or `A => B`. */
  readonly migration_signals: readonly string[]
}

/** A profile that can be used, or why it cannot. */
export type ProfileReading =
  | { readonly outcome: 'read'; readonly profile: QueryProfile; readonly repaired: boolean }
  | { readonly outcome: 'unusable'; readonly reason: string }

const text = z.string().nullish()
const texts = z.array(z.string()).nullish()
const signals = z.union([texts, z.string()]).nullish()

const schema = z
  .looseObject({
    search_intent: text,
    important_literals: texts,
    important_terms: texts,
    likely_doc_topics: texts,
    migration_signals: signals,
    migration_intent: signals,
  })
  .refine(
    (profile) => Object.values(profileOf(profile)).some((part) => part.length > 0),
    'it has none of search_intent, important_literals, likely_doc_topics, migration_signals',
  )

/**
 * Reads a profile from an object or from the text of a reply. `important_terms` and `migration_intent`, which models
 * like to write, are read as their neighbours. Nothing is coerced: a list with a number in it is no list of literals.
 */
export function readProfile(given: unknown): ProfileReading {
  if (typeof given === 'string') {
    const read = readModelJson(given, schema)
    return read.outcome === 'unusable' ? read : { ...read, profile: profileOf(read.value) }
  }
  const parsed = schema.safeParse(given)
  if (parsed.success) return { outcome: 'read', profile: profileOf(parsed.data), repaired: false }
  const { path, message } = parsed.error.issues[0]!
  return { outcome: 'unusable', reason: path.length === 0 ? message : `${path.map(String).join('.')}: ${message}` }
}

function profileOf(given: Readonly<Record<string, unknown>>): QueryProfile {
  return {
    search_intent: typeof given.search_intent === 'string' ? given.search_intent : '',
    important_literals: listOf(given.important_literals, given.important_terms),
    likely_doc_topics: listOf(given.likely_doc_topics),
    migration_signals: listOf(given.migration_signals, given.migration_intent),
  }
}

/** The distinct texts of several fields, in order. */
function listOf(...fields: readonly unknown[]): string[] {
  const all = fields.flatMap((field) => (Array.isArray(field) ? (field as unknown[]) : [field]))
  return [...new Set(all.filter((each) => typeof each === 'string' && each.trim() !== ''))] as string[]
}
