import type { ChunkReading, NameUse } from '../code/chunk.ts'
import type { Occurrence } from '../code/occurrences.ts'
import { symbolPath } from '../code/prose.ts'
import type { ImportAliases } from './knowledge.ts'

/**
 * Where the chunk uses a dotted name through an import, under whatever name it was imported: `tf.Session()` behind
 * `import tensorflow as tf` is `tensorflow.Session`, and `z()` behind `from x import y as z` is `x.y`. A root that the
 * corpus itself imports under a short name (`tf`) stands for the module too. The span is that of the last name: where it
 * is used, or in the import when it is used under another name.
 */
export function findImported(chunk: ChunkReading, text: string, aliases: ImportAliases): Occurrence[] {
  if (chunk.declarations.imports.size === 0) return []
  const path = symbolPath(text)
  if (path === undefined || path.length < 2) return []
  const uses = usesByImport(chunk)
  const [root = '', ...members] = path
  const forms = [path.join('.'), ...aliases.modules(root).map((module) => [module, ...members].join('.'))]
  const last = path.at(-1)!
  return forms.flatMap((form) => (uses.get(form) ?? []).flatMap((use) => lastNameOf(chunk, use, last)))
}

function lastNameOf(chunk: ChunkReading, { use }: NameUse, last: string): Occurrence[] {
  if (use.name === last) return [{ start: use.start, end: use.end, as: 'code' }]
  const place = chunk.places.get(last)?.[0]
  const token = place === undefined ? undefined : chunk.code.tokens[place]
  return token === undefined ? [] : [{ start: token.start, end: token.end, as: 'code' }]
}

const byImport = new WeakMap<ChunkReading, ReadonlyMap<string, readonly NameUse[]>>()

/** The uses that an import gives another name than the one they are written with, by that name. */
function usesByImport(chunk: ChunkReading): ReadonlyMap<string, readonly NameUse[]> {
  let uses = byImport.get(chunk)
  if (uses === undefined) byImport.set(chunk, (uses = readUsesByImport(chunk)))
  return uses
}

function readUsesByImport({ names, declarations }: ChunkReading): ReadonlyMap<string, readonly NameUse[]> {
  const uses = new Map<string, NameUse[]>()
  for (const name of names.values()) {
    for (const use of name.uses) {
      const { path } = use.use
      if (!declarations.imports.has(path[0]!)) continue
      const resolved = use.resolved.join('.')
      const known = uses.get(resolved)
      if (known === undefined) uses.set(resolved, [use])
      else known.push(use)
    }
  }
  return uses
}
