import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../errors.ts'
import { recordInvalid } from './record-shape.ts'
import type { CorpusRecord } from './records.ts'

/**
 * One record, or any other JSON object, as one line of JSONL without its line end. Characters that some readers take
 * for a line end (U+2028, U+2029, U+0085), the other controls from U+007F on, and halves of surrogate pairs are written
 * as escapes.
 *
 * @throws `RECORD_INVALID` with the cause for what JSON cannot hold: cycles, a BigInt, nesting beyond all measure.
 * @example
 * ```ts
 * import { toJsonl } from 'direct-evidence'
 *
 * console.log(toJsonl({ collection: 'docs_chunks', id: 'timer', content: 'a\u2028b' }))
 * // {"collection":"docs_chunks","id":"timer","content":"a\u2028b"}
 * ```
 */
export function toJsonl(record: object): string {
  try {
    return JSON.stringify(record).replace(/[\u007f-\u009f\u2028\u2029]/g, escapeCharacter)
  } catch (cause) {
    const { id, collection } = record as Partial<CorpusRecord>
    const details = { cause, ...(typeof id === 'string' ? { id } : {}) }
    const reason = `cannot be written as JSON: ${messageOf(cause)}; keep plain data only`
    throw recordInvalid(reason, {}, { ...details, ...(typeof collection === 'string' ? { collection } : {}) })
  }
}

/**
 * Writes records as a JSONL file that {@link readRecords} reads back, in constant memory. The file is written aside and
 * renamed when it is complete: after a failure the old one is still there, and a corpus can be read from the very file.
 *
 * @returns How many records were written.
 * @throws `RECORD_INVALID` for a record that is no JSON; what the records or the file system throw is passed on.
 * @example
 * ```ts
 * import { writeRecords } from 'direct-evidence'
 *
 * await writeRecords('corpus.jsonl', [{ collection: 'docs_chunks', id: 'timer', content: 'Counts down.' }]) // 1
 * ```
 */
export async function writeRecords(
  file: string | URL,
  records: Iterable<CorpusRecord> | AsyncIterable<CorpusRecord>,
): Promise<number> {
  const path = typeof file === 'string' ? file : fileURLToPath(file)
  const aside = `${path}.${randomUUID()}.tmp`
  let count = 0
  const lines = async function* (): AsyncGenerator<string> {
    for await (const record of records) {
      yield `${toJsonl(record)}\n`
      count++
    }
  }
  try {
    await pipeline(Readable.from(lines()), createWriteStream(aside))
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
  return count
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
