import type { LanguageTraits } from '../languages.ts'
import { lineEnd } from './strings.ts'

/** A mark that begins a comment to the end of its line. */
export interface LineComment {
  readonly mark: string
  /**
   * Whether white space, a line or a `;` has to stand before it, where the mark also means something else: `$#` and
   * `${x#y}` in a shell.
   */
  readonly spaced?: boolean
  /** What the mark begins instead of a comment, as `#include` and `#[Attribute]`. */
  readonly unless?: RegExp
}

/** Marks around a comment of several lines. */
export interface BlockComment {
  readonly open: string
  readonly close: string
  /** Whether such comments stand in each other. */
  readonly nested?: boolean
  /** Whether it begins a line, as `=begin` does. */
  readonly opensLine?: boolean
}

const spaceOrEnd = /[\s;]/

/** End of the comment that begins at `start`, or 0. An unclosed block comment runs to the end of the text. */
export function commentEnd(text: string, start: number, traits: LanguageTraits): number {
  for (const block of traits.blockComments) {
    if (!text.startsWith(block.open, start)) continue
    if (block.opensLine === true && start > 0 && text.charCodeAt(start - 1) !== 10) continue
    return blockEnd(text, start, block)
  }
  for (const line of traits.lineComments) {
    if (text.startsWith(line.mark, start) && opensComment(text, start, line)) return lineEnd(text, start)
  }
  // The line that names the interpreter is a comment in every language.
  return start === 0 && text.startsWith('#!') && text.charAt(2) !== '[' ? lineEnd(text, 0) : 0
}

function opensComment(text: string, start: number, { mark, spaced, unless }: LineComment): boolean {
  if (unless !== undefined) {
    unless.lastIndex = start
    if (unless.test(text)) return false
  }
  if (spaced === true && start > 0 && !spaceOrEnd.test(text.charAt(start - 1))) return false
  // `https://...` outside a string: an address in a fragment of text.
  return mark !== '//' || text.charAt(start - 1) !== ':' || !/[A-Za-z]{2}/.test(text.slice(start - 3, start - 1))
}

/** Whether the comment that begins at `start` and runs to the end of the text is one of marks that do not close. */
export function isCutOff(text: string, start: number, traits: LanguageTraits): boolean {
  const block = traits.blockComments.find(({ open }) => text.startsWith(open, start))
  return block !== undefined && !text.endsWith(block.close)
}

function blockEnd(text: string, start: number, { open, close, nested }: BlockComment): number {
  if (nested !== true) {
    const end = text.indexOf(close, start + open.length)
    return end < 0 ? text.length : end + close.length
  }
  let depth = 1
  for (let index = start + open.length; index < text.length; ) {
    if (text.startsWith(close, index)) {
      depth--
      index += close.length
      if (depth === 0) return index
    } else if (text.startsWith(open, index)) {
      depth++
      index += open.length
    } else index++
  }
  return text.length
}

/**
 * Whether the end of a block comment stands at `start`, as it does in a fragment that begins inside one. No language with
 * such comments has this pair of operators; a path pattern such as `src/*` + `/x` goes on behind it.
 */
export function isStrayCommentEnd(text: string, start: number, traits: LanguageTraits): boolean {
  if (!text.startsWith('*/', start) || !traits.blockComments.some(({ close }) => close === '*/')) return false
  return start + 2 >= text.length || /\s/.test(text.charAt(start + 2))
}
