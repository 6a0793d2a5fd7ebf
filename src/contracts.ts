import type { ChunkReading } from './code/chunk.ts'
import type { CorpusKnowledge } from './corpus/knowledge.ts'
import type { RecordReading } from './corpus/reading.ts'
import type { CorpusRecord, RecordKey } from './corpus/records.ts'
import type { TraceRecorder } from './trace/recorder.ts'

/** Half-open range of UTF-16 code units in a string, as `String.prototype.slice` takes it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A JSON value; everything a trace or a result holds is one. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** One record as it was indexed: the record itself, its key, and how it was read. */
export interface IndexedRecord extends RecordKey {
  readonly record: CorpusRecord
  readonly reading: RecordReading
}

/** What a modality is asked: the chunk, read once for all modalities. */
export interface ChunkQuery {
  readonly chunkText: string
  readonly language: string | undefined
  readonly reading: ChunkReading
}

/** Where a search looks and how deep. */
export interface SearchOptions {
  /** Hits wanted per collection, at least 1. */
  readonly limit: number
  /** Collections to search; every collection when undefined. */
  readonly collections?: ReadonlySet<string> | undefined
  /** Keeps a record in the search. Acts before the cut at `limit`. */
  readonly filter?: ((record: CorpusRecord) => boolean) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * One record found by one modality. `rank` counts from 1 within the record's collection, because collections are
 * ranked by their own statistics. What else a hit says depends on the modality; it is plain JSON.
 */
export interface Hit extends RecordKey {
  readonly rank: number
  /** Higher is better; scales of different modalities are not comparable. */
  readonly score: number
  /** Why, in the modality's own words: matched terms, similarity, matched literals. */
  readonly why: Readonly<Record<string, Json>>
}

/** Something that did not go as asked; the result is still valid for what it has. */
export interface Degradation {
  readonly stage: string
  readonly code: string
  readonly message: string
}

/** What one search of one modality brought back. */
export interface SearchResult {
  /** Grouped by collection (names ascending), best first within each, every record at most once. */
  readonly hits: readonly Hit[]
  readonly degraded?: readonly Degradation[]
}

/** One independent way to search the records. */
export interface Modality {
  readonly name: string
  /** Takes records in; they are found by every later search. Called with no record twice. */
  add(records: readonly IndexedRecord[], signal?: AbortSignal): Promise<void>
  /** Forgets records; unknown keys are ignored. */
  remove(keys: readonly RecordKey[]): Promise<void>
  search(query: ChunkQuery, options: SearchOptions): Promise<SearchResult>
  /** Does the work that the first search would have to do, so that it comes at build time. */
  prepare?(signal?: AbortSignal): Promise<void>
  close?(): Promise<void>
}

/** A modality that is not built yet: a strategy names these, a retriever creates them. */
export interface ModalityDefinition {
  readonly name: string
  create(knowledge: CorpusKnowledge): Modality
}

/** Turns texts into vectors. */
export interface Embedder {
  /** Name and revision; vectors of two ids are never compared. */
  readonly id: string
  /** Width of every vector. */
  readonly dimensions: number
  /** One vector of `dimensions` numbers a text, in order. A zero vector says: nothing to compare here. */
  embedDocuments(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Float32Array[]>
  embedQueries(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Float32Array[]>
}

/** One message of a conversation with a chat model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What a chat model is asked. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  readonly signal?: AbortSignal | undefined
  /** Most tokens of the reply; the model's own default when it is left out. */
  readonly maxTokens?: number | undefined
}

/** What a chat model answers. */
export interface ChatReply {
  readonly text: string
  /** What the call cost, where the model says so. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined
}

/** Any chat model: messages in, text out. Fails by rejecting; an abort rejects with the signal's reason. */
export interface ChatModel {
  /** Name and, where there is one, revision; it stands in traces, verdicts and cache keys. */
  readonly id: string
  complete(request: ChatRequest): Promise<ChatReply>
}

/** What kind of thing an evidence literal is in the chunk. */
export type EvidenceKind =
  | 'line'
  | 'chain'
  | 'call'
  | 'member'
  | 'type'
  | 'identifier'
  | 'annotation'
  | 'string'
  | 'pattern'

/** A literal that stands in the chunk and in the record. Both spans give `text`, except for a `pattern`, whose record span is the pattern. */
export interface Evidence {
  readonly text: string
  readonly kind: EvidenceKind
  /** What it counts towards acceptance, from 0 (shown, proves nothing) up. */
  readonly weight: number
  readonly chunk: Span
  /** Path of the record's field: `title`, `code_blocks[0]`. */
  readonly field: string
  readonly record: Span
}

export type Outcome = 'accept' | 'uncertain' | 'reject'

/** A quote of a model, and whether it stands where the model says it does. */
export interface QuoteCheck {
  readonly text: string
  readonly verified: boolean
  /** Why it is not verified. */
  readonly reason?: string | undefined
}

/** What a model was asked about one candidate and what it said; nothing here is believed. */
export interface ModelConsultation {
  readonly model: string
  readonly answer: 'yes' | 'no' | 'undecided'
  readonly quotes: readonly QuoteCheck[]
  /** The last reply, cut to a length that can be read. */
  readonly reply: string
  /** Calls that were made for it; 0 when the reply came from the cache. */
  readonly calls: number
  /** What the calls cost together, where the model says so. */
  readonly usage?: ChatReply['usage']
}

/** What a validator says of one candidate, and on what grounds. */
export interface Verdict {
  readonly outcome: Outcome
  /** Who decided: `literal`, `model`, or the name of the host's validator. */
  readonly by: string
  /** One line a person can read. */
  readonly reason: string
  /** Strongest first. */
  readonly evidence: readonly Evidence[]
  /** Distinctive literals that would have been evidence and are not there. */
  readonly missing: readonly string[]
  /** What a model said, where one was asked. */
  readonly model?: ModelConsultation | undefined
}

/** A record found by one or more modalities, with all its hits and its scores. */
export interface Candidate extends RecordKey {
  readonly record: CorpusRecord
  /** 1-based place in the whole ranking. */
  readonly rank: number
  /** One hit a modality that found it. */
  readonly hits: Readonly<Record<string, CandidateHit>>
  /** What each modality contributed; the contributions add up to `fusedScore`. */
  readonly contributions: Readonly<Record<string, number>>
  readonly fusedScore: number
  /** Where a reranker moved it, if one did. */
  readonly rerank?: RerankMove | undefined
  readonly verdict: Verdict
}

/** A hit without the key, which the candidate has; `why` is spread beside rank and score. */
export interface CandidateHit {
  readonly rank: number
  readonly score: number
  readonly [why: string]: Json
}

/** One candidate as a reranker sees it. */
export interface RerankDocument {
  readonly entry: IndexedRecord
  /** The searched fields of the record, a line each, in the order of its collection: what a model reads. */
  readonly text: string
  readonly fusedScore: number
}

/** What a reranker says of one document. */
export interface Reranked {
  /** Index of the document as it was given, from 0. */
  readonly index: number
  /** Higher is better; not looked at when the reranker declares that it has none. */
  readonly score?: number | undefined
  /** Why, in a few words. */
  readonly reason?: string | undefined
}

/** Options of every call of a reranker. */
export interface RerankOptions {
  readonly knowledge: CorpusKnowledge
  readonly signal?: AbortSignal | undefined
  /** Says in the result what did not go as asked: text that was cut, a window that was not answered. */
  readonly degrade?: ((degradation: Omit<Degradation, 'stage'>) => void) | undefined
}

/**
 * Compares the chunk with each candidate and orders them. It orders and never deletes: a document that it does not name
 * keeps its place.
 */
export interface Reranker {
  readonly name: string
  /**
   * What its scores are. `logit` and `probability`: of a trained model. `evidence`: a sum of weights. `similarity`: of
   * vectors. `none`: it has none, and the order of what it gives is the order of the documents.
   */
  readonly scores: 'logit' | 'probability' | 'evidence' | 'similarity' | 'none'
  /** Fails by rejecting; the fused order is kept then. */
  rerank(query: ChunkQuery, documents: readonly RerankDocument[], options: RerankOptions): Promise<readonly Reranked[]>
}

/** What a reranker did to one candidate. */
export interface RerankMove {
  readonly by: string
  /** Null when the reranker has no scores or did not name the candidate. */
  readonly score: number | null
  readonly scores: Reranker['scores']
  /** 1-based places before and after. */
  readonly rankBefore: number
  readonly rankAfter: number
  readonly reason: string
}

/** What a query profiler is given beside the chunk. */
export interface ProfileOptions {
  readonly signal?: AbortSignal | undefined
}

/** What a query profiler gives: a profile of any shape, which is read and checked against the chunk, and what it cost. */
export interface ProfileReply {
  /** The profile as an object, or the text of a reply that holds it as JSON. */
  readonly profile: unknown
  readonly usage?: ChatReply['usage']
}

/** Makes a search profile of a chunk. Nothing in the profile is believed before it was found in the chunk. */
export interface QueryProfiler {
  readonly name: string
  profile(query: ChunkQuery, options: ProfileOptions): Promise<ProfileReply>
}

/** A candidate before the verdict. */
export type Unjudged = Omit<Candidate, 'verdict' | 'rank'>

/** Decides for each candidate whether the record carries direct evidence for the chunk. */
export interface Validator {
  readonly name: string
  /** One verdict a candidate, in order. */
  validate(
    query: ChunkQuery,
    candidates: readonly IndexedRecord[],
    options: ValidateOptions,
  ): Promise<readonly Verdict[]>
}

export interface ValidateOptions {
  readonly knowledge: CorpusKnowledge
  /** Says in the result what did not go as asked; the verdicts are still given. */
  readonly degrade?: ((degradation: Omit<Degradation, 'stage'>) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** What a strategy may use while it runs. */
export interface StrategyContext {
  /** A modality the strategy named; throws `MODALITY_UNKNOWN` for another. */
  modality(name: string): Modality
  /** The indexed record of a key; throws `RECORD_UNKNOWN`. */
  record(key: RecordKey): IndexedRecord
  readonly knowledge: CorpusKnowledge
  readonly trace: TraceRecorder
  /** The caller's scope: collections, filter and signal for every search. */
  readonly scope: Omit<SearchOptions, 'limit'>
  /** The caller's `limit`, if any: modalities search at least this deep. */
  readonly limit: number | undefined
  degrade(degradation: Degradation): void
}

/** A composition of stages. */
export interface Strategy {
  readonly name: string
  readonly modalities: readonly ModalityDefinition[]
  /** The whole ranking, best first, each candidate judged. */
  run(query: ChunkQuery, context: StrategyContext): Promise<readonly Candidate[]>
}
