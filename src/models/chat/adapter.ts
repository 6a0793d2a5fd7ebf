import pLimit from 'p-limit'
import { z } from 'zod'
import { unlessAborted } from '../../abortable.ts'
import type { ChatModel, ChatRequest } from '../../contracts.ts'
import { checkedReply, timedOut } from './ask-model.ts'
import { longestTimeoutMs, withDeadline } from './deadline.ts'

/** What every adapter can be told about its calls. */
export interface CallOptions {
  /** Milliseconds from the moment a call leaves the queue until its reply is read, retries included. Default 60,000. */
  readonly timeoutMs?: number
  /** Calls at a time; the others wait in a queue. Default 4. */
  readonly concurrency?: number
}

/** The fields of {@link CallOptions} in a schema of options. */
export const callOptionFields: {
  readonly timeoutMs: z.ZodDefault<z.ZodInt>
  readonly concurrency: z.ZodDefault<z.ZodInt>
} = {
  timeoutMs: z.int().min(1).max(longestTimeoutMs).default(60_000),
  concurrency: z.int().min(1).max(1024).default(4),
}

/** One call of a model as an adapter makes it. */
export interface Call {
  readonly request: ChatRequest
  /** Aborted when the call has to end; the request's own signal need not be looked at. */
  readonly signal: AbortSignal
  /** Says what the call fails with should its time run out; a timeout by name when nothing is said. */
  onTimeout(error: Error): void
}

/** Makes a chat model of one function: a queue, a deadline, checked replies and typed errors around it. */
export function adapter(
  id: string,
  { timeoutMs, concurrency }: Required<CallOptions>,
  make: (call: Call) => Promise<unknown>,
): ChatModel {
  const limit = pLimit(concurrency)
  const run: ChatModel['complete'] = (request) => {
    let onTimeout: Error = timedOut(id, timeoutMs)
    return withDeadline({ timeoutMs, signals: [request.signal], expired: () => onTimeout }, (signal) =>
      checkedReply(id, async () =>
        make({
          request: { ...request, signal },
          signal,
          onTimeout(error) {
            onTimeout = error
          },
        }),
      ),
    )
  }
  return {
    id,
    async complete(request) {
      request.signal?.throwIfAborted()
      // A call that is aborted while it waits ends here at once; when its turn comes, `run` looks at the signal first.
      return unlessAborted(
        limit(() => run(request)),
        request.signal,
      )
    },
  }
}
