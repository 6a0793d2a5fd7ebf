import type { CorpusRecord } from './records.ts'

/** A record with the place it was read from, where there is one. */
export interface LocatedRecord {
  readonly record: CorpusRecord
  readonly file?: string | undefined
  /** 1-based. */
  readonly line?: number | undefined
}

/** Records in any form: an array, an iterable, an async iterable, or what `readRecords` gives. */
export type RecordSource = Iterable<CorpusRecord> | AsyncIterable<CorpusRecord>

/** A source that can say where each record came from. */
export interface LocatedSource extends AsyncIterable<CorpusRecord> {
  located(): AsyncIterable<LocatedRecord>
}

/** The records of a source with their places, as far as it knows them. */
export async function* locate(source: RecordSource | LocatedSource): AsyncGenerator<LocatedRecord> {
  if ('located' in source && typeof source.located === 'function') yield* source.located()
  else for await (const record of source) yield { record }
}

/** A place for a message: ` (corpus.jsonl:12)`; empty when there is none. */
export function placeText({ file, line }: Omit<LocatedRecord, 'record'>): string {
  if (line === undefined) return file === undefined ? '' : ` (${file})`
  return file === undefined ? ` (line ${line})` : ` (${file}:${line})`
}

/** A place as the details of an error hold it: what is unknown is left out. */
export function placeDetails({ file, line }: Omit<LocatedRecord, 'record'>): { file?: string; line?: number } {
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) }
}
