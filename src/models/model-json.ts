import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { type JsonCandidate, jsonCandidates } from './json-candidates.ts'

/** What a model's reply says in JSON, or why nobody can tell. */
export type ModelJson<Value> =
  | {
      readonly outcome: 'read'
      readonly value: Value
      /** Whether the JSON had to be repaired; a string in it may then be shorter than it was meant. */
      readonly repaired: boolean
    }
  | {
      readonly outcome: 'unusable'
      /** One line a person can read. */
      readonly reason: string
    }

/** Characters of a reason: a schema can have much to say, and quotes keys of the reply. */
const reasonCharacters = 300

/**
 * Finds the JSON in a reply of a model: after its thoughts, in a fence or in prose, alone or beside other objects, of
 * which the one that fits the schema is taken. Nothing is guessed: a thought that never ends, a key that stands twice in
 * one object, an object cut off, or two answers that differ make the reply unusable. What the schema coerces is coerced,
 * nothing else.
 *
 * Takes time linear in the length of the reply, and never throws but what the schema throws.
 *
 * @param schema What the answer has to be; it must not be asynchronous.
 * @example
 * ```ts
 * readModelJson('Sure: {"verdict":"no"}', z.strictObject({ verdict: z.enum(['yes', 'no']) }))
 * // { outcome: 'read', value: { verdict: 'no' }, repaired: false }
 * ```
 */
export function readModelJson<Schema extends z.ZodType>(reply: string, schema: Schema): ModelJson<z.output<Schema>> {
  const scan = jsonCandidates(reply)
  if (scan.kind === 'unclear') return unusable(scan.reason)
  const { candidates } = scan
  const doubled = candidates.find(({ doubledKey }) => doubledKey !== undefined)
  if (doubled !== undefined) return unusable(`the key ${JSON.stringify(doubled.doubledKey)} stands twice in one object`)
  return choose(candidates, schema)
}

function choose<Schema extends z.ZodType>(
  candidates: readonly JsonCandidate[],
  schema: Schema,
): ModelJson<z.output<Schema>> {
  const fitting: { readonly value: z.output<Schema>; readonly repaired: boolean }[] = []
  let misfit = 'there is no whole JSON in it'
  for (const { value, repaired } of candidates) {
    const parsed = schema.safeParse(value)
    if (parsed.success) fitting.push({ value: parsed.data, repaired })
    else misfit = `the JSON does not fit: ${describe(parsed.error)}`
  }
  const [first, ...others] = fitting
  if (first === undefined) return unusable(misfit)
  if (others.some(({ value }) => !isDeepStrictEqual(value, first.value))) return unusable('the reply has two answers')
  return { outcome: 'read', value: first.value, repaired: fitting.every(({ repaired }) => repaired) }
}

function describe({ issues }: z.ZodError): string {
  const { path, message } = issues[0]!
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`
}

function unusable(reason: string): ModelJson<never> {
  return { outcome: 'unusable', reason: reason.slice(0, reasonCharacters) }
}
