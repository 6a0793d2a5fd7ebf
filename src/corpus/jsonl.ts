import { constants } from 'node:buffer'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { DirectEvidenceError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import { Pace } from '../pace.ts'
import { type ByteStream, readBytes } from './bytes.ts'
import { parseLine } from './json-line.ts'
import { readLines } from './lines.ts'
import type { LocatedRecord, LocatedSource } from './locate.ts'
import type { CorpusRecord } from './records.ts'

/**
 * Where records come from: a path, a `file:` URL, several of them in order, or a stream of bytes or text (a Node
 * `Readable`, a web `ReadableStream`, any async iterable). Gzip is told by its first bytes, whatever the name.
 */
export type JsonlSource = string | URL | readonly (string | URL)[] | ByteStream

/** How {@link readRecords} reads. */
export interface ReadRecordsOptions {
  /** Collection of the records that name none. Default: such a record is refused. */
  readonly collection?: string | undefined
  /**
   * What a line does that holds no record: `stop` throws its error, `collect` goes on and keeps the error in `errors`.
   * A file that cannot be read is always thrown. Default `stop`.
   */
  readonly onError?: 'stop' | 'collect' | undefined
  /** Longest line in bytes, its line feed not counted; a longer one is refused, not held in memory. Default 64 MiB. */
  readonly maxLineBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Records that are read while they are iterated over. */
export interface RecordReader extends LocatedSource {
  /** The same records, each with its file and line. */
  located(): AsyncIterable<LocatedRecord>
  /** Lines refused so far in the latest iteration; stays empty unless `onError` is `collect`. */
  readonly errors: readonly DirectEvidenceError[]
}

const defaultMaxLineBytes = 64 * 1024 * 1024

const optionsSchema = z.strictObject({
  collection: z.string('must be the name of a collection').min(1, 'must not be empty').optional(),
  onError: z.enum(['stop', 'collect'], 'must be `stop` or `collect`').default('stop'),
  maxLineBytes: z
    .int('must be a whole number of bytes')
    .min(1, 'must be at least 1')
    // What fits into one string.
    .max(constants.MAX_STRING_LENGTH, `must be at most ${constants.MAX_STRING_LENGTH}`)
    .default(defaultMaxLineBytes),
  signal: z.custom<AbortSignal>(isSignal, 'must be an AbortSignal').optional(),
})

type Options = z.output<typeof optionsSchema>

/**
 * Reads records from JSONL: one JSON object a line, UTF-8, plain or gzip, in constant memory.
 *
 * Only a line feed ends a line; a carriage return before it is dropped. Blank lines are skipped and counted. Each
 * object needs a string `id`, and a string `collection` unless the option gives one. The key `__proto__` is dropped
 * wherever it stands, nothing else of the line with it; of a key that stands twice the last value is taken.
 *
 * Each iteration reads files again; a stream can be iterated over once. A file is closed when the iteration ends, be it
 * early.
 *
 * @throws `OPTION_INVALID` at once. While iterating: `RECORD_INVALID` with file and line, `CORPUS_UNREADABLE` for a
 * missing file, broken gzip or a stream read twice, the signal's reason after an abort.
 * @example
 * ```ts
 * import { readRecords } from 'direct-evidence'
 *
 * const records = readRecords(['docs.jsonl.gz', 'mapping.jsonl'], { onError: 'collect' })
 * for await (const record of records) console.log(record.collection, record.id)
 * for (const error of records.errors) console.warn(error.message) // The record (mapping.jsonl:7): it has no `id`; ...
 * ```
 */
export function readRecords(source: JsonlSource, options: ReadRecordsOptions = {}): RecordReader {
  return new JsonlReader(source, parseOptions('readRecords', optionsSchema, options))
}

class JsonlReader implements RecordReader {
  readonly #files: readonly (string | URL)[] | undefined
  readonly #stream: ByteStream | undefined
  readonly #options: Options
  #streamTaken = false
  #errors: DirectEvidenceError[] = []

  constructor(source: JsonlSource, options: Options) {
    if (isStream(source)) this.#stream = source
    else this.#files = (Array.isArray(source) ? source : [source]).map(checkFile)
    this.#options = options
  }

  get errors(): readonly DirectEvidenceError[] {
    return this.#errors
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<CorpusRecord> {
    for await (const { record } of this.located()) yield record
  }

  async *located(): AsyncGenerator<LocatedRecord> {
    this.#errors = []
    if (this.#stream !== undefined) yield* this.#read(this.#takeStream(this.#stream), undefined)
    for (const file of this.#files ?? []) yield* this.#read(file, nameOf(file))
  }

  #takeStream(stream: ByteStream): ByteStream {
    if (this.#streamTaken) {
      const message = 'The stream was read before and is gone. Read its records into an array, or read from a file.'
      throw new DirectEvidenceError('CORPUS_UNREADABLE', message)
    }
    this.#streamTaken = true
    return stream
  }

  async *#read(source: string | URL | ByteStream, file: string | undefined): AsyncGenerator<LocatedRecord> {
    const { signal, maxLineBytes, collection } = this.#options
    const pace = new Pace(signal)
    for await (const line of readLines(readBytes(source, file ?? 'The stream', signal), maxLineBytes)) {
      signal?.throwIfAborted()
      const record = parseLine(line, { file, line: line.number }, collection)
      if (DirectEvidenceError.isInstance(record)) this.#refuse(record)
      else if (record !== undefined) yield { record, file, line: line.number }
      await pace.breathe()
    }
  }

  #refuse(error: DirectEvidenceError): void {
    if (this.#options.onError === 'stop') throw error
    this.#errors.push(error)
  }
}

function isStream(source: JsonlSource): source is ByteStream {
  return typeof source === 'object' && source !== null && Symbol.asyncIterator in source
}

function checkFile(file: unknown): string | URL {
  if (typeof file === 'string' && file !== '') return file
  if (file instanceof URL && file.protocol === 'file:') return file
  const hint =
    file instanceof URL ? 'only file: URLs can be opened; fetch it and give the body' : 'give a path or stream'
  throw new DirectEvidenceError('OPTION_INVALID', `readRecords: option \`source\`: ${hint}`, { option: 'source' })
}

function nameOf(file: string | URL): string {
  return typeof file === 'string' ? file : fileURLToPath(file)
}

function isSignal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'throwIfAborted' in value && 'addEventListener' in value
}
