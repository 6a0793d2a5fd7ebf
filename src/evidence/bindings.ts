import type { ChunkReading } from '../code/chunk.ts'
import { fold } from '../code/parts.ts'
import { type CorpusKnowledge, meaningShare } from '../corpus/knowledge.ts'

/**
 * What the chunk makes of the root of a dotted name such as `tf.Session`.
 *
 * `free`: it does not bind it, so the name means what it means everywhere. `agrees`: it binds it to what the corpus
 * means by it. `unknown`: it binds it, to what cannot be seen. `differs`: it binds it to something else, and wins.
 */
export type Binding = 'free' | 'agrees' | 'unknown' | 'differs'

/** How the chunk binds the root of a dotted name. */
export function bindingOf(root: string, chunk: ChunkReading, knowledge: CorpusKnowledge): Binding {
  const module = chunk.declarations.imports.get(root)
  if (module !== undefined) return importBinding(root, module, knowledge)
  const declared = chunk.declarations.names.get(root)
  if (declared === undefined) return 'free'
  if (declared.kind === 'import' || declared.type === undefined) return 'unknown'
  const [first = '', ...rest] = declared.type
  const imported = chunk.declarations.imports.get(first)
  // `sess = tf.Session()` is the corpus' `sess` when the corpus speaks of `tf.Session` and `tf` is its own.
  const speaks =
    isStated(declared.type.join('.'), knowledge) ||
    (imported !== undefined && isStated([...imported, ...rest].join('.'), knowledge))
  const through = imported === undefined ? 'free' : importBinding(first, imported, knowledge)
  if (!speaks) return 'differs'
  return through === 'free' ? 'agrees' : through
}

function importBinding(name: string, module: readonly string[], { aliases, vocabularies }: CorpusKnowledge): Binding {
  const [first = ''] = module
  if (module.length === 1 && first === name) return 'agrees'
  const share = aliases.share(name, module.join('.'))
  if (share !== undefined) return share >= meaningShare ? 'agrees' : 'differs'
  // Nothing in the corpus says what the name stands for: a module it never mentions is another library's.
  if (vocabularies.terms.find(fold(first)) === undefined) return 'differs'
  return module.length === 1 ? 'agrees' : 'unknown'
}

function isStated(literal: string, { vocabularies, statistics, collections }: CorpusKnowledge): boolean {
  const id = vocabularies.literals.find(literal)
  if (id === undefined) return false
  for (const collection of collections.keys()) if (statistics.having(collection, id) > 0) return true
  return false
}
