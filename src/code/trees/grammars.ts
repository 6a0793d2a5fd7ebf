import { createRequire } from 'node:module'
import { z } from 'zod'
import { DirectEvidenceError } from '../../errors.ts'
import { parseOptions } from '../../options.ts'
import { guessLanguage } from '../language-guess.ts'
import { isKnownLanguage } from '../languages.ts'
import { candidatesFor, type GrammarOrigin, grammarNameOf, knownGrammars } from './grammar-table.ts'
import { withExpando } from './metavariables.ts'
import type { Native, Registration } from './native.ts'
import { commonKinds, type NodeKinds } from './node-kinds.ts'
import { register } from './registration.ts'
import { oneLine, SyntaxTree } from './syntax-tree.ts'
import type { TreePattern } from './tree-pattern.ts'

/** A tree-sitter parser of your own. */
export interface DynamicGrammar {
  /** Path of the compiled parser: a `.so`, `.dylib`, `.dll`, or the `.node` of a tree-sitter package. */
  readonly libraryPath: string
  /** Its function. Default `tree_sitter_NAME`. */
  readonly symbol?: string
  /** A character of identifiers that stands for `$` while a pattern is parsed. Default `_`. */
  readonly expandoChar?: string
}

/** Options of {@link loadGrammars}. */
export interface GrammarsOptions {
  /** Languages to load, by any of their usual names; each must load. Default: every known one that is installed. */
  readonly languages?: readonly string[]
  /** Parsers of your own, by language. */
  readonly dynamic?: Readonly<Record<string, DynamicGrammar>>
  /** Module (`import.meta.url`) whose packages are looked through. Default: this package. */
  readonly from?: string
}

/** Grammars that were loaded. Made by {@link loadGrammars}. */
export interface Grammars {
  /** Their names, ascending: `gdscript`, `javascript`, ... */
  readonly languages: readonly string[]
  /**
   * Parses a text in a thread of its own; undefined when its language has no grammar here or the text has more than
   * 100,000 characters. Broken code has a tree too, marked `partial`.
   *
   * @param language Guessed from the text when it is missing or unknown.
   */
  parse(text: string, language: string | undefined): Promise<SyntaxTree | undefined>
  /** Why a pattern is none in a language; undefined when it is one. In no language named: none in any that is loaded. */
  faultOf(pattern: TreePattern, language: string | undefined): string | undefined
}

/** Reading comments and strings off a larger tree, on the caller's thread, would hold other work up. */
export const longestParsed = 100_000

const optionsSchema = z.strictObject({
  languages: z.array(z.string().min(1)).optional(),
  dynamic: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_+#-]*$/, 'a language is named in small letters'),
      z.strictObject({
        libraryPath: z.string().min(1),
        symbol: z.string().min(1).optional(),
        expandoChar: z.string().length(1).optional(),
      }),
    )
    .default({}),
  from: z.string().optional(),
})

/**
 * Loads grammars, so that chunks are read by their syntax tree and ast-grep patterns of records can match.
 *
 * JavaScript, TypeScript, TSX, HTML and CSS come with `@ast-grep/napi`; others with `@ast-grep/lang-*` packages,
 * GDScript with `tree-sitter-gdscript`. All are optional and only loaded here. A process can take languages that are not
 * built in once: the first call registers everything that is installed, and names all of its own in `dynamic`.
 *
 * @throws `DEPENDENCY_MISSING` with what to install; `GRAMMAR_UNUSABLE` for a parser that does not load here or comes
 * too late; `OPTION_INVALID`.
 * @example
 * ```ts
 * import { loadGrammars, parallel, readRecords, Retriever } from 'direct-evidence'
 *
 * const grammars = await loadGrammars({ languages: ['gdscript'] })
 * const records = readRecords('corpus.jsonl')
 * await using retriever = await Retriever.create({ records, strategy: parallel(), grammars })
 * ```
 */
