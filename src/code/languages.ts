/** How a language marks comments and strings, and whether a plain assignment declares a name. */
export interface LanguageTraits {
  readonly name: string
  /** `#` begins a comment (unless it is a directive or an attribute). */
  readonly hash: boolean
  /** `//` and slash-star begin comments. */
  readonly slash: boolean
  /** `--` begins a comment. */
  readonly dash: boolean
  /** `'` delimits strings of any length; otherwise single characters only. */
  readonly singleQuotes: boolean
  /** `"""` (and `'''`) delimit strings over several lines. */
  readonly tripleQuotes: boolean
  /** A backtick delimits strings. */
  readonly backticks: boolean
  /** `$Name` and `%Name` are node paths. */
  readonly nodePaths: boolean
  /** `name = value` at the start of a statement declares `name`. */
  readonly assignmentDeclares: boolean
  /** A declaration is written `Type name`. */
  readonly typeFirst: boolean
}

const none: Omit<LanguageTraits, 'name'> = {
  hash: false,
  slash: false,
  dash: false,
  singleQuotes: true,
  tripleQuotes: false,
  backticks: false,
  nodePaths: false,
  assignmentDeclares: false,
  typeFirst: false,
}

const cLike = { ...none, slash: true, singleQuotes: false, typeFirst: true }
const hashLike = { ...none, hash: true, assignmentDeclares: true }

/** One row a language family; names are what editors and code fences call them. */
const rows: readonly (readonly [names: string, traits: Omit<LanguageTraits, 'name'>])[] = [
  ['gdscript gd', { ...none, hash: true, tripleQuotes: true, nodePaths: true }],
  ['python py python3 starlark', { ...hashLike, tripleQuotes: true }],
  ['ruby rb perl pl r julia jl elixir ex crystal nim coffeescript', { ...hashLike, tripleQuotes: true }],
  ['shell sh bash zsh fish yaml yml toml dockerfile make makefile powershell ps1', { ...hashLike, backticks: true }],
  ['javascript js jsx mjs cjs typescript ts tsx', { ...none, slash: true, backticks: true }],
  ['php', { ...none, slash: true, hash: true, assignmentDeclares: true }],
  ['java csharp cs c# kotlin kt scala groovy dart', { ...cLike, tripleQuotes: true }],
  ['c h cpp cc c++ hpp cxx objc objective-c glsl hlsl gdshader shader cuda arduino zig solidity', cLike],
  ['rust rs', { ...cLike, typeFirst: false }],
  ['swift', { ...cLike, tripleQuotes: true, typeFirst: false }],
  ['go golang', { ...cLike, backticks: true, typeFirst: false }],
  ['css scss less', { ...none, slash: true }],
  ['sql plsql', { ...none, dash: true, slash: true }],
  ['lua haskell hs ada elm vhdl', { ...none, dash: true, assignmentDeclares: true }],
]

const byName = new Map<string, LanguageTraits>()
for (const [names, traits] of rows) {
  const all = names.split(' ')
  for (const name of all) byName.set(name, { name: all[0] ?? name, ...traits })
}

/** Text of a language nobody named and nothing gave away: the comment marks that are safe in most. */
const neutral: LanguageTraits = { name: 'unknown', ...none, slash: true, hash: true, tripleQuotes: true, backticks: true }

