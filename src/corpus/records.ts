/** A record's identity. Two collections may use one id; the pair is unique. */
export interface RecordKey {
  readonly collection: string
  readonly id: string
}

/** One JSONL object of the corpus. Fields that the library does not know are kept as they are. */
export interface CorpusRecord extends RecordKey {
  readonly [field: string]: unknown
}

/** One string for a key; NUL cannot be part of a collection's name, so no two keys share it. */
export function keyOf(key: RecordKey): string {
  return `${key.collection}\u0000${key.id}`
}
