import type { DirectEvidenceError } from '../errors.ts'
import { messageOf } from '../errors.ts'
import type { Line } from './lines.ts'
import { isObject, ownField, type RecordPlace, recordInvalid, shapeFault } from './record-shape.ts'
import type { CorpusRecord } from './records.ts'

/** The record of a line; undefined for a blank one, the error to report for one that holds no record. */
export function parseLine(
  line: Line,
  place: RecordPlace,
  collection: string | undefined,
): CorpusRecord | DirectEvidenceError | undefined {
  if ('fault' in line) return recordInvalid(line.fault, place)
  if (/^[ \t\r]*$/.test(line.text)) return undefined
  let value: unknown
  try {
    value = parseJson(line.text)
  } catch (cause) {
    return recordInvalid(`it is not valid JSON: ${messageOf(cause)}; write one object a line`, place, { cause })
  }
  const fault = shapeFault(value)
  if (fault !== undefined || !isObject(value)) return recordInvalid(fault ?? '', place)
  const record = value as CorpusRecord
  if ((ownField(record, 'collection') ?? undefined) !== undefined) return record
  if (collection !== undefined) return { ...record, collection }
  const reason = 'it has no `collection`; write one into the line or give readRecords the option `collection`'
  return recordInvalid(reason, place, { id: record.id })
}

/** As `JSON.parse`, without any `__proto__` key. */
function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // Letters of the key can be written as escapes of ASCII, which nothing else needs: most lines have neither.
  if (text.includes('__proto__') || text.includes('\\u00')) dropPrototypeKeys(value)
  return value
}

/** A key that is harmless as parsed sets a prototype as soon as a program copies it by assignment. */
function dropPrototypeKeys(value: unknown): void {
  // A stack of our own: JSON.parse accepts deeper nesting than recursion can follow.
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if (Object.hasOwn(next, '__proto__')) Reflect.deleteProperty(next, '__proto__')
    for (const inner of Object.values(next)) if (typeof inner === 'object' && inner !== null) open.push(inner)
  }
}
