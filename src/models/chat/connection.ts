import type { ChatReply } from '../../contracts.ts'
import { DirectEvidenceError, type ErrorCode, messageOf } from '../../errors.ts'
import { readCapped } from './capped-body.ts'
import { type Completion, readCompletion, serverMessage } from './completion.ts'
import { completionsUrl, shownUrl } from './endpoint.ts'
import { isPassing, retryAfterMs } from './retry.ts'
import { redactor } from './secrets.ts'

/** What one attempt brought. */
export type Answer =
  | { readonly kind: 'reply'; readonly reply: ChatReply }
  | {
      readonly kind: 'failure'
      readonly error: DirectEvidenceError
      /** Whether it may be gone at the next attempt. */
      readonly passing: boolean
      readonly retryAfterMs?: number | undefined
    }

/** One attempt; it says early what the call fails with should its time run out. */
export type Ask = (body: string, signal: AbortSignal, onTimeout: (error: Error) => void) => Promise<Answer>

export interface ConnectionOptions {
  readonly id: string
  readonly baseUrl: URL
  readonly apiKey?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly reasoningFallback: boolean
  readonly fetch: typeof globalThis.fetch
}

/** Bytes of an answer: more than any text a model writes. */
const maxBodyBytes = 4_000_000

/** Bytes and milliseconds spent on the body of a refusal, which is read for its message only. */
const maxRefusalBytes = 64_000
const refusalBodyMs = 2_000

/** Characters that a message shows of what a server says. */
const shownCharacters = 300

/** Everything that is known about a server, in a function that asks it once. */
export function openConnection(options: ConnectionOptions): Ask {
  const { id, baseUrl, apiKey, reasoningFallback, fetch } = options
  const url = completionsUrl(baseUrl)
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' })
  if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`)
  for (const [name, value] of Object.entries(options.headers)) headers.set(name, value)
  const redact = redactor(apiKey, [...Object.values(options.headers), ...url.searchParams.values()])

  /** Without a cause: what a connection or a server throws could hold what was sent. */
  const fail = (code: ErrorCode, what: string, status?: number): DirectEvidenceError =>
    new DirectEvidenceError(code, redact(`The model ${id} at ${shownUrl(url)} ${what}`), {
      model: id,
      ...(status === undefined ? {} : { status }),
    })

  /** Redacted before it is cut: the cut would leave half a key. */
  const shown = (said: string): string => redact(said).trim().slice(0, shownCharacters) || '(nothing)'

  const instead = (body: string | undefined): string => (body === undefined ? '' : `: ${shown(body)}`)

  const refusal = (status: number, said: string): DirectEvidenceError => {
    if (status === 429) return fail('MODEL_RATE_LIMITED', `is asked too often (status 429): ${said}`, status)
    return fail('MODEL_FAILED', `refused the request (status ${status}): ${said}`, status)
  }

  return async (body, signal, onTimeout) => {
    let response: Response
    let text: string
    try {
      response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
      if (response.status === 429) onTimeout(refusal(429, 'it gave no whole answer in time'))
      if (!response.ok) return await refused(response)
      const read = await readCapped(response, maxBodyBytes, signal)
      signal.throwIfAborted()
      if (!read.whole) return final(fail('MODEL_REPLY_INVALID', `gave more than ${maxBodyBytes} bytes.`))
      text = read.text
    } catch (error) {
      signal.throwIfAborted()
      return { kind: 'failure', error: fail('MODEL_FAILED', `broke off: ${shown(reasonOf(error))}`), passing: true }
    }
    return answered(readCompletion(text, reasoningFallback), response)
  }

  async function refused(response: Response): Promise<Answer> {
    const enough = new AbortController()
    const timer = setTimeout(() => enough.abort(), refusalBodyMs)
    try {
      // A connection that breaks here has said the status already.
      const { text } = await readCapped(response, maxRefusalBytes, enough.signal).catch(() => ({ text: '' }))
      const redirect = response.status >= 300 && response.status < 400
      const said = redirect
        ? 'it is a redirect, which is not followed; set `baseUrl` to where the server is'
        : shown(serverMessage(text) ?? text)
      return failed(refusal(response.status, said), response.status, response)
    } finally {
      clearTimeout(timer)
    }
  }

  function answered(completion: Completion, response: Response): Answer {
    switch (completion.kind) {
      case 'reply':
        return completion
      case 'truncated':
        return final(fail('MODEL_REPLY_TRUNCATED', 'was cut off at its limit of tokens; allow more with `maxTokens`.'))
      case 'unusable':
        return final(fail('MODEL_REPLY_INVALID', `gave ${completion.what}${instead(completion.body)}`))
      case 'refused': {
        const status = completion.status ?? response.status
        return failed(refusal(status, shown(completion.message)), status, response)
      }
    }
  }
}

function final(error: DirectEvidenceError): Answer {
  return { kind: 'failure', error, passing: false }
}

function failed(error: DirectEvidenceError, status: number, response: Response): Answer {
  const asked = retryAfterMs(response.headers.get('retry-after'), Date.now())
  return { kind: 'failure', error, passing: isPassing(status), retryAfterMs: asked }
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error)
}
