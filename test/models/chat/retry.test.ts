import { describe, expect, it } from 'vitest'
import { isPassing, pauseMs, retryAfterMs } from '../../../src/models/chat/retry.ts'

const now = Date.UTC(2024, 0, 1)

describe('retryAfterMs', () => {
  it.each<[string | null, number | undefined]>([
    ['0', 0],
    ['3', 3_000],
    [' 2 ', 2_000],
    ['1.5', 1_500],
    ['Mon, 01 Jan 2024 00:00:05 GMT', 5_000],
    ['Sun, 31 Dec 2023 00:00:00 GMT', 0],
    ['-1', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('reads %j as %j ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected)
  })
})

describe('an attempt that failed', () => {
  it('is followed by a longer pause each time, up to 8 s', () => {
    expect([1, 2, 3, 4, 5, 6, 10].map(pauseMs)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
  })

  it('may pass when the server is busy, not when it refuses', () => {
    expect([408, 429, 500, 502, 503, 504, 529].every(isPassing)).toBe(true)
    expect([200, 301, 400, 401, 403, 404, 413, 422, 501].some(isPassing)).toBe(false)
  })
})
