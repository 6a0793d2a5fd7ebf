import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work done at a stretch before other events get their turn; a fifth of the 50 ms that the library promises. */
const stretchMs = 10

/** Lets long work breathe: the event loop gets a turn every few milliseconds, and an abort is noticed. */
export class Pace {
  readonly #signal: AbortSignal | undefined
  #since = performance.now()

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Call often; cheap unless a turn is due. Throws the signal's reason once it is aborted. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#since < stretchMs) return
    this.#signal?.throwIfAborted()
    await nextTurn()
    this.#signal?.throwIfAborted()
    this.#since = performance.now()
  }
}
