import MiniSearch from 'minisearch'
import type { Vocabulary } from '../corpus/vocabulary.ts'

/** A prefix of fewer characters matches half the vocabulary. */
const shortestPrefix = 3
/** Edits allowed, as a share of the term's length: one in five characters, MiniSearch's own advice. */
const fuzziness = 0.2
/** Terms that one query term may become; more is noise. */
const mostExpansions = 12

/**
 * Finds the corpus terms that a person's query term may mean: itself, words that begin with it, words spelt almost
 * like it. MiniSearch indexes the vocabulary (one small document a term); records are then scored by BM25 as ever, so
 * short and long queries share one score.
 */
export class TermExpander {
  readonly #vocabulary: Vocabulary
  #index: MiniSearch<{ id: number; word: string }> | undefined
  #indexed = 0
  #growing: Promise<void> = Promise.resolve()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /**
   * Weighted words for weighted words; `keeps` says which terms are worth finding. The first call indexes the
   * vocabulary in slices, without blocking.
   */
  async expand(
    words: ReadonlyMap<string, number>,
    keeps: (term: number) => boolean = () => true,
  ): Promise<Map<string, number>> {
    const index = await this.#grown()
    const weights = new Map<string, number>()
    const raise = (word: string, weight: number): void => {
      if (weight > (weights.get(word) ?? 0)) weights.set(word, weight)
    }
    for (const [word, weight] of words) {
      const exact = this.#vocabulary.find(word)
      if (exact !== undefined && keeps(exact)) raise(word, weight)
      const found = index
        .search(word, { prefix: word.length >= shortestPrefix, fuzzy: fuzziness, filter: ({ id }) => keeps(id) })
        .map(({ id, score }) => ({ found: this.#vocabulary.word(id), score }))
        .sort((a, b) => rounded(b.score) - rounded(a.score) || (a.found < b.found ? -1 : 1))
      const best = found[0]?.score ?? 0
      // Beside an exact match the best relative is MiniSearch's share of it; without one it stands in for the word.
      for (const { found: relative, score } of found.slice(0, mostExpansions)) {
        // Rounded: the score has dust in its last digits that depends on how many words the vocabulary has.
        if (relative !== word) raise(relative, weight * relativeShare * rounded(score / best))
      }
    }
    return weights
  }

  async #grown(): Promise<MiniSearch<{ id: number; word: string }>> {
    const index = (this.#index ??= new MiniSearch({
      fields: ['word'],
      tokenize: (word) => [word],
      processTerm: (word) => word,
    }))
    const { size } = this.#vocabulary
    if (this.#indexed < size) {
      const added = Array.from({ length: size - this.#indexed }, (_, offset) => {
        const id = this.#indexed + offset
        return { id, word: this.#vocabulary.word(id) }
      })
      this.#indexed = size
      this.#growing = this.#growing.then(() => index.addAllAsync(added, { chunkSize: 500 }))
    }
    await this.#growing
    return index
  }
}

/** What a term found by prefix or spelling counts against the word itself (MiniSearch's weights are 0.375 and 0.45). */
const relativeShare = 0.4

function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6
}
