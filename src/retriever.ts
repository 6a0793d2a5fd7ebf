import type { z } from 'zod'
import { unlessAborted } from './abortable.ts'
import { analyzeChunk } from './code/analyze.ts'
import type { Grammars } from './code/trees/grammars.ts'
import type {
  Candidate,
  ChunkQuery,
  Degradation,
  IndexedRecord,
  Modality,
  Strategy,
  StrategyContext,
  Verdict,
} from './contracts.ts'
import { builtInCollections } from './corpus/built-in.ts'
import type { Collection } from './corpus/collections.ts'
import { type CorpusKnowledge, createKnowledge, learn, unlearn } from './corpus/knowledge.ts'
import { type LocatedRecord, locate, type RecordSource } from './corpus/locate.ts'
import { readRecord } from './corpus/reading.ts'
import {
  collectionUnknown,
  isObject,
  ownField,
  type RecordPlace,
  recordDuplicate,
  recordInvalid,
  shapeFault,
} from './corpus/record-shape.ts'
import { keyOf, type RecordKey } from './corpus/records.ts'
import { DirectEvidenceError } from './errors.ts'
import { literalValidator } from './evidence/literal-validator.ts'
import { type CorpusWarning, warningsOf } from './evidence/pattern-warnings.ts'
import { parseOptions } from './options.ts'
import { Pace } from './pace.ts'
import { ReadWriteLock } from './read-write-lock.ts'
import {
  addSchema,
  type CreateOptions,
  createSchema,
  explainSchema,
  type RetrieveOptions,
  removeSchema,
  retrieveSchema,
  searchSchema,
} from './retriever-options.ts'
import { nearMissOf } from './strategies/near-miss.ts'
import { limitTo } from './strategies/stages.ts'
import { type StageLog, TraceRecorder } from './trace/recorder.ts'
import type { Trace } from './trace/schema.ts'

/** What one retrieval gives. Plain data; see {@link Candidate}. */
export interface RetrievalResult {
  /** `evidence`: something was accepted. `undecided`: nothing was, but something is uncertain or a part failed. */
  readonly status: 'evidence' | 'no-direct-evidence' | 'undecided'
  /** The whole ranking: by fused score, the rejected behind all others. */
  readonly candidates: readonly Candidate[]
  readonly accepted: readonly Candidate[]
  readonly uncertain: readonly Candidate[]
  readonly rejected: readonly Candidate[]
  /** When nothing was accepted: what came closest. Its verdict says what it lacked. */
  readonly nearMiss?: Candidate
  /** What did not go as asked; empty when all did. */
  readonly degraded: readonly Degradation[]
  readonly trace: Trace
}

/** Records handed to the modalities at a time. */
const batchSize = 256
/** Degradations after which nothing found does not mean that there is nothing. */
const leavesUndecided: ReadonlySet<string> = new Set(['modality-failed', 'validator-failed', 'grammar-missing'])
/** Records between two calls of `onProgress`. */
const progressEvery = 1_000

/**
 * Holds one corpus and answers chunks with the records that carry direct evidence for them.
 *
 * @example
 * ```ts
 * import { parallel, readRecords, Retriever } from 'direct-evidence'
 *
 * await using retriever = await Retriever.create({
 *   records: readRecords('examples/godot/corpus.jsonl'),
 *   strategy: parallel(),
 * })
 * const result = await retriever.retrieve('$AnimatedSprite2D.play()', { language: 'gdscript' })
 * for (const { id, verdict } of result.accepted) console.log(id, verdict.reason)
 * ```
 */
export class Retriever implements AsyncDisposable {
  readonly #strategy: Strategy
  readonly #knowledge: CorpusKnowledge
  readonly #modalities: ReadonlyMap<string, Modality>
  readonly #entries = new Map<string, IndexedRecord>()
  readonly #lock = new ReadWriteLock()
  readonly #grammars: Grammars | undefined
  /** By key of the record. */
  readonly #warnings = new Map<string, readonly CorpusWarning[]>()
  #closed = false

