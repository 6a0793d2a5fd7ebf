export type TokenKind = 'word' | 'number' | 'string' | 'comment' | 'operator'

/** A piece of code; white space is between tokens, never in one. Spans are UTF-16 code units. */
export interface Token {
  /**
   * A string with code in it comes in pieces, each a `string`, with the tokens of that code between them; pattern
   * literals are strings too.
   */
  readonly kind: TokenKind
  readonly text: string
  readonly start: number
  readonly end: number
  /** Whether a line feed stands between this token and the one before it. */
  readonly startsLine: boolean
}
