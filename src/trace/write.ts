import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '../contracts.ts'
import { DirectEvidenceError, messageOf } from '../errors.ts'
import { logFiles, logsOf } from './logs.ts'
import type { Trace } from './schema.ts'

const wholeFile = 'trace.json'

/**
 * Writes a trace into a folder: `trace.json` with all of it, and one JSONL file for each log whose stage ran. A stage
 * that ran and found nothing gives an empty file; a stage that did not run or failed gives none, and the file an
 * earlier trace left under that name is removed. Other files of the folder are not touched.
 *
 * The folder is created when it is missing. Each file is written aside and renamed, `trace.json` last, so a reader
 * never meets half a file.
 *
 * @returns The paths written, `trace.json` last.
 * @throws `TRACE_UNWRITABLE` with the cause when the folder or a file cannot be written.
 * @example
 * ```ts
 * const result = await retriever.retrieve(chunkText)
 * await writeTrace(result.trace, 'trace') // ['trace/1-bm25-candidates.jsonl', ..., 'trace/trace.json']
 * ```
 */
export async function writeTrace(trace: Trace, folder: string): Promise<string[]> {
  const aside = `.${randomUUID()}.tmp`
  const started: string[] = []
  let path = folder
  try {
    const contents = contentsOf(trace)
    await mkdir(folder, { recursive: true })
    for (const [file, content] of contents) {
      path = join(folder, file)
      started.push(path + aside)
      await writeFile(path + aside, content)
    }
    for (const file of logFiles) {
      path = join(folder, file)
      if (!contents.has(file)) await rm(path, { force: true })
    }
    const written: string[] = []
    for (const file of contents.keys()) {
      path = join(folder, file)
      await rename(path + aside, path)
      written.push(path)
    }
    return written
  } catch (cause) {
    // The first failure is the one to report; what cannot be tidied up either adds nothing to it.
    await Promise.allSettled(started.map((file) => rm(file, { force: true })))
    const message = `The trace could not be written to ${path}: ${messageOf(cause)}. Name a folder that can be written to.`
    throw new DirectEvidenceError('TRACE_UNWRITABLE', message, { cause, file: path })
  }
}

/** File name to content, in the order of writing. */
function contentsOf(trace: Trace): Map<string, string> {
  const contents = new Map<string, string>()
  for (const log of logsOf(trace)) {
    const lines = log.lines(trace)
    if (lines !== undefined) contents.set(log.file, lines.map(jsonLine).join(''))
  }
  return contents.set(wholeFile, `${escapeBreaks(JSON.stringify(trace, null, 2))}\n`)
}

/** One line of JSONL, with its end. */
function jsonLine(value: Json): string {
  return `${escapeBreaks(JSON.stringify(value))}\n`
}

/**
 * JSON allows these raw inside strings, but readers take some of them for the end of a line (U+0085, U+2028, U+2029)
 * and a terminal takes others for commands (U+007F to U+009F). Outside of strings they cannot occur.
 */
function escapeBreaks(json: string): string {
  return json.replace(/[\u007f-\u009f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