  private constructor(strategy: Strategy, collections: readonly Collection[], grammars: Grammars | undefined) {
    this.#strategy = strategy
    this.#grammars = grammars
    this.#knowledge = createKnowledge(collectionMap(collections))
    this.#modalities = new Map(
      strategy.modalities.map((definition) => [definition.name, definition.create(this.#knowledge)]),
    )
  }

  /**
   * Reads a corpus and builds every index the strategy needs. Linear in the corpus; lets other work run in between.
   *
   * @throws `RECORD_INVALID`, `RECORD_DUPLICATE` or `COLLECTION_UNKNOWN` with the place of the record, `OPTION_INVALID`,
   * or the signal's reason. Nothing half-built is ever returned.
   */
  static async create(options: CreateOptions): Promise<Retriever> {
    const { records, strategy, collections, grammars, onProgress, signal } = parseOptions(
      'Retriever.create',
      createSchema,
      options,
    )
    const retriever = new Retriever(strategy, collections, grammars)
    try {
      await retriever.#take(records, new Map(), onProgress, signal)
      for (const modality of retriever.#modalities.values()) {
        signal?.throwIfAborted()
        onProgress?.({ stage: 'index', records: retriever.size, modality: modality.name })
        await modality.prepare?.(signal)
      }
      signal?.throwIfAborted()
    } catch (error) {
      await retriever.close()
      throw error
    }
    return retriever
  }

  /** How many records there are. */
  get size(): number {
    return this.#entries.size
  }

  /** What does not work in the records there are, by collection and id; such records stay and never match. */
  get warnings(): readonly CorpusWarning[] {
    const keys = [...this.#warnings.keys()].sort()
    return keys.flatMap((key) => this.#warnings.get(key) ?? [])
  }

  /**
   * Adds records; later retrievals find them. All or none: when one is refused, none is added.
   *
   * @throws As {@link Retriever.create}; `RECORD_DUPLICATE` also for a record that is already there.
   */
  async add(records: RecordSource, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#assertOpen()
    const parsed = parseOptions('add', addSchema, { ...options, records })
    await this.#lock.write(async () => {
      const taken = new Map<string, RecordPlace>()
      try {
        await this.#take(parsed.records, taken, undefined, parsed.signal)
      } catch (error) {
        await this.#forget([...taken.keys()])
        throw error
      }
    })
  }

  /**
   * Removes records by key.
   *
   * @returns How many were there; unknown keys are passed over.
   */
  async remove(keys: readonly RecordKey[]): Promise<number> {
    this.#assertOpen()
    parseOptions('remove', removeSchema, { keys })
    return this.#lock.write(async () => {
      const known = [...new Set(keys.map(keyOf))].filter((key) => this.#entries.has(key))
      await this.#forget(known)
      return known.length
    })
  }

  /**
   * Finds the records that carry direct evidence for a chunk of source code.
   *
   * @throws `CHUNK_INVALID` when the chunk is not a string, `OPTION_INVALID`, `COLLECTION_UNKNOWN`, `CLOSED`, or the
   * signal's reason. A modality that fails is reported in `degraded` instead.
   */
  async retrieve(chunkText: string, options: RetrieveOptions = {}): Promise<RetrievalResult> {
    this.#assertOpen()
    assertChunk(chunkText)
    const parsed = parseOptions('retrieve', retrieveSchema, options)
    for (const collection of parsed.collections ?? []) this.#assertCollection(collection)
    // The lock may be held by a long add: a caller who gives up does not wait for it.
    return unlessAborted(
      this.#lock.read(() => this.#run(chunkText, parsed)),
      parsed.signal,
    )
  }

  /**
   * The whole evidence reasoning for one record, without a search.
   *
   * @throws `RECORD_UNKNOWN` when there is no such record.
   */
  async explain(chunkText: string, key: RecordKey, options: { readonly language?: string } = {}): Promise<Verdict> {
    this.#assertOpen()
    assertChunk(chunkText)
    const { language } = parseOptions('explain', explainSchema, { ...options, key })
    return this.#lock.read(async () => {
      const query = await this.#query(chunkText, language)
      const entry = this.#entry(key)
      // A name that proves nothing alone is judged beside its neighbours, as in a retrieval.
      const beside =
        entry.reading.weakName === true ? [...this.#entries.values()].filter((other) => isBeside(other, entry)) : []
      const [verdict] = await literalValidator().validate(query, [entry, ...beside], { knowledge: this.#knowledge })
      return verdict!
    })
  }

  /**
   * One modality of the strategy, to search with alone.
   *
   * @throws `MODALITY_UNKNOWN` with the names there are.
   * @example
   * ```ts
   * const { hits } = await retriever.modality('bm25').search('clamp position', { limit: 5 })
   * ```
   */
  modality(name: string): ModalitySearch {
    const modality = this.#modality(name)
    return {
      name,
      search: async (text, options) => {
        this.#assertOpen()
        assertChunk(text)
        const { collections, language, ...rest } = parseOptions('search', searchSchema, options)
        for (const collection of collections ?? []) this.#assertCollection(collection)
        const scope = collections === undefined ? undefined : new Set(collections)
        return this.#lock.read(async () =>
          modality.search(await this.#query(text, language), { ...rest, collections: scope }),
        )
      },
    }
  }

  /** Frees what the modalities hold. Idempotent; every later call throws `CLOSED`. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#lock.write(async () => {
      for (const modality of this.#modalities.values()) await modality.close?.()
      this.#entries.clear()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #run(chunkText: string, options: z.output<typeof retrieveSchema>): Promise<RetrievalResult> {
    const { signal, filter, limit } = options
    signal?.throwIfAborted()
    const trace = new TraceRecorder()
    const degraded: Degradation[] = []
    const context: StrategyContext = {
      modality: (name) => this.#modality(name),
      record: (key) => this.#entry(key),
      knowledge: this.#knowledge,
      trace,
      scope: {
        collections: options.collections === undefined ? undefined : new Set(options.collections),
        filter,
        signal,
      },
      limit,
      degrade: (degradation) => degraded.push(degradation),
    }
    const query = await trace.stage('read', () => this.#query(chunkText, options.language), describeReading)
    const ranked = query.reading.code.tokens.length === 0 ? [] : await this.#strategy.run(query, context)
    signal?.throwIfAborted()
    const candidates = limitTo(ranked, limit)
    const of = (outcome: Verdict['outcome']) => candidates.filter(({ verdict }) => verdict.outcome === outcome)
    const accepted = of('accept')
    const uncertain = of('uncertain')
    const failed = degraded.some(({ code }) => leavesUndecided.has(code))
    const status =
      accepted.length > 0 ? 'evidence' : uncertain.length > 0 || failed ? 'undecided' : 'no-direct-evidence'
    const language = options.language ?? null
    const chunk = { text: chunkText, language, characters: chunkText.length }
    const nearMiss = nearMissOf(candidates)
    return {
      status,
      ...(nearMiss === undefined ? {} : { nearMiss }),
      candidates,
      accepted,
      uncertain,
      rejected: of('reject'),
      degraded,
      trace: trace.finish({ strategy: this.#strategy.name, chunk, degraded, status }),
    }
  }

  /** Reads, checks and indexes records; `taken` gets the key and place of each as it comes in. */
  async #take(
    source: RecordSource,
    taken: Map<string, RecordPlace>,
    onProgress: CreateOptions['onProgress'],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const pace = new Pace(signal)
    let batch: IndexedRecord[] = []
    const index = async (): Promise<void> => {
      for (const modality of this.#modalities.values()) await modality.add(batch, signal)
      batch = []
    }
    for await (const located of locate(source)) {
      signal?.throwIfAborted()
      const entry = this.#read(located)
      const key = keyOf(entry)
      if (this.#entries.has(key)) throw recordDuplicate(located, taken.get(key))
      taken.set(key, { file: located.file, line: located.line })
      this.#entries.set(key, entry)
      learn(this.#knowledge, entry)
      const warnings = warningsOf(entry, this.#grammars)
      if (warnings.length > 0) this.#warnings.set(key, warnings)
      batch.push(entry)
      if (batch.length === batchSize) await index()
      if (taken.size % progressEvery === 0) onProgress?.({ stage: 'read', records: taken.size })
      await pace.breathe()
    }
    if (batch.length > 0) await index()
    onProgress?.({ stage: 'read', records: taken.size })
  }

  #read(located: LocatedRecord): IndexedRecord {
    const given: unknown = located.record
    const fault = shapeFault(given)
    if (fault !== undefined || !isObject(given)) throw recordInvalid(fault ?? 'it is not an object', located)
    const name = ownField(given, 'collection')
    if (typeof name !== 'string')
      throw recordInvalid('it has no `collection`; name one', located, { id: String(given.id) })
    const collection = this.#knowledge.collections.get(name)
    if (collection === undefined) throw collectionUnknown(name, this.#knowledge.collections.keys(), located)
    // Frozen: a result hands the record out, and what was indexed must stay what is shown.
    const record = Object.freeze(collection.parse(located.record, located))
    return {
      collection: name,
      id: record.id,
      record,
      reading: readRecord(record, collection, this.#knowledge.vocabularies),
    }
  }

  async #forget(keys: readonly string[]): Promise<void> {
    const entries = keys.flatMap((key) => this.#entries.get(key) ?? [])
    for (const entry of entries) {
      this.#entries.delete(keyOf(entry))
      this.#warnings.delete(keyOf(entry))
      unlearn(this.#knowledge, entry)
    }
    for (const modality of this.#modalities.values()) await modality.remove(entries)
  }

  async #query(chunkText: string, language: string | undefined): Promise<ChunkQuery> {
    return { chunkText, language, reading: await analyzeChunk(chunkText, { language, grammars: this.#grammars }) }
  }

  #entry(key: RecordKey): IndexedRecord {
    const entry = this.#entries.get(keyOf(key))
    if (entry !== undefined) return entry
    throw new DirectEvidenceError(
      'RECORD_UNKNOWN',
      `There is no record "${key.id}" in collection "${key.collection}".`,
      {
        collection: key.collection,
        id: key.id,
      },
    )
  }

  #modality(name: string): Modality {
    const modality = this.#modalities.get(name)
    if (modality !== undefined) return modality
    const names = [...this.#modalities.keys()].join(', ')
    throw new DirectEvidenceError(
      'MODALITY_UNKNOWN',
      `Strategy "${this.#strategy.name}" has no modality "${name}"; it has ${names}.`,
      { option: name },
    )
  }

  #assertCollection(name: string): void {
    if (!this.#knowledge.collections.has(name)) throw collectionUnknown(name, this.#knowledge.collections.keys())
  }

  #assertOpen(): void {
    if (this.#closed) throw new DirectEvidenceError('CLOSED', 'This retriever was closed; create another one.')
  }
}

/** A modality as {@link Retriever.modality} gives it. */
export interface ModalitySearch {
  readonly name: string
  /** Searches with a chunk or a short text, at most `limit` hits a collection. */
  search(
    text: string,
    options: Pick<RetrieveOptions, 'language' | 'collections' | 'filter' | 'signal'> & { readonly limit: number },
  ): ReturnType<Modality['search']>
}

function isBeside(other: IndexedRecord, entry: IndexedRecord): boolean {
  return other !== entry && other.collection === entry.collection && other.reading.gates.length > 0
}

function describeReading({ reading }: ChunkQuery): StageLog {
  const { traits, tokens, tree, partial } = reading.code
  return {
    language: traits.name,
    grammar: tree?.grammar ?? null,
    partial,
    tokens: tokens.length,
    names: reading.names.size,
    chains: reading.chains.size,
    lines: reading.lines.size,
    terms: reading.terms.size,
  }
}

function collectionMap(collections: readonly Collection[]): Map<string, Collection> {
  const map = new Map<string, Collection>(builtInCollections.map((collection) => [collection.name, collection]))
  const own = new Set<string>()
  for (const collection of collections) {
    if (own.has(collection.name)) {
      throw new DirectEvidenceError(
        'OPTION_INVALID',
        `Two collections are named "${collection.name}"; give each its own name.`,
        { option: 'collections' },
      )
    }
    own.add(collection.name)
    map.set(collection.name, collection)
  }
  return map
}

function assertChunk(chunkText: unknown): void {
  if (typeof chunkText === 'string') return
  throw new DirectEvidenceError(
    'CHUNK_INVALID',
    `The chunk must be a string of source code, not ${chunkText === null ? 'null' : typeof chunkText}.`,
  )
}
