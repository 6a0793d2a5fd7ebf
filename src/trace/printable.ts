/**
 * Text as it may be shown in a terminal: on one line, without commands. Control and format characters (ANSI escapes,
 * line ends, bidirectional overrides, invisible tags), lone surrogates and private use characters are shown as
 * `\n`, `\x1b`, `\u202e`, `\u{e0041}`. A backslash of the text stays as it is, because patterns and paths are full of
 * them.
 *
 * @param longest Longest result in characters, at least 1; a longer one is cut and ends with `…`.
 */
export function printable(text: string, longest: number): string {
  // An escape is never shorter than what it stands for, so what lies beyond this cannot be shown.
  const escaped = text.slice(0, 2 * longest + 2).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, escapeCharacter)
  const characters = [...escaped]
  return characters.length <= longest ? escaped : `${characters.slice(0, longest - 1).join('')}…`
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeCharacter(character: string): string {
  const known = short[character]
  if (known !== undefined) return known
  const code = character.codePointAt(0)!
  const hex = code.toString(16)
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`
}
