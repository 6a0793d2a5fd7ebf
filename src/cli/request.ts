import { builtInCollections } from '../corpus/built-in.ts'
import type { RetrievalResult } from '../retriever.ts'
import { type OptionName, parseWords, type RawArguments } from './arguments.ts'
import { usageError } from './usage.ts'

/** What `retrieve` was asked, checked; every default is filled in. */
export interface Request {
  readonly corpus: readonly string[]
  /** A path, or `-` for stdin. */
  readonly chunk: string
  readonly language: string | undefined
  readonly strategy: (typeof strategies)[number]
  readonly onError: 'stop' | 'collect'
  readonly collections: readonly string[] | undefined
  readonly limit: number | undefined
  readonly embedding: boolean
  /** Whether the chunk is read by its syntax tree, with every grammar that is installed. */
  readonly grammars: boolean
  readonly format: 'text' | 'json' | 'jsonl'
  /** The part of the result that is shown. */
  readonly shown: Part
  readonly trace: string | undefined
  /** Undefined: as the terminal says. */
  readonly color: boolean | undefined
  readonly quiet: boolean
}

/** A part of the ranking, by the name it has in the result. */
export type Part = keyof Pick<RetrievalResult, 'candidates' | 'accepted' | 'uncertain' | 'rejected'>

const parts = ['accepted', 'uncertain', 'rejected'] as const
const modes = ['stop', 'collect'] as const
const strategies = ['parallel', 'rerank'] as const

/**
 * @returns `help` when that was asked for; no value is checked then.
 * @throws `OPTION_INVALID` with the name of the option.
 */
export function parseRequest(words: readonly string[]): Request | 'help' {
  const { values, flags }: RawArguments = parseWords(words)
  if (flags.has('help')) return 'help'
  const last = (name: OptionName): string | undefined => values.get(name)?.at(-1)
  const corpus = values.get('corpus')
  if (corpus === undefined) throw usageError('Name the records to search: --corpus FILE', '--corpus')
  if (corpus.includes('-')) throw usageError('Option `--corpus`: only --chunk reads stdin', '--corpus')
  const chunk = last('chunk')
  if (chunk === undefined) {
    throw usageError('Name the source code to search with: --chunk FILE, or --chunk - for stdin', '--chunk')
  }
  if (flags.has('json') && flags.has('jsonl')) throw usageError('Choose one of `--json` and `--jsonl`', '--jsonl')
  // Known beforehand, so a slip of the pen is told before the corpus is read, not after.
  const known = builtInCollections.map(({ name }) => name)
  for (const name of values.get('collection') ?? []) oneOf('collection', name, known)
  return {
    corpus,
    chunk,
    language: last('language'),
    strategy: oneOf('strategy', last('strategy'), strategies) ?? 'parallel',
    onError: oneOf('on-error', last('on-error'), modes) ?? 'stop',
    collections: values.get('collection'),
    limit: limitOf(last('limit')),
    embedding: !flags.has('no-embedding'),
    grammars: flags.has('grammars'),
    format: flags.has('json') ? 'json' : flags.has('jsonl') ? 'jsonl' : 'text',
    shown: oneOf('only', last('only'), parts) ?? 'candidates',
    trace: last('trace'),
    color: flags.has('color') ? true : flags.has('no-color') ? false : undefined,
    quiet: flags.has('quiet'),
  }
}

function oneOf<Value extends string>(
  name: OptionName,
  value: string | undefined,
  allowed: readonly Value[],
): Value | undefined {
  if (value === undefined) return undefined
  const found = allowed.find((candidate) => candidate === value)
  if (found !== undefined) return found
  const choice = allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.join(', ')}`
  throw usageError(`Option \`--${name}\` ${choice}, not \`${value}\``, `--${name}`)
}

function limitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const limit = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (Number.isSafeInteger(limit) && limit >= 1) return limit
  throw usageError(`Option \`--limit\` must be a whole number from 1, not \`${value}\``, '--limit')
}
