/**
 * What a feature of a word is: the `whole` identifier when it has several parts, one of its `part`s (a simple word is
 * its own only part), or a `gram`: 3 or 4 characters in a row of a part.
 */
export type FeatureKind = 'whole' | 'part' | 'gram'

/** One feature of one word. Features are equal when kind and text are. */
export interface Feature {
  readonly kind: FeatureKind
  readonly text: string
}

/**
 * Characters of a word that are read; the rest of the word is skipped. No name that people write is longer, and what is
 * longer (base64, hashes, minified data) would only add noise and time.
 */
const longestWord = 64

const asciiWord = /[A-Za-z0-9_]+/g
const word = /[\p{L}\p{M}\p{N}_]+/gu
const beyondAscii = /[^\0-\x7f]/

/** Scripts written without spaces, whose runs are read as overlapping pairs. Extensions, because `ー` is of two scripts. */
const spacelessScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const spaceless = new RegExp(`[${spacelessScripts.map((script) => `\\p{scx=${script}}`).join('')}]+`, 'gu')
const onlySpaceless = new RegExp(`^${spaceless.source}$`, 'u')

/** `HTTPServer` is HTTP and Server, `Sprite2D` is Sprite, 2 and D; an underscore parts too, and belongs to no part. */
const part = /\p{Lu}+(?!\p{Ll})|[\p{Lu}\p{Lt}]?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lt}|\p{N}+/gu

/** Brings a text to the form that is read: composed (NFC), so that both ways to write `é` are one. */
export function readable(text: string): string {
  return beyondAscii.test(text) ? text.normalize('NFC') : text
}

/**
 * Counts the words of a text.
 *
 * A word is a run of letters, marks, digits and `_`; of a word longer than 64 UTF-16 code units the first 64 count. A
 * run of a script without spaces counts as its overlapping pairs of characters, whatever its length. Linear in the
 * text.
 *
 * @param text As {@link readable} gives it.
 * @param counts Takes the counts; new words are added in the order of the text.
 * @param from Where to start, a place between words.
 * @param length Stops at the first word that starts at `from + length` or later.
 * @returns Where it stopped; the length of the text at its end.
 */
export function countWords(
  text: string,
  counts: Map<string, number>,
  from: number = 0,
  length: number = Number.POSITIVE_INFINITY,
): number {
  const pattern = beyondAscii.test(text) ? word : asciiWord
  pattern.lastIndex = from
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match.index >= from + length) return match.index
    if (pattern === word) countMixed(match[0], counts)
    else count(head(match[0]), counts)
  }
  return text.length
}

/**
 * The features of one word as {@link countWords} counts it. Character grams stand between boundary marks: those of
 * `play` are `<pl pla lay ay> <pla play lay>`.
 *
 * @example
 * ```ts
 * featuresOf('moveLeft').filter(({ kind }) => kind !== 'gram')
 * // [{ kind: 'whole', text: 'moveleft' }, { kind: 'part', text: 'move' }, { kind: 'part', text: 'left' }]
 * ```
 */
export function featuresOf(word: string): readonly Feature[] {
  // A pair of such characters is nearly a word; grams of it would say the same thing again.
  if (onlySpaceless.test(word)) return [{ kind: 'part', text: word }]
  const parts = word.match(part)?.map((text) => text.toLowerCase()) ?? []
  const features: Feature[] = parts.length > 1 ? [{ kind: 'whole', text: word.toLowerCase() }] : []
  for (const text of parts) {
    features.push({ kind: 'part', text })
    const marked = `<${text}>`
    for (let size = 3; size <= 4; size++) {
      for (let start = 0; start + size <= marked.length; start++) {
        features.push({ kind: 'gram', text: marked.slice(start, start + size) })
      }
    }
  }
  return features
}

function countMixed(run: string, counts: Map<string, number>): void {
  let end = 0
  for (const match of run.matchAll(spaceless)) {
    if (match.index > end) count(head(run.slice(end, match.index)), counts)
    countPairs(match[0], counts)
    end = match.index + match[0].length
  }
  if (end < run.length) count(head(run.slice(end)), counts)
}

function countPairs(run: string, counts: Map<string, number>): void {
  let before: string | undefined
  let pairs = 0
  for (const character of run) {
    if (before !== undefined) {
      count(before + character, counts)
      pairs++
    }
    before = character
  }
  if (pairs === 0) count(run, counts)
}

function count(word: string, counts: Map<string, number>): void {
  counts.set(word, (counts.get(word) ?? 0) + 1)
}

function head(word: string): string {
  if (word.length <= longestWord) return word
  const last = word.charCodeAt(longestWord - 1)
  const splitsPair = last >= 0xd800 && last < 0xdc00
  return word.slice(0, splitsPair ? longestWord - 1 : longestWord)
}
