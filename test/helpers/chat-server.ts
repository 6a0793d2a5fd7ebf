import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request as the server got it. */
export interface ReceivedCall {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

export interface ChatServer extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  readonly calls: readonly ReceivedCall[]
}

export type Responder = (response: ServerResponse, call: number) => void

/** A real server on the loopback interface; `call` counts from 1. */
export async function chatServer(respond: Responder): Promise<ChatServer> {
  const calls: ReceivedCall[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    calls.push({ url: request.url!, headers: request.headers, body })
    respond(response, calls.length)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Responder {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** The body of a completion with one message. */
export function completion(message: unknown, finishReason = 'stop'): unknown {
  return {
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
  }
}

export function says(content: string): Responder {
  return json(completion({ role: 'assistant', content }))
}

/** Sends a head and some of a body, and never ends it. */
export function endless(status: number, headers: Readonly<Record<string, string>> = {}): Responder {
  return (response) => void response.writeHead(status, headers).write('{"choices":')
}
