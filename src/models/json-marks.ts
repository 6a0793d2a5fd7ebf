/** `strict` reads JSON as RFC 8259 has it; `repairing` also what a model makes of it, and says that it did. */
export type ReadingMode = 'strict' | 'repairing'

/** Full-width forms that models with much Chinese in their training use as structure. */
const fullWidth: Readonly<Record<string, string>> = {
  '\uff5b': '{',
  '\uff5d': '}',
  '\uff3b': '[',
  '\uff3d': ']',
  '\uff1a': ':',
  '\uff0c': ',',
  '\u3001': ',',
}

/** Quotation marks beside `"` that open or close a string when repairing. */
const curlyQuotes = '\u201c\u201d\u201e\u201f\uff02'

/** JSON's own white space, and beside it the no-break and the ideographic space, which are not worth a mark. */
const spaces: Readonly<Record<ReadingMode, string>> = { strict: ' \t\r\n', repairing: ' \t\r\n\u00a0\u3000' }

/** The character at a place; a structural one in its usual form. */
export function structureAt(text: string, at: number, mode: ReadingMode): string | undefined {
  const char = text[at]
  return (mode === 'repairing' && char !== undefined && fullWidth[char]) || char
}

export function isQuoteAt(text: string, at: number, mode: ReadingMode): boolean {
  const char = text[at]
  return char === '"' || (mode === 'repairing' && char !== undefined && curlyQuotes.includes(char))
}

/** The place of the next character that is no space. */
export function behindSpace(text: string, from: number, mode: ReadingMode): number {
  let at = from
  while (at < text.length && spaces[mode].includes(text[at]!)) at++
  return at
}
