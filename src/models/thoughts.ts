/** A tag between which models think. */
export interface ThoughtTag {
  readonly name: string
  readonly closes: boolean
  /** Behind the tag. */
  readonly end: number
}

const tagForm = '<(?<slash>/?)(?<name>think|thinking|thought|reasoning)>'

/** The tag that stands at a place, if one does. */
export function thoughtTagAt(text: string, at: number): ThoughtTag | undefined {
  return tagOf(new RegExp(tagForm, 'iy'), text, at)
}

/** Behind the first closing tag of a name; undefined when there is none. */
export function behindThought(text: string, { name, end }: ThoughtTag): number | undefined {
  return tagOf(new RegExp(`<(?<slash>/)(?<name>${name})>`, 'ig'), text, end)?.end
}

/** Whether a thought ends somewhere in a stretch of text. */
export function endsThought(text: string, start: number, end: number): boolean {
  return /<\/(?:think|thinking|thought|reasoning)>/i.test(text.slice(start, end))
}

function tagOf(pattern: RegExp, text: string, at: number): ThoughtTag | undefined {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (found === null) return undefined
  const { slash, name } = found.groups!
  return { name: name!.toLowerCase(), closes: slash === '/', end: pattern.lastIndex }
}
