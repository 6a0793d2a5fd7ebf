import { guessLanguage } from './language-guess.ts'
import type { BlockComment, LineComment } from './lexing/comments.ts'
import { type StringForm, stringForms } from './lexing/string-forms.ts'

/** How a language writes comments, strings, chains and declarations, as far as reading without a grammar needs it. */
export interface LanguageTraits {
  readonly name: string
  readonly lineComments: readonly LineComment[]
  readonly blockComments: readonly BlockComment[]
  /** Forms of string constants; the first that fits wins. */
  readonly strings: readonly StringForm[]
  /** `/.../` is a pattern where no value stands before it. */
  readonly regexLiterals: boolean
  /** `<<NAME` begins a text on the next line. */
  readonly heredocs: boolean
  /** `#name` is a name of its own (private members). */
  readonly hashNames: boolean
  /** `'` parts the digits of a number. */
  readonly quotedDigits: boolean
  /** Operators that lead from a value, type or module to its member. */
  readonly access: ReadonlySet<string>
  /** What `@name` is: a name of its own, a use of `name`, or a member of the object that the code belongs to. */
  readonly at: 'name' | 'use' | 'member'
  /** `$Name` and `%Name` are node paths. */
  readonly nodePaths: boolean
  /** `$name` is a variable, so every one of them is the code's own. */
  readonly sigils: boolean
  /** Brackets in which `name:` is a label or key rather than a use of `name`. */
  readonly labelBrackets: string
  /** `{` opens a table of values, in which `name =` is a key. */
  readonly tables: boolean
  /** `name = value` at the start of a statement declares `name`. */
  readonly assignmentDeclares: boolean
  /** Where the type of a declared name stands: `Type name`, `name Type`, or `name: Type`. */
  readonly typePlace: 'before' | 'behind' | 'colon'
  /** `class Name(...)` lists base types rather than parameters. */
  readonly classBases: boolean
  /** `name(...) {` defines a function rather than calling one with a block. */
  readonly bareFunctions: boolean
  /** The arrow of `(a, b) => ...`. */
  readonly lambdaArrow: '=>' | '->' | undefined
  /** Parameters of a block stand between bars: `|a, b|`. */
  readonly barParameters: boolean
}

type Traits = Omit<LanguageTraits, 'name'>

const dots = new Set(['.', '?.', '!.', '!!.'])
const dotsAndColons = new Set([...dots, '::'])
const dotsAndArrows = new Set([...dotsAndColons, '->', '?->'])

const none: Traits = {
  lineComments: [],
  blockComments: [],
  strings: stringForms.plain,
  regexLiterals: false,
  heredocs: false,
  hashNames: false,
  quotedDigits: false,
  access: dotsAndColons,
  at: 'use',
  nodePaths: false,
  sigils: false,
  labelBrackets: '',
  tables: false,
  assignmentDeclares: false,
  typePlace: 'colon',
  classBases: false,
  bareFunctions: false,
  lambdaArrow: undefined,
  barParameters: false,
}

const slashes = { lineComments: [{ mark: '//' }], blockComments: [{ open: '/*', close: '*/' }] }
const nestedSlashes = { lineComments: [{ mark: '//' }], blockComments: [{ open: '/*', close: '*/', nested: true }] }
const hash = { lineComments: [{ mark: '#' }] }
const spacedHash = { lineComments: [{ mark: '#', spaced: true }] }
const dash = { lineComments: [{ mark: '--' }] }
const markup: BlockComment = { open: '<!--', close: '-->' }

const cLike: Traits = { ...none, ...slashes, strings: stringForms.characters, typePlace: 'before', bareFunctions: true }
const script: Traits = {
  ...none,
  ...slashes,
  blockComments: [...slashes.blockComments, markup],
  strings: stringForms.javascript,
  regexLiterals: true,
  hashNames: true,
  access: dots,
  labelBrackets: '{',
  bareFunctions: true,
  lambdaArrow: '=>',
}
const hashLike: Traits = { ...none, ...hash, assignmentDeclares: true }
const shellLike: Traits = {
  ...hashLike,
  ...spacedHash,
  strings: stringForms.shell,
  heredocs: true,
  sigils: true,
  bareFunctions: true,
}

