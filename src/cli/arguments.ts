import { parseArgs } from 'node:util'
import { usageError } from './usage.ts'

/** The options of `retrieve` as they were written: names without dashes, nothing checked but their shape. */
export interface RawArguments {
  /** Values of each option that takes one, in order. */
  readonly values: ReadonlyMap<OptionName, readonly string[]>
  /** Options that take none, in order of first appearance; of a pair such as `color` and `no-color` the later one. */
  readonly flags: ReadonlySet<OptionName>
}

/** `many`: the words after its value are values too, up to the next option. */
const options = {
  corpus: { type: 'string', many: true },
  chunk: { type: 'string' },
  language: { type: 'string' },
  strategy: { type: 'string' },
  collection: { type: 'string', many: true },
  limit: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'boolean' },
  jsonl: { type: 'boolean' },
  trace: { type: 'string' },
  'no-embedding': { type: 'boolean' },
  grammars: { type: 'boolean' },
  color: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  'on-error': { type: 'string' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export type OptionName = keyof typeof options

/** Of these the later one counts. */
const opposites: ReadonlyMap<OptionName, OptionName> = new Map([
  ['color', 'no-color'],
  ['no-color', 'color'],
])

/**
 * Reads the words after `retrieve`. Node's own strict mode would do, but for its messages, which take several lines,
 * and for options of several values.
 *
 * @throws `OPTION_INVALID` for an unknown option, a missing or superfluous value, or a word that belongs to no option.
 */
export function parseWords(words: readonly string[]): RawArguments {
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true })
  const values = new Map<OptionName, string[]>()
  const flags = new Set<OptionName>()
  let taking: OptionName | undefined
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (taking === undefined) throw usageError(`Unexpected argument \`${token.value}\``)
      values.get(taking)!.push(notEmpty(taking, token.value))
      continue
    }
    taking = undefined
    if (token.kind === 'option-terminator') continue
    const { rawName, value, inlineValue } = token
    const name = knownName(token.name, rawName)
    if (options[name].type === 'boolean') {
      if (value !== undefined) throw usageError(`Option \`${rawName}\` takes no value`, rawName)
      flags.delete(opposites.get(name) ?? name)
      flags.add(name)
      continue
    }
    if (value === undefined) throw usageError(`Option \`${rawName}\` needs a value`, rawName)
    if (inlineValue === false && /^-[^\d]/.test(value)) {
      const hint = `found \`${value}\`; write \`${rawName}=${value}\` if that is the value`
      throw usageError(`Option \`${rawName}\` needs a value, ${hint}`, rawName)
    }
    const list = values.get(name) ?? []
    list.push(notEmpty(name, value))
    values.set(name, list)
    if ('many' in options[name]) taking = name
  }
  return { values, flags }
}

function knownName(name: string, rawName: string): OptionName {
  if (Object.hasOwn(options, name)) return name as OptionName
  throw usageError(`Unknown option \`${rawName}\``, rawName)
}

function notEmpty(name: OptionName, value: string): string {
  if (value === '') throw usageError(`Option \`--${name}\` has an empty value`, `--${name}`)
  return value
}
