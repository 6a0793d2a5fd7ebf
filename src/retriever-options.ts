import { z } from 'zod'
import type { Grammars } from './code/trees/grammars.ts'
import type { Strategy } from './contracts.ts'
import { type Collection, isCollection } from './corpus/collections.ts'
import type { RecordSource } from './corpus/locate.ts'
import type { CorpusRecord, RecordKey } from './corpus/records.ts'

/** How far a build has come. */
export interface Progress {
  /** `read`: records are read and analysed. `index`: indexes are compiled. */
  readonly stage: 'read' | 'index'
  /** Records so far. */
  readonly records: number
  /** The modality whose index is compiled, in stage `index`. */
  readonly modality?: string
}

/** Options of `Retriever.create`. */
export interface CreateOptions {
  /** The corpus: an array, any (async) iterable of records, or `readRecords(...)`, which adds file and line to errors. */
  readonly records: RecordSource
  readonly strategy: Strategy
  /** Collections of your own, beside the built-in `docs_chunks`, `api_mapping` and `label_prototypes`. */
  readonly collections?: readonly Collection[]
  /**
   * Grammars to read chunks by, as `loadGrammars` gives them. Without them the lexer reads every chunk, and ast-grep
   * patterns of records cannot be checked.
   */
  readonly grammars?: Grammars
  /** Called about every thousand records and for each part of the index. */
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

/** Options of `Retriever.retrieve`. */
export interface RetrieveOptions {
  /** Name of the chunk's language (`gdscript`, `python`); guessed when it is missing or unknown. */
  readonly language?: string
  /** Collections to search. Default: all. */
  readonly collections?: readonly string[]
  /** Keeps a record in the search; acts before every cut. */
  readonly filter?: (record: CorpusRecord) => boolean
  /**
   * At most this many candidates, at least 1; modalities search at least this deep. Rejected candidates are left out
   * first and accepted ones last. Default: all that were found.
   */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** Options that were checked: those that may be left out may also be undefined. */
type Checked<Options> = {
  readonly [Key in keyof Options]: object extends Pick<Options, Key> ? Options[Key] | undefined : Options[Key]
}

const isFunction = (value: unknown): boolean => typeof value === 'function'
const signalSchema = z
  .custom<AbortSignal>((value) => value instanceof AbortSignal, 'expected an AbortSignal')
  .optional()

const create = z.strictObject({
  records: z.custom<RecordSource>(
    (value) =>
      typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value),
    'expected records: an array, an iterable, or readRecords(file)',
  ),
  strategy: z.custom<Strategy>(
    (value) => isFunction((value as Strategy | undefined)?.run),
    'expected a strategy, as parallel() gives',
  ),
  collections: z
    .array(z.custom<Collection>(isCollection, 'expected a collection, as defineCollection() gives'))
    .default([]),
  grammars: z
    .custom<Grammars>(
      (value) => isFunction((value as Grammars | undefined)?.parse),
      'expected grammars, as `await loadGrammars()` gives them',
    )
    .optional(),
  onProgress: z.custom<(progress: Progress) => void>(isFunction, 'expected a function').optional(),
  signal: signalSchema,
})

const retrieve = z.strictObject({
  language: z.string().optional(),
  collections: z.array(z.string()).optional(),
  filter: z.custom<(record: CorpusRecord) => boolean>(isFunction, 'expected a function').optional(),
  limit: z.int().min(1).optional(),
  signal: signalSchema,
})

const key = z.looseObject({ collection: z.string(), id: z.string() })

/** What each call of a retriever takes. */
export const createSchema: z.ZodType<Checked<CreateOptions> & { readonly collections: readonly Collection[] }> = create
export const addSchema: z.ZodType<Checked<Pick<CreateOptions, 'records' | 'signal'>>> = create.pick({
  records: true,
  signal: true,
})
export const removeSchema: z.ZodType<{ readonly keys: readonly RecordKey[] }> = z.strictObject({ keys: z.array(key) })
export const retrieveSchema: z.ZodType<Checked<RetrieveOptions>> = retrieve
export const searchSchema: z.ZodType<Checked<RetrieveOptions> & { readonly limit: number }> = retrieve.extend({
  limit: z.int().min(1),
})
export const explainSchema: z.ZodType<{ readonly key: RecordKey; readonly language?: string | undefined }> =
  z.strictObject({ key, language: z.string().optional() })
