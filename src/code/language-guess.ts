/**
 * What gives a language away: each line that matches counts its weight for the language. The strongest sum wins; ties go
 * to the earlier row.
 */
const cues: readonly (readonly [language: string, weight: number, pattern: RegExp])[] = [
  ['gdscript', 4, /^\s*(?:static\s+)?func\s+\w+\s*\(.*(?:\)\s*(?:->\s*\w+\s*)?:)/],
  ['gdscript', 3, /^\s*(?:@export|@onready|onready\s+var|export\s*(?:\(|var)|extends\s+\w+\s*$|class_name\s)/],
  ['gdscript', 2, /\$\w+\.|\$"|&"|%\w+\.\w+|^\s*var\s+\w+\s*(?::=|:|=|$)(?!.*[;{]\s*$)/],
  [
    'python',
    4,
    /^\s*(?:async\s+)?def\s+\w+\s*\(.*[:,(]\s*$|^\s*from\s+[\w.]+\s+import\s|^\s*class\s+\w+(?:\(.*\))?:\s*$/,
  ],
  [
    'python',
    2,
    /^\s*import\s+[\w.]+(?:\s+as\s+\w+)?\s*$|^\s*(?:elif|except|with)\b.*:|\bself\.|\bNone\b|\bTrue\b|\bFalse\b/,
  ],
  ['python', 2, /^\s*(?:"{3}|'{3})|^\s*>>> |\bis\s+(?:not\s+)?None\b|\bnot\s+in\b|\bself[,)]|\b__\w+__\b/],
  ['python', 1, /^\s*(?:for|if|while|else|try)\b.*:\s*$|^\s*[\w., ]+\s=\s[^;{]*$|^\s*@\w+/],
  [
    'ruby',
    3,
    /^\s*(?:end\b|require\s+['"]|attr_\w+\s|module\s+[A-Z]\w*\s*$|puts\s|def\s+[\w.]+[?!]?(?:\s*\(.*\))?\s*$)|\bdo\s*\||\{\s*\|\w/,
  ],
  ['lua', 3, /^\s*local\s+(?:function\s+)?\w+|\bthen\s*$|^\s*function\s+[\w.:]+\(.*\)\s*$|^\s*--\s/],
  [
    'sql',
    4,
    /^\s*(?:select|insert\s+into|update\s+\w+\s+set|create\s+(?:table|view|index)|delete\s+from|alter\s+table)\b/i,
  ],
  ['go', 4, /^\s*func\s+(?:\(\w+\s+\*?\w+\)\s*)?\w*\(.*\{\s*$|^package\s+\w+\s*$|^[^#]*\w\s*:=.*[^;:]$/],
  [
    'rust',
    4,
    /^\s*(?:pub(?:\(\w+\))?\s+)?(?:fn|impl|mod|use|trait)\s.*(?:\{|;)\s*$|\blet\s+mut\s|&mut\s|->\s*Result<|^\s*#!?\[\w+/,
  ],
  ['php', 5, /<\?php|\$\w+\s*->|\$this\b|^\s*\$\w+\s*=[^=]/],
  [
    'javascript',
    3,
    /^\s*(?:export\s+)?(?:const|let)\s+[\w{[]|=>|\brequire\(|^\s*import\s.*from\s+['"]|===|\bfunction\b.*\{/,
  ],
  [
    'javascript',
    2,
    /^\s*(?:var|let|const)\s+\w+\s*=.*;?\s*$|\bmodule\.exports\b|\bexports\.\w|\btypeof\s|\bundefined\b|^\s*(?:return\s+)?await\s|\bfunction\s*\*?\s*\w*\(/,
  ],
  [
    'perl',
    4,
    /^\s*(?:my|our|local)\s*[($@%]|^\s*use\s+(?:strict|warnings|vars)\b|^\s*sub\s+\w+\s*\{?\s*$|\s=~\s|\$\w+->[{[(]|@_\b|^=(?:head\d|item|over|cut|pod)\b/,
  ],
  [
    'java',
    3,
    /^\s*(?:public|private|protected)\s[^:]*[{;(]\s*$|^\s*import\s+[\w.]+(?:\.\*)?;|\bnew\s+[A-Z]\w*[(<]|^\s*@Override\b/,
  ],
  ['java', 1, /;\s*$/],
  [
    'csharp',
    4,
    /^\s*using\s+(?:static\s+)?[A-Z][\w.]*;|^\s*namespace\s+[A-Z][\w.]*\s*[;{]?\s*$|\{\s*get;|\$@?"[^"$]*\{\w|[=(,+]\s*@"|\boverride\s+\w+\s+\w+\(|^\s*\[[A-Z]\w*(?:\(.*\))?\]/,
  ],
  [
    'kotlin',
    4,
    /^\s*(?:\w+\s+)*fun\s+(?:<.*>\s*)?[\w.]+\s*\(|^\s*(?:\w+\s+)*val\s+\w+\s*(?::|=|by\b)|^\s*(?:(?:private|override|lateinit)\s+)+var\s+\w+\s*[:=]|^\s*(?:data|sealed)\s+class\s/,
  ],
  [
    'swift',
    4,
    /^\s*(?:guard|if)\s+let\s|^\s*(?:\w+\s+)*func\s+\w+\s*(?:<.*>)?\(.*\{\s*$|^\s*import\s+(?:UIKit|SwiftUI|Foundation)\b|^\s*@(?:IBOutlet|State|Published)\b/,
  ],
  [
    'c',
    3,
    /^\s*#\s*(?:include|define|ifdef|ifndef|if|endif|pragma)\b|\bstd::|->\w+\(|^\s*(?:void|int|char|float|double|bool)\s+\w+/,
  ],
  [
    'c',
    2,
    /^\s*(?:extern|typedef|struct|unsigned|union|enum)\b.*[;{(,]?\s*$|\b\w+_t\b|\bNULL\b|^\s*(?:static\s+|const\s+)*\w+\s+\*+\w+/,
  ],
  [
    'shell',
    4,
    /^#!.*sh\b|^\s*(?:fi|done|esac)\b|\$\{?\w+\}?\s*(?:\||&&)|^\s*(?:echo|export\s+\w+=)|\bthen\s*$|^\s*if\s+\[/,
  ],
]

/** Lines looked at when guessing; enough for any chunk, and a bound for a megabyte. */
const guessedLines = 400
/** Characters of a line looked at: a minified line says what it is in its first few hundred. */
const guessedColumns = 400

/** The language that the lines of a text speak for; undefined when none does. */
export function guessLanguage(text: string): string | undefined {
  const votes = new Map<string, number>()
  let from = 0
  for (let line = 0; line < guessedLines && from < text.length; line++) {
    let to = text.indexOf('\n', from)
    if (to < 0) to = text.length
    const content = text.slice(from, Math.min(to, from + guessedColumns)).trimEnd()
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
  return best
}