export async function loadGrammars(options: GrammarsOptions = {}): Promise<Grammars> {
  const { languages, dynamic, from } = parseOptions('loadGrammars', optionsSchema, options)
  const packages = createRequire(from ?? import.meta.url)
  const modulePath = resolved(packages, '@ast-grep/napi')
  if (modulePath === undefined) throw missing('@ast-grep/napi', 'trees')
  const native = importNative(packages, modulePath)
  const installed = installedGrammars(packages)
  const asked = languages?.map(grammarNameOf)
  const own = new Map(
    Object.entries(dynamic).map(([name, { libraryPath, symbol, expandoChar = '_' }]) => [
      name,
      { libraryPath, extensions: [], languageSymbol: symbol ?? `tree_sitter_${name.replace(/\W/g, '_')}`, expandoChar },
    ]),
  )
  const needed = new Map<string, Registration>(own)
  const names = new Set(own.keys())
  for (const name of asked ?? [...knownGrammars.keys()]) {
    const grammar = knownGrammars.get(name)
    if (own.has(name)) continue
    if (grammar === undefined) throw unknownLanguage(name)
    const registration = installed.get(name)
    if (grammar.origin.from !== 'built-in') {
      if (registration === undefined) {
        if (asked === undefined) continue
        throw missing(grammar.origin.package, name)
      }
      needed.set(name, registration)
    }
    names.add(name)
  }
  if (needed.size > 0) await register(native, modulePath, needed, installed)
  return new LoadedGrammars(native, [...names].sort(), needed)
}

/** What has to be installed for a language. */
export function packagesFor(language: string): readonly string[] {
  const origin = knownGrammars.get(grammarNameOf(language))?.origin
  if (origin === undefined || origin.from === 'built-in') return ['@ast-grep/napi']
  return ['@ast-grep/napi', origin.package]
}

/** Languages of markup and data, in which nearly every text parses: that a pattern does in them says nothing. */
const lenient: ReadonlySet<string> = new Set(['html', 'css', 'json', 'toml', 'yaml'])

class LoadedGrammars implements Grammars {
  readonly languages: readonly string[]
  readonly #native: Native
  readonly #kinds = new Map<string, NodeKinds>()
  readonly #expandos: ReadonlyMap<string, string>

  constructor(native: Native, languages: readonly string[], registered: ReadonlyMap<string, Registration>) {
    this.languages = languages
    this.#native = native
    this.#expandos = new Map([...registered].map(([name, { expandoChar = '$' }]) => [name, expandoChar]))
  }

  async parse(text: string, language: string | undefined): Promise<SyntaxTree | undefined> {
    if (text.length > longestParsed) return undefined
    let best: SyntaxTree | undefined
    for (const name of this.#candidates(text, language)) {
      const root = await this.#native.parseAsync(nativeName(name), text)
      const tree = new SyntaxTree(name, root.root(), text, this.#kindsOf(name))
      if (!tree.partial) return tree
      if (best === undefined || tree.broken < best.broken) best = tree
    }
    return best
  }

  faultOf(pattern: TreePattern, language: string | undefined): string | undefined {
    const names =
      language === undefined ? this.languages.filter((name) => !lenient.has(name)) : [grammarNameOf(language)]
    let first: string | undefined
    for (const name of names) {
      if (!this.languages.includes(name)) return undefined
      const fault = this.#faultIn(pattern, name)
      if (fault === undefined) return undefined
      first ??= fault
    }
    return first
  }

  #candidates(text: string, language: string | undefined): readonly string[] {
    if (language !== undefined) {
      const name = grammarNameOf(language)
      if (this.languages.includes(name)) return [name]
      if (isKnownLanguage(language)) return []
    }
    const guessed = guessLanguage(text)
    return guessed === undefined ? [] : candidatesFor(guessed).filter((name) => this.languages.includes(name))
  }

