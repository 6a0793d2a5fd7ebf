/** A run in scripts that are written without spaces; cut into overlapping pairs, as search engines do. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu
const cased = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+/gu
const ascii = /^[\x00-\x7f]*$/
const dimension = /^[1-9]d$/

/** Words longer than this are data (base64, minified bundles), not names: they are left out everywhere. */
export const longestWord = 100

/** The form in which words are compared when case does not matter: NFC, lower case. */
export function fold(word: string): string {
  return ascii.test(word) ? word.toLowerCase() : word.normalize('NFC').toLowerCase()
}

/**
 * The camelCase, snake_case and digit parts of an identifier, folded, in order; for a single word, nothing.
 *
 * `AnimatedSprite2D` gives `animated`, `sprite`, `2d`; `is_action_pressed` gives `is`, `action`, `pressed`.
 */
export function partsOf(word: string): readonly string[] {
  let parts = cache.get(word)
  if (parts === undefined) {
    parts = cut(word)
    if (cache.size >= mostCached) cache.clear()
    cache.set(word, parts)
  }
  return parts
}

/** The same few thousand names make up most of a corpus and of every chunk. */
const cache = new Map<string, readonly string[]>()
const mostCached = 50_000

function cut(word: string): readonly string[] {
  const parts: string[] = []
  for (const piece of word.split('_')) {
    if (piece === '') continue
    if (!ascii.test(piece)) pushUnspaced(piece, parts)
    const cuts = piece.match(cased) ?? []
    for (let index = 0; index < cuts.length; index++) {
      const cut = cuts[index] ?? ''
      const joined = fold(cut + (cuts[index + 1] ?? ''))
      // `2D` is one word to every reader, though it is a digit and a letter.
      if (dimension.test(joined)) {
        parts.push(joined)
        index++
      } else parts.push(fold(cut))
    }
  }
  return parts.length === 1 && parts[0] === fold(word) ? [] : parts
}

function pushUnspaced(piece: string, parts: string[]): void {
  for (const [run] of piece.matchAll(unspaced)) {
    const characters = [...run]
    for (let index = 0; index + 1 < characters.length; index++) {
      parts.push(fold(`${characters[index]}${characters[index + 1]}`))
    }
  }
}
