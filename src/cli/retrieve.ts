import { isKnownLanguage } from '../code/languages.ts'
import { loadGrammars } from '../code/trees/grammars.ts'
import { DirectEvidenceError } from '../errors.ts'
import type { CorpusWarning } from '../evidence/pattern-warnings.ts'
import { type RetrievalResult, Retriever } from '../retriever.ts'
import type { Progress } from '../retriever-options.ts'
import { parallel } from '../strategies/parallel.ts'
import { rerank } from '../strategies/rerank.ts'
import { writeTrace } from '../trace/write.ts'
import { languageOfFile, readChunkText } from './chunk-file.ts'
import { openCorpus } from './corpus-files.ts'
import { exitCodeOf } from './exit-codes.ts'
import type { Io } from './io.ts'
import { describeError, type Messages } from './messages.ts'
import { Output, writeJson, writeJsonl } from './output.ts'
import { formatReport } from './report.ts'
import type { Request } from './request.ts'

/** The strategies that need no model. */
const strategies = { parallel, rerank } as const

/** The chunk as the search takes it. */
interface Chunk {
  readonly text: string
  readonly language: string | undefined
}

/** Runs one retrieval, from files to stdout. What is to be written to disk is there before the first line of output. */
export async function retrieve(request: Request, io: Io, messages: Messages): Promise<number> {
  const language = request.language ?? languageOfFile(request.chunk)
  if (language !== undefined && !isKnownLanguage(language)) {
    messages.note(`direct-evidence: language ${language} is not known; it is guessed from the code`)
  }
  const chunk: Chunk = { text: await readChunkText(request.chunk, io), language }
  const result = await search(request, chunk, io.signal, messages)
  messages.endProgress()
  if (request.trace !== undefined) {
    await writeTrace(result.trace, request.trace)
    messages.note(`trace: ${request.trace}`)
  }
  await show(request, result, chunk, io, messages)
  return exitCodeOf(result.status)
}

async function search(
  request: Request,
  chunk: Chunk,
  signal: AbortSignal | undefined,
  messages: Messages,
): Promise<RetrievalResult> {
  let refused = 0
  const onRefused = (error: DirectEvidenceError): void => {
    refused++
    messages.tell(describeError(error))
  }
  const records = openCorpus(request.corpus, { signal, ...(request.onError === 'collect' ? { onRefused } : {}) })
  messages.progress('reading records')
  await using retriever = await Retriever.create({
    records,
    strategy: strategies[request.strategy](request.embedding ? {} : { embedding: false }),
    onProgress: (progress) => messages.progress(describeProgress(progress)),
    ...(request.grammars ? { grammars: await loadGrammars() } : {}),
    ...(signal === undefined ? {} : { signal }),
  })
  if (refused > 0) {
    messages.tell(`direct-evidence: ${plural(refused, 'line')} refused, ${plural(retriever.size, 'record')} read`)
  }
  tellWarnings(retriever.warnings, messages)
  if (retriever.size === 0) {
    const message = `There is no record to search in ${request.corpus.join(', ')}`
    throw new DirectEvidenceError('CORPUS_UNREADABLE', message)
  }
  messages.progress('searching')
  return await retriever.retrieve(chunk.text, {
    ...(chunk.language === undefined ? {} : { language: chunk.language }),
    ...(request.collections === undefined ? {} : { collections: request.collections }),
    ...(request.limit === undefined ? {} : { limit: request.limit }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Warnings told one by one; a corpus can have one for each record. */
const mostWarnings = 20

function tellWarnings(warnings: readonly CorpusWarning[], messages: Messages): void {
  for (const { message } of warnings.slice(0, mostWarnings)) messages.tell(`direct-evidence: ${message}`)
  const rest = warnings.length - mostWarnings
  if (rest > 0) messages.tell(`direct-evidence: ${plural(rest, 'more pattern')} not valid`)
}

async function show(
  request: Request,
  result: RetrievalResult,
  chunk: Chunk,
  io: Io,
  messages: Messages,
): Promise<void> {
  const output = new Output(io)
  const { format, shown } = request
  if (format === 'json') return writeJson(output, result, result[shown])
  if (format === 'jsonl') {
    // The lines have no place for it; the other formats have.
    for (const { stage, message } of result.degraded) messages.note(`direct-evidence: degraded: ${stage}: ${message}`)
    return writeJsonl(output, result[shown])
  }
  const color = request.color ?? (io.stdout.isTTY === true && !io.env.NO_COLOR && io.env.TERM !== 'dumb')
  const name = request.chunk === '-' ? 'stdin' : request.chunk
  const language = chunk.language === undefined ? 'language not named' : `language ${chunk.language}`
  await output.write(formatReport(result, { color, shown, chunk: `${name}, ${language}`, chunkText: chunk.text }))
}

function describeProgress({ stage, records }: Progress): string {
  return `${stage === 'read' ? 'reading' : 'indexing'}: ${plural(records, 'record')}`
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
