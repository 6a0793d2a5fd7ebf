/** Statuses that say "later", not "no". 529 is what some providers send when they are overloaded. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529])

export function isPassing(status: number): boolean {
  return passing.has(status)
}

const firstPauseMs = 500
const longestPauseMs = 8_000

/** The pause before the next attempt when the server names none: 0.5 s, 1 s, 2 s ... */
export function pauseMs(failedAttempts: number): number {
  return Math.min(firstPauseMs * 2 ** (failedAttempts - 1), longestPauseMs)
}

/**
 * Milliseconds that a `Retry-After` header asks for: seconds or a date (RFC 9110, section 10.2.3). Undefined when it is
 * neither.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000
  // `Date.parse` also reads what is no date of HTTP, such as a bare negative number.
  const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
