import { type JsonRead, readJson } from './json-reader.ts'

/** A value that was read whole. */
export type JsonCandidate = Extract<JsonRead, { readonly ok: true }>

/**
 * Every object and array of a text, outermost only, in order; or the one value that the text as a whole is. Prose,
 * brackets in prose and code fences are passed over. What stands within an object that is broken is part of it and never
 * a candidate of its own, so that no answer is taken from half of one.
 *
 * Linear in the length of the text: every reading goes on where the last one ended.
 */
export function jsonCandidates(text: string): readonly JsonCandidate[] {
  const whole = wholeScalar(text)
  if (whole !== undefined) return [whole]
  const candidates: JsonCandidate[] = []
  const opener = /[{[\uff5b\uff3b]/g
  for (let at = 0; ; ) {
    opener.lastIndex = at
    const start = opener.exec(text)?.index
    if (start === undefined) return candidates
    const strict = readJson(text, start, 'strict')
    const read = strict.ok ? strict : readJson(text, start, 'repairing')
    if (!read.ok) at = behindFailure(text, start, read)
    else if (endsInString(text, start, read.end)) at = behindBroken(text, read.end, 1)
    else {
      candidates.push(read)
      at = read.end
    }
  }
}

/** A text, or the only fence of it, that is one string, number, boolean or null. In prose these mean nothing. */
function wholeScalar(text: string): JsonCandidate | undefined {
  const trimmed = text.trim()
  const fenced = /^```\w*[ \t]*\n/.exec(trimmed)
  const closed = fenced !== null && trimmed.endsWith('\n```')
  const body = closed ? trimmed.slice(fenced[0].length, -4).trim() : trimmed
  if (body === '' || '{[\uff5b\uff3b'.includes(body[0]!)) return undefined
  const read = readJson(body, 0, 'strict')
  return read.ok && read.end === body.length ? read : undefined
}

/**
 * Whether what looks like an end stands in a string with unescaped quotes, as after `{"quote":"return "}` in
 * `{"quote":"return "}" or so"}`: a quote follows at once, and the whole is not itself in quotes.
 */
function endsInString(text: string, start: number, end: number): boolean {
  return text[end] === '"' && text[start - 1] !== '"'
}

function behindFailure(text: string, start: number, failure: Extract<JsonRead, { readonly ok: false }>): number {
  const { at, open, meant } = failure
  if (meant) return behindBroken(text, at, open)
  // `{ "word" ...` in prose: at most one string was read. In a list much may have been, so it is not read again.
  return '{\uff5b'.includes(text[start]!) ? start + 1 : Math.max(at, start + 1)
}

/** Where a broken object ends: at its last closing bracket, strings aside, or with the text when it has none. */
function behindBroken(text: string, from: number, open: number): number {
  let depth = open
  let quoted = false
  for (let at = from; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') quoted = !quoted
    else if (quoted) at += char === '\\' ? 1 : 0
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return text.length
}
