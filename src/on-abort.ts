/** Who waits for a signal, and the listener that serves them all. */
interface Watch {
  readonly callbacks: Map<symbol, () => void>
  stop(): void
}

const watches = new WeakMap<AbortSignal, Watch>()

/**
 * Calls back when a signal is aborted from now on. However many wait for one signal, it carries one listener: Node warns
 * of a leak from eleven on, and a retrieval may well have a hundred calls waiting for the same signal.
 *
 * @returns Ends the waiting; the listener goes with the last one who waits.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const watch = watches.get(signal) ?? watchOf(signal)
  const ticket = Symbol()
  watch.callbacks.set(ticket, callback)
  return () => {
    if (watch.callbacks.delete(ticket) && watch.callbacks.size === 0) watch.stop()
  }
}

function watchOf(signal: AbortSignal): Watch {
  const callbacks = new Map<symbol, () => void>()
  const abort = (): void => {
    for (const callback of [...callbacks.values()]) callback()
  }
  const watch: Watch = {
    callbacks,
    stop() {
      signal.removeEventListener('abort', abort)
      watches.delete(signal)
    },
  }
  signal.addEventListener('abort', abort, { once: true })
  watches.set(signal, watch)
  return watch
}
