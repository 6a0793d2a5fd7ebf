/** Strings and the dense numbers that stand for them in typed arrays. Grows only; ids follow first appearance. */
export class Vocabulary {
  readonly #ids = new Map<string, number>()
  readonly #words: string[] = []

  /** The id of a string, given on first sight. */
  intern(word: string): number {
    const known = this.#ids.get(word)
    if (known !== undefined) return known
    const id = this.#words.length
    this.#ids.set(word, id)
    this.#words.push(word)
    return id
  }

  /** The id of a string, or undefined when no record has it. */
  find(word: string): number | undefined {
    return this.#ids.get(word)
  }

  word(id: number): string {
    return this.#words[id] ?? ''
  }

  get size(): number {
    return this.#words.length
  }
}

/** The two vocabularies of one corpus: folded words to search by, and exact literals to prove with. */
export interface Vocabularies {
  readonly terms: Vocabulary
  readonly literals: Vocabulary
}

export function createVocabularies(): Vocabularies {
  return { terms: new Vocabulary(), literals: new Vocabulary() }
}
