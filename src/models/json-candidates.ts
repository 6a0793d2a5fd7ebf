import { isQuoteAt } from './json-marks.ts'
import { type JsonRead, readJson } from './json-reader.ts'
import { behindThought, endsThought, thoughtTagAt } from './thoughts.ts'

/** A value that was read whole. */
export type JsonCandidate = Extract<JsonRead, { readonly ok: true }>

/** What may be the answer in a reply, or why nobody can tell where its answer begins. */
export type JsonScan =
  | {
      readonly kind: 'scanned'
      readonly candidates: readonly JsonCandidate[]
      /** The reply behind its last thought. */
      readonly answer: string
    }
  | { readonly kind: 'unclear'; readonly reason: string }

/**
 * Every object and array of a reply after its last thought, outermost only, in order; or the one value that all of it is.
 * Prose, brackets in prose and code fences are passed over.
 *
 * What stands within an object that is broken is part of it and never a candidate of its own, so that no answer is taken
 * from half of one. A closing tag alone ends a thought too: servers leave it when the opening one was part of the prompt.
 * A tag within a string of JSON is text, or else a record that is quoted could say where the answer begins.
 *
 * Linear in the length of the reply: every reading goes on where the last one ended.
 */
export function jsonCandidates(reply: string): JsonScan {
  let candidates: JsonCandidate[] = []
  let answerStart = 0
  const mark = /[{[\uff5b\uff3b]|<\/?[a-z]/gi
  for (;;) {
    const start = mark.exec(reply)?.index
    if (start === undefined) break
    if (reply[start] === '<') {
      const tag = thoughtTagAt(reply, start)
      if (tag === undefined) continue
      const behind = tag.closes ? tag.end : behindThought(reply, tag)
      if (behind === undefined) return { kind: 'unclear', reason: 'a thought is opened and never closed' }
      // What stood before was a thought, or is not what the model came to.
      candidates = []
      answerStart = mark.lastIndex = behind
    } else {
      const { candidate, end } = readBrackets(reply, start)
      if (candidate?.repaired !== false && endsThought(reply, start, end))
        return { kind: 'unclear', reason: 'a thought ends within broken JSON' }
      if (candidate !== undefined) candidates.push(candidate)
      mark.lastIndex = end
    }
  }
  const answer = reply.slice(answerStart)
  const whole = wholeScalar(answer)
  return { kind: 'scanned', candidates: whole === undefined ? candidates : [whole], answer }
}

/** What an opening bracket begins, and where to go on behind it. */
interface Brackets {
  readonly candidate: JsonCandidate | undefined
  readonly end: number
}

function readBrackets(text: string, start: number): Brackets {
  const strict = readJson(text, start, 'strict')
  const read = strict.ok ? strict : readJson(text, start, 'repairing')
  if (!read.ok) return { candidate: undefined, end: behindFailure(text, start, read) }
  if (endsInString(text, start, read.end)) return { candidate: undefined, end: behindBroken(text, read.end, 1) }
  return { candidate: read, end: read.end }
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
  return isQuoteAt(text, end, 'repairing') && !isQuoteAt(text, start - 1, 'repairing')
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
