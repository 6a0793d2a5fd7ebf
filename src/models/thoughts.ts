/** Tags between which models think. */
const tags = ['think', 'thinking', 'thought', 'reasoning']

/** A reply without its thoughts, or that a thought never ended. */
export type Thoughtless = { readonly kind: 'answer'; readonly text: string } | { readonly kind: 'unfinished' }

/**
 * What a reply says after its thoughts: all that follows the last closing tag. That also holds for a closing tag alone,
 * which servers leave when the opening one was part of the prompt. A thought that was opened and never closed has no
 * answer: what looks like one is a draft.
 */
export function withoutThoughts(reply: string): Thoughtless {
  let from = 0
  const opened = new Set<string>()
  for (const { index, 0: tag, groups } of reply.matchAll(tagPattern)) {
    const name = groups!.name!.toLowerCase()
    if (groups!.slash === '') {
      opened.add(name)
      continue
    }
    opened.delete(name)
    from = index + tag.length
  }
  return opened.size > 0 ? { kind: 'unfinished' } : { kind: 'answer', text: reply.slice(from) }
}

const tagPattern = new RegExp(`<(?<slash>/?)(?<name>${tags.join('|')})>`, 'gi')
