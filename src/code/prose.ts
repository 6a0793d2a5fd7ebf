import { longestWord } from './parts.ts'

/** A name written in prose, alone or as a chain. */
export interface ProseName {
  /** Names of the chain in order; one for a lone word. */
  readonly path: readonly string[]
  readonly start: number
  readonly end: number
  /** Whether a bracket follows, as in `play()`. */
  readonly call: boolean
  /** Whether it is written as code is: an underscore, inner capitals, digits, a chain, a call. */
  readonly codeLike: boolean
}

// Not in the middle of a word: `D` is no name of `4D`.
const names =
  /(?:@|(?<![\p{L}\p{M}\p{N}\p{Pc}]))[\p{L}\p{Pc}][\p{L}\p{M}\p{N}\p{Pc}]*(?:(?:\.|::|->)[\p{L}\p{Pc}][\p{L}\p{M}\p{N}\p{Pc}]*)*/gu
const separators = /\.|::|->/
const inner = /[\p{Pc}\d]|\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}|^\p{Lu}{2,}$|^@/u

/** Every word and dotted name of a text in natural language. Linear in the text. */
export function readProse(text: string): ProseName[] {
  const found: ProseName[] = []
  for (const match of text.matchAll(names)) {
    const [word] = match
    const end = match.index + word.length
    const call = text.charAt(end) === '('
    const path = separators.test(word) ? word.split(separators) : [word]
    if (path.some((name) => name.length > longestWord)) continue
    found.push({ path, start: match.index, end, call, codeLike: call || path.length > 1 || inner.test(word) })
  }
  return found
}

const wholeSymbol = /^[@$#.&%]?[\p{L}\p{Pc}\d@][^\s(]*(?:\(.*\))?$/su
const symbolSeparators = /\.|::|->|#|\\/

/**
 * The names of a text that is one API name as a whole: `AnimatedSprite2D.play`, `std::vector`, `Array#each`,
 * `tf.reduce_sum(keep_dims=)`; undefined for anything with a space in it.
 */
export function symbolPath(text: string): string[] | undefined {
  if (!wholeSymbol.test(text)) return undefined
  const bracket = text.indexOf('(')
  const path = (bracket < 0 ? text : text.slice(0, bracket)).split(symbolSeparators).filter((name) => name !== '')
  return path.length === 0 ? undefined : path
}

/** Whether a lone word can only be a name: `is_action_pressed`, `Node2D`, `HTTPRequest`; not `Timer`, not `play`. */
export function isCodeLike(word: string): boolean {
  return inner.test(word)
}
