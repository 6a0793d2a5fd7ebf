import type { ChunkName, ChunkReading } from '../code/chunk.ts'
import type { Evidence, Span } from '../contracts.ts'
import type { CorpusKnowledge } from '../corpus/knowledge.ts'
import type { OwnerVotes } from '../corpus/owner-votes.ts'
import { type RecordReading, type Subject, subjectsOf } from '../corpus/reading.ts'
import { type Agreement, stronger } from '../corpus/receivers.ts'
import { bindingOf } from './bindings.ts'

/** How the chunk uses what a record is about, at its best. */
export interface SubjectUse {
  /** The subject, or the one of its other names that is used. */
  readonly subject: Subject
  readonly name: ChunkName
  readonly agreement: Agreement
  /** What the name is used on, as far as it is shown. */
  readonly receiver: string
  readonly span: Span
}

/** The use that agrees best with the subject or one of its other names; undefined when none is used. */
export function bestUse(
  chunk: ChunkReading,
  reading: RecordReading,
  votes: OwnerVotes,
  knowledge: CorpusKnowledge,
): SubjectUse | undefined {
  let best: SubjectUse | undefined
  const names = new Set([reading.subject!, ...reading.aliases].map(({ path }) => path.at(-1)!))
  for (const lastName of names) {
    const name = chunk.names.get(lastName)
    if (name === undefined || name.own) continue
    for (const subject of subjectsOf(reading, lastName)) {
      for (const use of name.uses) {
        const written = isWrittenOut(use.use.path, subject, chunk, knowledge)
        const agreement = written ? 'exact' : votes.agreementOf(use, subject)
        if (best !== undefined && !stronger(agreement, best.agreement)) continue
        const receiver = use.receiver.type.join('.') || use.receiver.hint
        best = { subject, name, agreement, receiver, span: { start: use.use.start, end: use.use.end } }
      }
    }
  }
  return best
}

/** `tf.Session` where the record is about `tf.Session`, and `tf` is what the corpus means by it. */
function isWrittenOut(
  path: readonly string[],
  subject: Subject,
  chunk: ChunkReading,
  knowledge: CorpusKnowledge,
): boolean {
  if (path.length < 2 || path.length !== subject.path.length) return false
  if (path.some((segment, index) => segment !== subject.path[index])) return false
  const binding = bindingOf(path[0]!, chunk, knowledge)
  return binding === 'free' || binding === 'agrees'
}

/** The name that is used, in the chunk and in the record. */
export function subjectEvidence({ subject, name, span }: SubjectUse): Evidence {
  return {
    text: name.name,
    kind: name.role === 'call' ? 'call' : name.role === 'type' ? 'type' : 'member',
    weight: 2,
    chunk: span,
    field: subject.field,
    record: { start: subject.end - name.name.length, end: subject.end },
  }
}
