import { isKnownLanguage, traitsOf } from '../languages.ts'

/** Where a grammar comes from. */
export type GrammarOrigin =
  /** Part of `@ast-grep/napi`, under the name given. */
  | { readonly from: 'built-in'; readonly name: string }
  /** A package that says itself where its parser lies. */
  | { readonly from: 'package'; readonly package: string }
  /** A package of a plain tree-sitter parser with prebuilt binaries. */
  | {
      readonly from: 'prebuild'
      readonly package: string
      readonly symbol: string
      readonly expandoChar: string
    }

/** A grammar that can be asked for by name. */
export interface KnownGrammar {
  readonly origin: GrammarOrigin
  /** What editors and code fences call the language. */
  readonly names: readonly string[]
  /** Languages of one family share most of their code: a pattern for one is tried on the others. */
  readonly family: string
}

const builtIn = (name: string): GrammarOrigin => ({ from: 'built-in', name })
const official = (name: string): GrammarOrigin => ({ from: 'package', package: `@ast-grep/lang-${name}` })

const rows: readonly (readonly [name: string, origin: GrammarOrigin, others: string, family?: string])[] = [
  ['javascript', builtIn('JavaScript'), 'js jsx mjs cjs', 'script'],
  ['typescript', builtIn('TypeScript'), 'ts mts cts', 'script'],
  ['tsx', builtIn('Tsx'), '', 'script'],
  ['html', builtIn('Html'), ''],
  ['css', builtIn('Css'), ''],
  [
    'gdscript',
    // Its names are ASCII, so the usual stand-in for `$` would not parse.
    { from: 'prebuild', package: 'tree-sitter-gdscript', symbol: 'tree_sitter_gdscript', expandoChar: '_' },
    'gd',
  ],
  ['bash', official('bash'), 'shell sh zsh'],
  ['c', official('c'), 'h', 'c'],
  ['cpp', official('cpp'), 'cc c++ hpp cxx', 'c'],
  ['csharp', official('csharp'), 'cs c#'],
  ['dart', official('dart'), ''],
  ['elixir', official('elixir'), 'ex exs'],
  ['go', official('go'), 'golang'],
  ['haskell', official('haskell'), 'hs'],
  ['java', official('java'), ''],
  ['json', official('json'), ''],
  ['kotlin', official('kotlin'), 'kt kts'],
  ['lua', official('lua'), ''],
  ['php', official('php'), ''],
  ['python', official('python'), 'py python3 starlark'],
  ['ruby', official('ruby'), 'rb'],
  ['rust', official('rust'), 'rs'],
  ['scala', official('scala'), ''],
  ['sql', official('sql'), ''],
  ['swift', official('swift'), ''],
  ['toml', official('toml'), ''],
  ['yaml', official('yaml'), 'yml'],
]

/** Every grammar that can be asked for by name, in the order in which they are tried. */
export const knownGrammars: ReadonlyMap<string, KnownGrammar> = new Map(
  rows.map(([name, origin, others, family = name]) => [
    name,
    { origin, names: [name, ...others.split(' ').filter(Boolean)], family },
  ]),
)

const byLanguage = new Map(
  [...knownGrammars].flatMap(([name, { names }]) => names.map((each) => [each, name] as const)),
)

/** The grammar of a language by any of its names; the name itself, in small letters, when it is not a known one. */
export function grammarNameOf(language: string): string {
  const name = language.trim().toLowerCase()
  return byLanguage.get(name) ?? name
}

/** Whether a pattern for one language says something about code of another. */
export function areSameLanguage(language: string, other: string): boolean {
  return familyOf(language) === familyOf(other)
}

function familyOf(language: string): string {
  const grammar = grammarNameOf(language)
  const named = knownGrammars.has(grammar) ? grammar : isKnownLanguage(language) ? traitsOf(language, '').name : grammar
  return knownGrammars.get(grammarNameOf(named))?.family ?? named
}

/** Grammars that fit a language which was guessed from its lines: the guess does not tell dialects apart. */
export function candidatesFor(guessed: string): readonly string[] {
  const grammar = grammarNameOf(guessed)
  const family = knownGrammars.get(grammar)?.family
  if (family === undefined) return [grammar]
  return [...knownGrammars].filter(([, known]) => known.family === family).map(([name]) => name)
}
