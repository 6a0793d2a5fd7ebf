const opening = /<<[<~-]?\s?(["'`]?)([A-Za-z_]\w*)\1/y
const terminators = /^[ \t]*([A-Za-z_]\w*)[;,) \t\r]*$/gm

/**
 * Finds the texts that begin on the line below `<<NAME` and end with a line that holds the name.
 *
 * The lines that can end one are gathered once, so that openings that end nowhere cost nothing.
 */
export class HeredocReader {
  readonly #text: string
  #ends: Map<string, number[]> | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Where the text ends whose opening stands at `start`; undefined when none stands there. */
  at(start: number): number | undefined {
    opening.lastIndex = start
    const match = opening.exec(this.#text)
    const name = match?.[2] ?? ''
    // `1 <<x` shifts; the name of a text is in capitals or in quotes.
    if (match === null || (match[1] === '' && !/^[A-Z]/.test(name))) return undefined
    const ends = this.#terminators().get(name)
    const line = this.#text.indexOf('\n', start)
    if (ends === undefined || line < 0) return undefined
    while (ends.length > 0 && ends.at(-1)! <= line) ends.pop()
    return ends.at(-1)
  }

  /** Ends of the lines that hold one word only, by the word, last first. */
  #terminators(): Map<string, number[]> {
    if (this.#ends !== undefined) return this.#ends
    const ends = new Map<string, number[]>()
    for (const match of this.#text.matchAll(terminators)) {
      const word = match[1] ?? ''
      const end = match.index + match[0].indexOf(word) + word.length
      const known = ends.get(word)
      if (known === undefined) ends.set(word, [end])
      else known.push(end)
    }
    for (const list of ends.values()) list.reverse()
    return (this.#ends = ends)
  }
}
