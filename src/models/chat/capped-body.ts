/** What was read of a body, and whether that is all of it. */
export interface Body {
  readonly text: string
  readonly whole: boolean
}

/**
 * Reads a body up to a number of bytes and lets go of the rest. Ends early, with what has come so far, when `enough` is
 * aborted.
 *
 * @throws What the connection fails with.
 */
export async function readCapped(response: Response, maxBytes: number, enough?: AbortSignal): Promise<Body> {
  if (response.body === null) return { text: '', whole: true }
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const stop = (): void => void reader.cancel().catch(() => {})
  enough?.addEventListener('abort', stop, { once: true })
  try {
    if (enough?.aborted === true) stop()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { text: text + decoder.decode(), whole: enough?.aborted !== true }
      bytes += value.byteLength
      if (bytes > maxBytes) return { text, whole: false }
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    enough?.removeEventListener('abort', stop)
    // After the end this does nothing; before it, it closes the connection.
    stop()
  }
}