  #faultIn({ rule, constraints, utils, codes }: TreePattern, name: string): string | undefined {
    const language = nativeName(name)
    const broken = codes.find((code) =>
      this.#isBroken(language, withExpando(code, this.#expandos.get(name) ?? expandoOf(name))),
    )
    if (broken !== undefined) return `\`${broken}\` is no code of ${name}`
    try {
      this.#native.parse(language, '').root().findAll({ rule, constraints, utils })
      return undefined
    } catch (error) {
      return oneLine((error as Error).message)
    }
  }

  #isBroken(language: string, code: string): boolean {
    return (
      this.#native
        .parse(language, code)
        .root()
        .findAll({ rule: { kind: 'ERROR' } }).length > 0
    )
  }

  /** The kinds that the grammar has of those that are looked for. */
  #kindsOf(name: string): NodeKinds {
    let kinds = this.#kinds.get(name)
    if (kinds === undefined) {
      const has = (kind: string): boolean => {
        try {
          // Built-in grammars refuse a kind that they do not have, the others give it the number 0.
          return this.#native.kind(nativeName(name), kind) > 0
        } catch {
          return false
        }
      }
      const { comments, strings, holes, opaque } = commonKinds
      kinds = {
        comments: comments.filter(has),
        strings: strings.filter(has),
        holes: holes.filter(has),
        opaque: opaque.filter(has),
      }
      this.#kinds.set(name, kinds)
    }
    return kinds
  }
}

function nativeName(name: string): string {
  const origin = knownGrammars.get(name)?.origin
  return origin?.from === 'built-in' ? origin.name : name
}

/** The stand-ins for `$` that are built into the native package. */
function expandoOf(name: string): string {
  return name === 'css' ? '_' : name === 'html' ? 'z' : '$'
}

/** Every known grammar that is not built in and whose package is there. */
function installedGrammars(packages: NodeJS.Require): Map<string, Registration> {
  const found = new Map<string, Registration>()
  for (const [name, { origin }] of knownGrammars) {
    const registration = registrationOf(origin, packages)
    if (registration !== undefined) found.set(name, registration)
  }
  return found
}

function registrationOf(origin: GrammarOrigin, packages: NodeJS.Require): Registration | undefined {
  if (origin.from === 'built-in') return undefined
  if (origin.from === 'prebuild') {
    const { symbol, expandoChar } = origin
    const file = `prebuilds/${process.platform}-${process.arch}/${origin.package}.node`
    const libraryPath = resolved(packages, `${origin.package}/${file}`)
    return libraryPath === undefined ? undefined : { libraryPath, extensions: [], languageSymbol: symbol, expandoChar }
  }
  if (resolved(packages, origin.package) === undefined) return undefined
  try {
    const { libraryPath, extensions, languageSymbol, expandoChar } = packages(origin.package) as Registration
    return { libraryPath, extensions, languageSymbol, ...(expandoChar === undefined ? {} : { expandoChar }) }
  } catch {
    // The package has no parser for this machine.
    return undefined
  }
}

function resolved(packages: NodeJS.Require, name: string): string | undefined {
  try {
    return packages.resolve(name)
  } catch {
    return undefined
  }
}

function importNative(packages: NodeJS.Require, modulePath: string): Native {
  try {
    return packages(modulePath) as Native
  } catch (cause) {
    throw missing('@ast-grep/napi', 'trees', cause)
  }
}

function missing(name: string, purpose: string, cause?: unknown): DirectEvidenceError {
  const message = `The grammar of ${purpose} needs the package ${name}, which is not installed or has no part for this machine. Install it: npm install ${name}`
  return new DirectEvidenceError('DEPENDENCY_MISSING', message, cause === undefined ? {} : { cause })
}

function unknownLanguage(name: string): DirectEvidenceError {
  return new DirectEvidenceError(
    'OPTION_INVALID',
    `loadGrammars: no grammar of "${name}" is known. Known: ${[...knownGrammars.keys()].join(', ')}; give others in \`dynamic\`.`,
    { option: 'languages' },
  )
}
