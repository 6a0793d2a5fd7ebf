/**
 * Where a text stands in a chunk, by regular expressions alone and without a line of the library: what the naive checks and
 * the records' own gate go by in `traps.ts`.
 */
import type { CorpusRecord } from '../src/corpus/records.ts'
import type { SetName } from './data.ts'

/** One text three ways; what is left out became blanks, so that nothing moves. */
export interface Written {
  readonly text: string
  readonly withoutComments: string
  /** Without comments, strings and node paths. */
  readonly code: string
  readonly comments: string
  readonly strings: string
  readonly nodePaths: string
}

const stringPattern = String.raw`[rbfuRBFU]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)`
const comment = '#[^\\n]*'
/** `$Body/Sprite`, `%Label` and a path in quotes name nodes of a scene; the modulo operator has a blank or a bracket behind it. */
const nodePath = String.raw`[$%](?:"[^"\n]*"|[A-Za-z_][\w/]*)`
const pieces: Readonly<Record<SetName, RegExp>> = {
  godot: new RegExp(`(?<nodePath>${nodePath})|(?<comment>${comment})|(?<string>${stringPattern})`, 'g'),
  tensorflow: new RegExp(`(?<comment>${comment})|(?<string>\\b${stringPattern}|${stringPattern})`, 'g'),
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

export function readWritten(name: SetName, text: string): Written {
  const kept = { comment: '', string: '', nodePath: '' }
  const without = (kinds: readonly string[]): string =>
    text.replace(pieces[name], (piece, ...rest) => {
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
      return kinds.some((kind) => groups[kind] !== undefined) ? blank(piece) : piece
    })
  for (const { groups = {} } of text.matchAll(pieces[name])) {
    for (const kind of ['comment', 'string', 'nodePath'] as const) kept[kind] += `${groups[kind] ?? ''}\n`
  }
  return {
    text,
    withoutComments: without(['comment']),
    code: without(['comment', 'string', 'nodePath']),
    comments: kept.comment,
    strings: kept.string,
    nodePaths: kept.nodePath,
  }
}

/** Compiled once: every record is tried on every chunk. */
const compiled = new Map<string, RegExp>()
function matches(source: string, text: string): boolean {
  let expression = compiled.get(source)
  if (expression === undefined) compiled.set(source, (expression = new RegExp(source, 'm')))
  return expression.test(text)
}

/**
 * Whether a name stands there whole: `AnimatedSprite` does not in `AnimatedSprite2D`, `export` does not in `@export`, and a
 * dotted name does not behind a dot (`x.tf.log`); a bare one does, for it may be a member.
 */
export function standsWhole(name: string, text: string): boolean {
  if (!text.includes(name)) return false
  const before = /^["']/.test(name) ? '' : name.includes('.') ? '(?<![@\\w.])' : '(?<![@\\w])'
  const after = /\w$/.test(name) ? '(?!\\w)' : ''
  return matches(before + name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&') + after, text)
}

/**
 * The names a record speaks of: `tf.argmax(dimension=)` is the function and the argument; of any other source with
 * brackets, as `yield(object, "signal")`, only what stands before them can be looked for.
 */
export function namesOf(record: CorpusRecord): readonly string[] {
  const source = String(record.source_api)
  const argument = /^([^()]+)\((\w+)=\)$/.exec(source)
  return argument === null ? [source.replace(/(?<=.)\(.*$/, '')] : argument.slice(1)
}

export function lastNameOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/**
 * The gate as the data describes it: every required text whole in code, and the pattern. A required text in quotes is the
 * name of a signal and looked for in strings; patterns of Godot may quote one too, those of TensorFlow do not.
 */
export function gateOpens(name: SetName, record: CorpusRecord, { code, withoutComments }: Written): boolean {
  const required = (record.required_when_seen_in_code ?? []) as readonly string[]
  const pattern = record.source_pattern as string | undefined
  if (required.length === 0 && pattern === undefined) return false
  const whole = required.every((text) => standsWhole(text, /^["']/.test(text) ? withoutComments : code))
  return whole && (pattern === undefined || matches(pattern, name === 'godot' ? withoutComments : code))
}
