import type { z } from 'zod'
import { DirectEvidenceError } from './errors.ts'

/**
 * Checks an options object against its schema.
 *
 * @param owner The function whose options these are, for the message.
 * @throws `OPTION_INVALID` with the path of the first option at fault: unknown, of the wrong type or out of range.
 */
export function parseOptions<Schema extends z.ZodType>(
  owner: string,
  schema: Schema,
  options: unknown,
): z.output<Schema> {
  // Own properties only: a host that extends Object.prototype must not turn every options object into an unknown one.
  const own = isPlain(options) ? Object.assign(Object.create(null), options) : options
  const parsed = schema.safeParse(own)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const path = unknown === undefined ? issue.path : [...issue.path, unknown]
  const option = path.map(String).join('.') || 'options'
  const message = unknown === undefined ? issue.message : 'no such option; check its spelling'
  throw new DirectEvidenceError('OPTION_INVALID', `${owner}: option \`${option}\`: ${message}`, { option })
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