/** One cue a line: each match counts for its language. The strongest sum wins; ties go to the earlier row. */
const cues: readonly (readonly [language: string, weight: number, pattern: RegExp])[] = [
  ['gdscript', 4, /^\s*(?:static\s+)?func\s+\w+\s*\(.*(?:\)\s*(?:->\s*\w+\s*)?:)/],
  ['gdscript', 3, /^\s*(?:@export|@onready|onready\s+var|export\s*(?:\(|var)|extends\s+\w+\s*$|class_name\s)/],
  ['gdscript', 2, /\$\w+\.|\$"|&"|%\w+\.\w+|^\s*var\s+\w+\s*(?::=|:|=|$)(?!.*[;{]\s*$)/],
  ['python', 4, /^\s*(?:async\s+)?def\s+\w+\s*\(.*|^\s*from\s+[\w.]+\s+import\s|^\s*class\s+\w+(?:\(.*\))?:\s*$/],
  ['python', 2, /^\s*import\s+[\w.]+(?:\s+as\s+\w+)?\s*$|^\s*(?:elif|except|with)\b.*:|\bself\.|\bNone\b|\bTrue\b|\bFalse\b/],
  ['python', 1, /^\s*(?:for|if|while|else|try)\b.*:\s*$|^\s*[\w., ]+\s=\s[^;{]*$|^\s*@\w+/],
  ['ruby', 3, /^\s*(?:end|require\s+['"]|attr_\w+\s|module\s+[A-Z]|puts\s)|\bdo\s*\|/],
  ['lua', 3, /^\s*local\s+(?:function\s+)?\w+|\bthen\s*$|^\s*function\s+[\w.:]+\(.*\)\s*$|^\s*--\s/],
  ['sql', 4, /^\s*(?:select|insert\s+into|update\s+\w+\s+set|create\s+(?:table|view|index)|delete\s+from|alter\s+table)\b/i],
  ['go', 4, /^\s*func\s+(?:\(\w+\s+\*?\w+\)\s*)?\w*\(.*\{\s*$|^package\s+\w+\s*$|:=.*[^;]$(?<!:)/],
  ['rust', 4, /^\s*(?:pub\s+)?(?:fn|impl|mod|use|trait)\s.*(?:\{|;)\s*$|\blet\s+mut\s|&mut\s|->\s*Result</],
  ['php', 5, /<\?php|\$\w+\s*->|\$this\b|^\s*\$\w+\s*=/],
  ['javascript', 3, /^\s*(?:export\s+)?(?:const|let)\s+[\w{[]|=>|\brequire\(|^\s*import\s.*from\s+['"]|===|\bfunction\b.*\{/],
  ['java', 3, /^\s*(?:public|private|protected|internal)\s|^\s*using\s+[\w.]+;|^\s*import\s+[\w.]+;|\bnew\s+[A-Z]\w*[(<]/],
  ['java', 1, /;\s*$/],
  ['c', 3, /^\s*#\s*(?:include|define|ifdef|ifndef|if|endif|pragma)\b|\bstd::|->\w+\(|^\s*(?:void|int|char|float|double|bool)\s+\w+/],
  ['shell', 4, /^#!.*sh\b|^\s*(?:fi|done|esac)\b|\$\{?\w+\}?\s*(?:\||&&)|^\s*(?:echo|export\s+\w+=)/],
]

/** Lines looked at when guessing; enough for any chunk, and a bound for a megabyte. */
const guessedLines = 400
/** Characters of a line looked at: a minified line says what it is in its first few hundred. */
const guessedColumns = 400

/**
 * The traits of a language by name, or guessed from the text when no name is given or the name is unknown.
 *
 * The guess counts line cues; it only has to find the right comment and string marks.
 */
export function traitsOf(language: string | undefined, text: string): LanguageTraits {
  const named = language === undefined ? undefined : byName.get(language.trim().toLowerCase())
  return named ?? guess(text)
}

function guess(text: string): LanguageTraits {
  const votes = new Map<string, number>()
  let from = 0
  for (let line = 0; line < guessedLines && from < text.length; line++) {
    let to = text.indexOf('\n', from)
    if (to < 0) to = text.length
    const content = text.slice(from, Math.min(to, from + guessedColumns))
    for (const [language, weight, pattern] of cues) {
      if (pattern.test(content)) votes.set(language, (votes.get(language) ?? 0) + weight)
    }
    from = to + 1
  }
  let best: string | undefined
  let most = 1
  for (const [language] of cues) {
    const count = votes.get(language) ?? 0
    if (count > most) {
      most = count
      best = language
    }
  }
  return (best === undefined ? undefined : byName.get(best)) ?? neutral
}
