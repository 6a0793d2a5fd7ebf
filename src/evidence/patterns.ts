import { RE2JS } from 're2js'
import type { ChunkReading } from '../code/chunk.ts'
import { cutsWord } from '../code/lexing/words.ts'
import type { Span } from '../contracts.ts'
import { messageOf } from '../errors.ts'

/**
 * Longest pattern, and most instructions it may compile to: the largest of 1,166 patterns of the development corpora has
 * 163 characters and 75 instructions. The engine needs up to 80 ns for each instruction and character.
 */
export const longestPattern = 4_000
const largestProgram = 500

/** Compiled patterns that are kept; each may hold some megabytes of states when its corpus is hostile. */
const mostCompiled = 512
const compiled = new Map<string, RE2JS | undefined>()

/**
 * A corpus pattern, compiled by RE2, whose matching time is linear in the text whatever the pattern; undefined when it
 * is not valid there or too large.
 */
export function compilePattern(pattern: string): RE2JS | undefined {
  if (pattern.length > longestPattern) return undefined
  if (compiled.has(pattern)) return compiled.get(pattern)
  let engine: RE2JS | undefined
  try {
    engine = RE2JS.compile(pattern, RE2JS.MULTILINE)
  } catch {
    engine = undefined
  }
  if (engine !== undefined && engine.programSize() > largestProgram) engine = undefined
  const [oldest] = compiled.keys()
  if (compiled.size >= mostCompiled && oldest !== undefined) compiled.delete(oldest)
  compiled.set(pattern, engine)
  return engine
}

/** Why a regular expression cannot be used; undefined when it can. */
export function faultOfRegex(pattern: string): string | undefined {
  if (compilePattern(pattern) !== undefined) return undefined
  if (pattern.length > longestPattern) return `it is longer than ${longestPattern} characters`
  try {
    RE2JS.compile(pattern, RE2JS.MULTILINE)
    return `it is too large: it compiles to more than ${largestProgram} instructions`
  } catch (error) {
    return messageOf(error)
  }
}

/**
 * The first match of a pattern in the code without its comments that covers one of `places` (where the gates stand);
 * without places, one that covers code rather than only the inside of a string. `bad` for a pattern that is not valid.
 */
export function matchPattern(
  chunk: ChunkReading,
  pattern: string,
  places: readonly Span[] | undefined,
): Span | 'bad' | undefined {
  const engine = compilePattern(pattern)
  if (engine === undefined) return 'bad'
  for (const match of matches(chunk, engine, places)) {
    const covers = (span: Span): boolean => span.start < match.end && match.start < span.end
    if (places !== undefined ? places.some(covers) : coversCode(chunk, match) && !cutsWord(chunk.text, match))
      return match
  }
  return undefined
}

/** Whether a pattern matches the code at exactly this span. */
export function patternMatches(chunk: ChunkReading, pattern: string, span: Span): boolean {
  const engine = compilePattern(pattern)
  if (engine === undefined) return false
  for (const match of matches(chunk, engine, [span]))
    if (match.start === span.start && match.end === span.end) return true
  return false
}

/** Instructions times characters up to which a text is searched as one; beyond, in windows where the gates stand. */
const wholeCost = 2_000_000
/** Instructions times characters that one pattern may cost on one chunk: half a second at the very worst. */
const mostCost = 8_000_000
/** Half the length of a window; it overlaps its neighbours by so much. */
const stride = 4_000
/** Matches looked at before giving up: a pattern that matches everywhere says nothing. */
const mostMatches = 200

/**
 * Matches in the order of the text, within a bound that depends on pattern and text alone. Each search is charged for
 * all the text before it, because a pattern can be made that reads to the end before it settles for a short match.
 */
function* matches(chunk: ChunkReading, engine: RE2JS, places: readonly Span[] | undefined): Generator<Span> {
  const { text, offsetOf } = patternTextOf(chunk)
  const size = engine.programSize()
  const windows = text.length * size <= wholeCost ? [{ start: 0, end: text.length }] : windowsOf(text)
  let cost = 0
  for (const window of windows) {
    const span = { start: offsetOf(window.start), end: offsetOf(window.end) }
    if (places !== undefined && !places.some(({ start, end }) => start < span.end && span.start < end)) continue
    const matcher = engine.matcher(text.slice(window.start, window.end))
    let from = window.start
    for (let count = 0; count < mostMatches; count++) {
      cost += (window.end - from) * size
      if (cost > mostCost || !matcher.find()) break
      from = window.start + matcher.start()
      yield trimmed(text, from, window.start + matcher.end(), offsetOf)
    }
    if (cost > mostCost) return
  }
}

/** A match without the blanks at its ends: white space, or what a comment left, is no code. */
function trimmed(text: string, from: number, to: number, offsetOf: (index: number) => number): Span {
  let start = from
  let end = to
  while (start < end && isBlank(text, start)) start++
  while (end > start && isBlank(text, end - 1)) end--
  return { start: offsetOf(start), end: offsetOf(end) }
}

function isBlank(text: string, at: number): boolean {
  return text.charAt(at).trim() === ''
}

/** Overlapping windows that begin with a line where they can; the same for every pattern. */
function windowsOf(text: string): Span[] {
  const starts: number[] = []
  for (let at = 0; at < text.length; at += stride) {
    const line = text.lastIndexOf('\n', at) + 1
    starts.push(at - line < stride / 4 ? line : at)
  }
  return starts.map((start, index) => ({ start, end: starts[index + 2] ?? text.length }))
}

/** Whether a span covers more than comments and strings. */
export function coversCode(chunk: ChunkReading, match: Span): boolean {
  return chunk.code.tokens.some(
    (token) =>
      token.kind !== 'comment' && token.kind !== 'string' && token.start < match.end && match.start < token.end,
  )
}

/** Code as a pattern sees it, and where its characters stand in the chunk. */
interface PatternText {
  readonly text: string
  /** Offset in the chunk of an offset in `text`. */
  offsetOf(index: number): number
}

const patternTexts = new WeakMap<ChunkReading, PatternText>()

/** The chunk's text with its comments blanked, and lines that end in a line feed alone, so that `$` finds their ends. */
function patternTextOf(chunk: ChunkReading): PatternText {
  let known = patternTexts.get(chunk)
  if (known === undefined) patternTexts.set(chunk, (known = withoutReturns(codeWithoutComments(chunk))))
  return known
}

function codeWithoutComments({ text, code }: ChunkReading): string {
  const parts: string[] = []
  let from = 0
  for (const { kind, start, end } of code.tokens) {
    if (kind !== 'comment') continue
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\r\n]/g, ' '))
    from = end
  }
  return parts.join('') + text.slice(from)
}

function withoutReturns(text: string): PatternText {
  const lines = text.split('\r\n')
  if (lines.length === 1) return { text, offsetOf: (index) => index }
  /** Where each line but the first begins in the shorter text. */
  const starts: number[] = []
  let length = 0
  for (const line of lines.slice(0, -1)) starts.push((length += line.length + 1))
  return {
    text: lines.join('\n'),
    offsetOf(index) {
      let low = 0
      let high = starts.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (starts[middle]! <= index) low = middle + 1
        else high = middle
      }
      return index + low
    },
  }
}
