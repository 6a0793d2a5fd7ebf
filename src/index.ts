export { analyzeChunk } from './code/analyze.ts'
export type { ChunkReading } from './code/chunk.ts'
export { analyzerVersion } from './code/reading.ts'
export { type DynamicGrammar, type Grammars, type GrammarsOptions, loadGrammars } from './code/trees/grammars.ts'
export type { SyntaxTree } from './code/trees/syntax-tree.ts'
export type {
  Candidate,
  CandidateHit,
  ChatMessage,
  ChatModel,
  ChatReply,
  ChatRequest,
  ChunkQuery,
  Degradation,
  Embedder,
  Evidence,
  EvidenceKind,
  Hit,
  IndexedRecord,
  Json,
  Modality,
  ModalityDefinition,
  ModelConsultation,
  Outcome,
  ProfileOptions,
  ProfileReply,
  QueryProfiler,
  QuoteCheck,
  RerankDocument,
  Reranked,
  Reranker,
  RerankMove,
  RerankOptions,
  SearchOptions,
  SearchResult,
  Span,
  Strategy,
  StrategyContext,
  Unjudged,
  ValidateOptions,
  Validator,
  Verdict,
} from './contracts.ts'
export { apiMapping, builtInCollections, docsChunks, labelPrototypes } from './corpus/built-in.ts'
export {
  type Collection,
  type CollectionDefinition,
  type CollectionField,
  defineCollection,
  type EvidenceRole,
  type FieldDefinition,
  type FieldReading,
  isCollection,
} from './corpus/collections.ts'
export { type JsonlSource, type ReadRecordsOptions, type RecordReader, readRecords } from './corpus/jsonl.ts'
export type { LocatedRecord, RecordSource } from './corpus/locate.ts'
export { readField } from './corpus/reading.ts'
export type { CorpusRecord, RecordKey } from './corpus/records.ts'
export { toJsonl, writeRecords } from './corpus/write-records.ts'
export { DirectEvidenceError, type ErrorCode, type ErrorDetails, errorCodes } from './errors.ts'
export { evidenceReranker } from './evidence/evidence-reranker.ts'
export { literalValidator } from './evidence/literal-validator.ts'
export type { CorpusWarning } from './evidence/pattern-warnings.ts'
export { verifyEvidence } from './evidence/verify.ts'
export { type ConvexCombinationOptions, convexCombination } from './fusion/convex.ts'
export type { FusedHit, Fusion, RankedHit, RankedList } from './fusion/fuse.ts'
export { max, minMax, type Normaliser, type NormaliserName, zScore } from './fusion/normalisers.ts'
export { type ReciprocalRankOptions, reciprocalRankFusion } from './fusion/reciprocal-rank.ts'
export { type Bm25Options, bm25 } from './modalities/bm25.ts'
export { type EmbeddingOptions, embedding } from './modalities/embedding.ts'
export { literal } from './modalities/literal.ts'
export type { CallOptions } from './models/chat/adapter.ts'
export { type AiSdkLanguageModel, type AiSdkModelOptions, aiSdkModel } from './models/chat/ai-sdk-model.ts'
export { type AnswerFunction, type FunctionModelOptions, functionModel } from './models/chat/function-model.ts'
export { type OpenAICompatibleOptions, openAICompatible } from './models/chat/open-ai-compatible.ts'
export { hashedEmbedder } from './models/hashed-embedder.ts'
export type { ReplyCache } from './models/model-validator/consultant.ts'
export { type ModelValidatorOptions, modelValidator } from './models/model-validator/model-validator.ts'
export { type ModelProfilerOptions, modelProfiler } from './models/profiler/model-profiler.ts'
export { type ModalitySearch, type RetrievalResult, Retriever } from './retriever.ts'
export type { CreateOptions, Progress, RetrieveOptions } from './retriever-options.ts'
export { defineStrategy } from './strategies/define.ts'
export { type ParallelOptions, parallel } from './strategies/parallel.ts'
export { type QueryProfileOptions, queryProfile } from './strategies/query-profile/query-profile.ts'
export type { QueryProfile } from './strategies/query-profile/reading.ts'
export { type RerankStrategyOptions, rerank } from './strategies/rerank.ts'
export { type RerankStageOptions, rerankCandidates } from './strategies/rerank-stage.ts'
export { type Depth, defaultCoherence, defaultWeights, type SearchingOptions } from './strategies/searching.ts'
export { type Found, fuse, rank, searchAll, type United, unite, validate } from './strategies/stages.ts'
export { type FormatTraceOptions, formatTrace } from './trace/format.ts'
export { TraceRecorder } from './trace/recorder.ts'
export { type Trace, type TraceChunk, type TraceStage, traceSchema } from './trace/schema.ts'
export { writeTrace } from './trace/write.ts'
