import { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Messages } from '../../src/cli/messages.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function messagesOn(
  isTTY: boolean,
  env: Record<string, string> = {},
  columns = 20,
): { messages: Messages; told: () => string } {
  let text = ''
  const stderr = new Writable({
    write(bytes: Buffer, _encoding, done) {
      text += bytes.toString()
      done()
    },
  })
  const io = { stdout: stderr, stderr: Object.assign(stderr, { isTTY, columns }), stdin: Readable.from([]), env }
  return { messages: new Messages(io), told: () => text }
}

test('a file gets no progress of short work, and a line every two seconds of long work', () => {
  const { messages, told } = messagesOn(false)
  messages.progress('one')
  vi.advanceTimersByTime(1_900)
  expect(told()).toBe('')
  messages.progress('two')
  vi.advanceTimersByTime(200)
  messages.progress('three')
  vi.advanceTimersByTime(1_000)
  expect(told()).toBe('two\n')
  vi.advanceTimersByTime(60_000)
  messages.endProgress()
  expect(told()).toBe('two\nthree\n')
})

test('a terminal gets one line that is rewritten, cut to its width, and taken away before anything else is told', () => {
  const { messages, told } = messagesOn(true)
  messages.progress('reading: 1000000 records')
  vi.advanceTimersByTime(100)
  messages.tell('bad')
  vi.advanceTimersByTime(100)
  messages.endProgress()
  const line = 'reading: 1000000 r…'
  expect(told()).toBe(`${line}\r\u001b[2Kbad\n${line}\r\u001b[2K`)
})

test('a dumb terminal gets no commands', () => {
  const { messages, told } = messagesOn(true, { TERM: 'dumb' })
  messages.progress('one')
  vi.advanceTimersByTime(2_000)
  messages.endProgress()
  expect(told()).toBe('one\n')
})

test('a terminal that does not know its width gets the whole line', () => {
  const { messages, told } = messagesOn(true, {}, 0)
  messages.progress('reading: 1000000 records')
  vi.advanceTimersByTime(100)
  messages.endProgress()
  expect(told()).toContain('reading: 1000000 records')
})

test('silence drops progress and notes, never errors', () => {
  const { messages, told } = messagesOn(false)
  messages.silence()
  messages.progress('one')
  vi.advanceTimersByTime(10_000)
  messages.note('two')
  messages.tell('three\nfour')
  expect(told()).toBe('three\\nfour\n')
})
