import { Buffer } from 'node:buffer'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { DirectEvidenceError, messageOf } from '../errors.ts'

/** Bytes or text in chunks of any size: a Node `Readable`, a web `ReadableStream`, or any other async iterable. */
export type ByteStream = AsyncIterable<string | Uint8Array>

/** Large enough that a fast disk is not waited for, small beside the records. */
const chunkBytes = 256 * 1024

/**
 * The bytes of a file or stream, unpacked when they are gzip, which the first two bytes tell. When the reading ends, be
 * it early, the file is closed and the stream is given up.
 *
 * @param name How messages call the source.
 * @throws `CORPUS_UNREADABLE` when the source cannot be read or unpacked, the signal's reason after an abort.
 */
export async function* readBytes(
  source: string | URL | ByteStream,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted()
  const stop = new AbortController()
  const forward = (): void => stop.abort(signal?.reason)
  signal?.addEventListener('abort', forward, { once: true })
  const isFile = typeof source === 'string' || source instanceof URL
  const bytes = isFile ? fileBytes(source) : streamBytes(source, stop.signal)
  try {
    yield* unpack(bytes, stop)
  } catch (cause) {
    signal?.throwIfAborted()
    if (DirectEvidenceError.isInstance(cause)) throw cause
    const message = `${name} could not be read: ${messageOf(cause)}. Check that it exists, is readable and complete.`
    throw new DirectEvidenceError('CORPUS_UNREADABLE', message, isFile ? { cause, file: name } : { cause })
  } finally {
    signal?.removeEventListener('abort', forward)
  }
}

async function* fileBytes(path: string | URL): AsyncGenerator<Uint8Array> {
  const handle = await open(path)
  try {
    for (;;) {
      // A new buffer each time: the one before may still wait to be unpacked.
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

async function* streamBytes(stream: ByteStream, stop: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]()
  const text = new TextBytes()
  let state: 'between' | 'waiting' | 'ended' = 'between'
  try {
    for (;;) {
      state = 'waiting'
      const step = await nextUnlessStopped(iterator, stop, () => {
        state = 'ended'
      })
      if (step.done === true) break
      state = 'between'
      if (typeof step.value === 'string') yield text.encode(step.value)
      else {
        yield text.end()
        yield viewOf(step.value)
      }
    }
    yield text.end()
  } finally {
    // Left before its end. A read that is still waiting may never come back, so it is not waited for.
    if (state === 'between') await iterator.return?.()
    else if (state === 'waiting') {
      Promise.resolve(iterator.return?.()).catch(() => {})
      if (stream instanceof Readable) stream.destroy()
    }
  }
}

/** The stream's next step, or a rejection as soon as nobody wants it any more. `onEnd`: it will give no more. */
function nextUnlessStopped<Chunk>(
  iterator: AsyncIterator<Chunk>,
  stop: AbortSignal,
  onEnd: () => void,
): Promise<IteratorResult<Chunk>> {
  return new Promise((resolve, reject) => {
    const onStop = (): void => reject(stop.reason)
    stop.addEventListener('abort', onStop, { once: true })
    const step = async (): Promise<void> => {
      try {
        const result = await iterator.next()
        if (result.done === true) onEnd()
        resolve(result)
      } catch (error) {
        onEnd()
        reject(error)
      } finally {
        stop.removeEventListener('abort', onStop)
      }
    }
    if (stop.aborted) onStop()
    else void step()
  })
}

function viewOf(chunk: unknown): Uint8Array {
  // Not instanceof: a chunk may come from another realm, as in a test runner.
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  const message = `readRecords: option \`source\`: a stream must give text or bytes, not values of type ${typeof chunk}`
  throw new DirectEvidenceError('OPTION_INVALID', message, { option: 'source' })
}

/** UTF-8 bytes of text that comes in pieces. */
class TextBytes {
  /** First half of a surrogate pair that ended the last piece. */
  #half = ''

  encode(piece: string): Uint8Array {
    const text = this.#half + piece
    const last = text.charCodeAt(text.length - 1)
    this.#half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
    return encodeText(this.#half === '' ? text : text.slice(0, -1))
  }

  end(): Uint8Array {
    const half = this.#half
    this.#half = ''
    return encodeText(half)
  }
}

/** UTF-8 has no half pairs; in JSON they can only stand in strings, where the escape means the same. */
function encodeText(text: string): Uint8Array {
  return Buffer.from(
    text.replace(/\p{Cs}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`),
    'utf8',
  )
}

/** Passes bytes on, unpacked when they start as gzip does. Leaving it ends the reading of `bytes`. */
async function* unpack(bytes: AsyncGenerator<Uint8Array>, stop: AbortController): AsyncGenerator<Uint8Array> {
  try {
    let head: Uint8Array = new Uint8Array()
    while (head.length < 2) {
      const step = await bytes.next()
      if (step.done === true) break
      head = head.length === 0 ? step.value : Buffer.concat([head, step.value])
    }
    const packed = head[0] === 0x1f && head[1] === 0x8b
    yield* packed ? gunzip(rejoin(head, bytes), stop) : rejoin(head, bytes)
  } finally {
    stop.abort()
    await bytes.return(undefined)
  }
}

async function* rejoin(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  yield* rest
}

async function* gunzip(packed: AsyncIterable<Uint8Array>, stop: AbortController): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip()
  const feeding = pipeline(packed, unpacked)
  // Its failure also reaches whoever reads from `unpacked`.
  feeding.catch(() => {})
  try {
    yield* unpacked
  } finally {
    unpacked.destroy()
    // The pipeline reads ahead; a stream that says nothing more must not hold it.
    stop.abort()
    await feeding.catch(() => {})
  }
}