/** One row a language family; names are what editors and code fences call them. */
const rows: readonly (readonly [names: string, traits: Traits])[] = [
  ['gdscript gd', { ...none, ...hash, strings: stringForms.tripled, at: 'name', nodePaths: true, tables: true }],
  ['python py python3 starlark', { ...hashLike, strings: stringForms.python, classBases: true }],
  [
    'ruby rb crystal',
    {
      ...hashLike,
      ...spacedHash,
      blockComments: [{ open: '=begin', close: '\n=end', opensLine: true }],
      strings: stringForms.ruby,
      regexLiterals: true,
      heredocs: true,
      access: new Set(['.', '::', '&.']),
      at: 'member',
      labelBrackets: '({',
      barParameters: true,
    },
  ],
  ['perl pl', { ...hashLike, ...spacedHash, access: dotsAndArrows, sigils: true, heredocs: true }],
  ['r', { ...hashLike, strings: stringForms.plain }],
  [
    'julia jl',
    {
      ...hashLike,
      blockComments: [{ open: '#=', close: '=#', nested: true }],
      strings: stringForms.julia,
      bareFunctions: false,
    },
  ],
  ['elixir ex exs', { ...hashLike, strings: stringForms.elixir, at: 'name', lambdaArrow: '->' }],
  ['nim', { ...hashLike, blockComments: [{ open: '#[', close: ']#', nested: true }], strings: stringForms.java }],
  [
    'coffeescript coffee',
    {
      ...hashLike,
      blockComments: [{ open: '###', close: '###' }],
      strings: stringForms.tripled,
      regexLiterals: true,
      at: 'member',
    },
  ],
  ['shell sh bash zsh fish dockerfile make makefile cmake', shellLike],
  [
    'powershell ps1',
    { ...shellLike, blockComments: [{ open: '<#', close: '#>' }], strings: stringForms.plain, heredocs: false },
  ],
  ['yaml yml toml ini properties', { ...none, ...spacedHash, strings: stringForms.tripled }],
  ['javascript js jsx mjs cjs vue svelte', script],
  ['typescript ts tsx mts cts', script],
  [
    'php',
    {
      ...none,
      lineComments: [{ mark: '//' }, { mark: '#', spaced: true, unless: /#\[/y }],
      blockComments: slashes.blockComments,
      strings: stringForms.php,
      heredocs: true,
      access: new Set(['->', '?->', '::', '\\']),
      sigils: true,
      labelBrackets: '(',
      typePlace: 'before',
      bareFunctions: true,
    },
  ],
  ['java', { ...cLike, strings: stringForms.java, lambdaArrow: '->' }],
  ['csharp cs c#', { ...cLike, strings: stringForms.csharp, labelBrackets: '(', lambdaArrow: '=>' }],
  ['kotlin kt kts', { ...none, ...nestedSlashes, strings: stringForms.kotlin }],
  ['scala', { ...none, ...nestedSlashes, strings: stringForms.java, lambdaArrow: '=>' }],
  ['groovy gradle', { ...cLike, strings: stringForms.dart, bareFunctions: false }],
  ['dart', { ...cLike, strings: stringForms.dart, labelBrackets: '({', lambdaArrow: '=>' }],
  [
    'c h cpp cc c++ hpp cxx objc objective-c cuda arduino',
    { ...cLike, strings: stringForms.cpp, quotedDigits: true, access: dotsAndArrows },
  ],
  ['glsl hlsl gdshader shader solidity', { ...cLike, strings: stringForms.plain }],
  ['zig', { ...cLike, typePlace: 'colon' }],
  [
    'rust rs',
    {
      ...none,
      ...nestedSlashes,
      strings: stringForms.rust,
      labelBrackets: '{',
      lambdaArrow: '=>',
      barParameters: true,
    },
  ],
  ['swift', { ...none, ...nestedSlashes, strings: stringForms.swift, labelBrackets: '([' }],
  ['go golang', { ...none, ...slashes, strings: stringForms.go, labelBrackets: '{', typePlace: 'behind' }],
  ['css', { ...none, blockComments: slashes.blockComments }],
  ['scss less', { ...none, ...slashes }],
  ['json json5 jsonc', { ...none, ...slashes, labelBrackets: '{' }],
  ['html xml svg xaml markdown md', { ...none, blockComments: [markup, ...slashes.blockComments] }],
  [
    'sql plsql',
    { ...none, ...dash, blockComments: slashes.blockComments, strings: stringForms.sql, access: new Set(['.']) },
  ],
  [
    'lua',
    {
      ...none,
      ...dash,
      blockComments: [
        { open: '--[[', close: ']]' },
        { open: '--[=[', close: ']=]' },
        { open: '--[==[', close: ']==]' },
      ],
      strings: stringForms.lua,
      access: new Set(['.', ':']),
      tables: true,
      assignmentDeclares: true,
    },
  ],
  [
    'haskell hs elm',
    {
      ...none,
      ...dash,
      blockComments: [{ open: '{-', close: '-}', nested: true }],
      strings: stringForms.characters,
      assignmentDeclares: true,
    },
  ],
  ['ada vhdl', { ...none, ...dash, strings: stringForms.characters }],
  [
    'erlang matlab octave latex tex prolog',
    { ...none, lineComments: [{ mark: '%' }], strings: stringForms.characters, assignmentDeclares: true },
  ],
  ['lisp clojure clj scheme racket elisp', { ...none, lineComments: [{ mark: ';' }], strings: stringForms.characters }],
]

const byName = new Map<string, LanguageTraits>()
for (const [names, traits] of rows) {
  const all = names.split(' ')
  for (const name of all) byName.set(name, { name: all[0] ?? name, ...traits })
}

/** Whether a language is known by this name; it is guessed from the text otherwise. */
export function isKnownLanguage(name: string): boolean {
  return byName.has(name.trim().toLowerCase())
}

/**
 * Text of a language nobody named and nothing gave away: the marks that are safe in most. A `#` is a comment where one
 * can stand and no directive or attribute does.
 */
const unknown: LanguageTraits = {
  ...none,
  name: 'unknown',
  lineComments: [
    { mark: '//' },
    {
      mark: '#',
      spaced: true,
      unless:
        /#(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error|region|endregion|nullable)\b|#!?\[/y,
    },
  ],
  blockComments: [...slashes.blockComments, markup],
  strings: stringForms.unknown,
  access: dotsAndArrows,
  at: 'name',
  labelBrackets: '{',
  bareFunctions: true,
  lambdaArrow: '=>',
}

/**
 * The traits of a language by name, or guessed from the text when no name is given or the name is unknown.
 *
 * The guess counts line cues; it only has to find the right comment and string marks.
 */
export function traitsOf(language: string | undefined, text: string): LanguageTraits {
  const named = language === undefined ? undefined : byName.get(language.trim().toLowerCase())
  if (named !== undefined) return named
  const guess = guessLanguage(text)
  return (guess === undefined ? undefined : byName.get(guess)) ?? unknown
}
