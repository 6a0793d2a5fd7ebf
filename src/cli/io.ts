import type { Readable, Writable } from 'node:stream'

/** A stream that may be a terminal. */
export type Terminal = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

/** All that the command line touches of its process, so that tests can run it in theirs. */
export interface Io {
  readonly stdout: Terminal
  readonly stderr: Terminal
  readonly stdin: Readable
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted when the user interrupts. */
  readonly signal?: AbortSignal | undefined
}
