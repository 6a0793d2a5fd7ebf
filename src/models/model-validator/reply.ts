import { z } from 'zod'
import { isObject } from '../../corpus/record-shape.ts'
import { jsonCandidates } from '../json-candidates.ts'
import { readModelJson } from '../model-json.ts'
import { answerWord, spokenAnswer } from './spoken-answers.ts'

/** What a model said of a record, before anything it said is believed. */
export type ModelAnswer =
  | { readonly answer: 'yes' | 'no'; readonly quotes: readonly string[]; readonly why: string }
  | { readonly answer: 'undecided'; readonly why: string }

/** Quotes of one reply that are looked at; a hostile one may have a million. */
const mostQuotes = 20
/** Characters of the model's own reason that are kept. */
const reasonCharacters = 300

const quote = z.union([
  z.string(),
  z.looseObject({ quote: z.string().optional(), text: z.string().optional(), chunk: z.string().optional() }),
])
const quotes = z.union([z.array(quote), quote]).nullish()
const said = z.union([z.string(), z.boolean()]).optional()
const replySchema = z
  .looseObject({ answer: said, verdict: said, direct: said, quotes, quote: quotes, evidence: quotes })
  .refine((reply) => answersOf(reply).length > 0, 'it has no `answer` that is yes or no')
  .refine((reply) => new Set(answersOf(reply)).size < 2, 'it answers yes and no')

/**
 * Reads a reply: JSON as it was asked for, or prose that begins with a yes or a no. Nothing is guessed: a reply that is
 * cut off, says two things or says nothing is undecided, with the reason.
 */
export function readReply(reply: string): ModelAnswer {
  const scan = jsonCandidates(reply)
  if (
    scan.kind === 'scanned' &&
    !/^\s*[{[]/.test(scan.answer) &&
    !scan.candidates.some(({ value }) => isObject(value))
  ) {
    const spoken = spokenAnswer(scan.answer)
    if (spoken !== undefined) return { answer: spoken, quotes: quotedIn(scan.answer), why: '' }
  }
  const read = readModelJson(reply, replySchema)
  if (read.outcome === 'unusable') return { answer: 'undecided', why: read.reason }
  const { value } = read
  const texts = [value.quotes, value.quote, value.evidence].flatMap((each) => textsOf(each)).slice(0, mostQuotes)
  const why = typeof value.reason === 'string' ? value.reason.slice(0, reasonCharacters) : ''
  return { answer: answersOf(value)[0]!, quotes: texts, why }
}

function answersOf(reply: { readonly [key: string]: unknown }): ('yes' | 'no')[] {
  return [reply.answer, reply.verdict, reply.direct].flatMap((value) => {
    if (typeof value === 'boolean') return [value ? 'yes' : 'no']
    return typeof value === 'string' ? (answerWord(value) ?? []) : []
  })
}

function textsOf(given: z.output<typeof quotes>): string[] {
  if (given === undefined || given === null) return []
  if (Array.isArray(given)) return given.flatMap((each) => textsOf(each))
  if (typeof given === 'string') return [given]
  return [given.quote, given.text, given.chunk].filter((text) => text !== undefined).slice(0, 1)
}

/** What stands in quotation marks or backticks in prose. */
function quotedIn(text: string): string[] {
  const found = text.matchAll(/`{1,3}([^`]+)`{1,3}|"([^"\n]+)"|“([^”\n]+)”|«([^»\n]+)»|「([^」\n]+)」|'([^'\n]+)'/g)
  const texts: string[] = []
  for (const match of found) {
    texts.push(match.slice(1).find((part) => part !== undefined) ?? '')
    if (texts.length === mostQuotes) break
  }
  return texts
}
