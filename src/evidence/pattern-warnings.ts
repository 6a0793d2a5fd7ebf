import type { Grammars } from '../code/trees/grammars.ts'
import type { IndexedRecord } from '../contracts.ts'
import { languageOf } from '../corpus/reading.ts'
import { faultOfPattern } from './source-patterns.ts'

/** Something of a record that does not work; the record stays in the corpus. */
export interface CorpusWarning {
  /** `pattern-invalid`: a source pattern that is not valid or too large; the record never matches. */
  readonly code: 'pattern-invalid'
  readonly collection: string
  readonly id: string
  /** Path of the field: `source_pattern`, `source_pattern[1]`. */
  readonly field: string
  /** One line that names the record and the fault. */
  readonly message: string
}

/** Characters of a fault that are told; native code repeats the pattern. */
const longestFault = 300

/** The patterns of a record that can never match. Those of languages whose grammar is not loaded are taken on trust. */
export function warningsOf(entry: IndexedRecord, grammars: Grammars | undefined): CorpusWarning[] {
  const { collection, id, record, reading } = entry
  return reading.patterns.flatMap(({ field, text }) => {
    const fault = faultOfPattern(text, languageOf(record), grammars)
    if (fault === undefined) return []
    const told = fault.length > longestFault ? `${fault.slice(0, longestFault)}...` : fault
    const message = `Record "${id}" of collection "${collection}": ${field} is not a valid pattern and never matches: ${told}`
    return [{ code: 'pattern-invalid', collection, id, field, message }]
  })
}
