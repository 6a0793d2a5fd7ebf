/** One way to write a string constant: its marks, and what may stand between them. */
export interface StringForm {
  /** What must touch the opening mark from the left, as `r` in `r"..."`; any text when absent. */
  readonly prefix?: RegExp
  /** The opening mark. A pattern (sticky) is for marks of many shapes; its first group may be named in `close`. */
  readonly open: string | RegExp
  /** The closing mark, or how it is made from the match of `open`. */
  readonly close: string | ((open: RegExpExecArray) => string)
  /** Whether it may run over several lines. */
  readonly lines: boolean
  /** How the closing mark is written inside: behind a backslash, twice, or not at all. */
  readonly escape: 'backslash' | 'double' | 'none'
  /** The marks around code inside the string. */
  readonly holes?: readonly [open: string, close: string]
  /** Whether `:` in a hole begins a description of how the value is written, which is no code: `{ratio:.2f}`. */
  readonly formats?: boolean
}

type Extra = Partial<Pick<StringForm, 'prefix' | 'lines' | 'escape' | 'holes' | 'formats'>>

/** The same mark at both ends. */
function quoted(mark: string, extra: Extra = {}): StringForm {
  return { open: mark, close: mark, lines: mark.length === 3, escape: 'backslash', ...extra }
}

/** A raw string, whose closing mark is made from the opening one. */
function raw(open: RegExp, close: (open: RegExpExecArray) => string, prefix?: RegExp): StringForm {
  return { open, close, lines: true, escape: 'none', ...(prefix === undefined ? {} : { prefix }) }
}

const double = quoted('"')
const single = quoted("'")
const triple = quoted('"""')
const tripleSingle = quoted("'''")
/**
 * One character or its escape. A lone `'` is a lifetime, an apostrophe or a transposed matrix in the languages that write
 * characters so; C also packs up to four into one number.
 */
const character: StringForm = {
  open: /'(?:\\(?:u\{[0-9A-Fa-f_]{1,8}\}|[^\n]{1,9}?)|[^\\\n'])(?=')|'\w{2,4}(?=')/uy,
  close: "'",
  lines: false,
  escape: 'none',
}
const formatted = /^(?:[fFtT][rR]?|[rR][fFtT])$/
const braces = ['{', '}'] as const
const dollarBraces = ['${', '}'] as const
const hashBraces = ['#{', '}'] as const

type StringFormsName =
  | 'plain'
  | 'tripled'
  | 'python'
  | 'javascript'
  | 'characters'
  | 'java'
  | 'cpp'
  | 'csharp'
  | 'kotlin'
  | 'dart'
  | 'swift'
  | 'go'
  | 'rust'
  | 'ruby'
  | 'elixir'
  | 'julia'
  | 'php'
  | 'shell'
  | 'sql'
  | 'lua'
  | 'unknown'

/** The forms of the common languages; in each list the first that fits wins. */
export const stringForms: Readonly<Record<StringFormsName, readonly StringForm[]>> = {
  plain: [double, single],
  tripled: [triple, tripleSingle, double, single],
  python: [
    quoted('"""', { prefix: formatted, holes: braces, formats: true }),
    quoted("'''", { prefix: formatted, holes: braces, formats: true }),
    quoted('"', { prefix: formatted, holes: braces, formats: true }),
    quoted("'", { prefix: formatted, holes: braces, formats: true }),
    triple,
    tripleSingle,
    double,
    single,
  ],
  javascript: [quoted('`', { lines: true, holes: dollarBraces }), double, single],
  characters: [double, character],
  java: [triple, double, character],
  cpp: [raw(/"([^()\\\s"]{0,16})\(/y, (open) => `)${open[1] ?? ''}"`, /R$/), double, character],
  csharp: [
    raw(/("{3,})/y, (open) => open[1] ?? ''),
    quoted('"', { prefix: /^(?:\$@|@\$)$/, lines: true, escape: 'double', holes: braces, formats: true }),
    quoted('"', { prefix: /^@$/, lines: true, escape: 'double' }),
    quoted('"', { prefix: /^\$$/, holes: braces, formats: true }),
    double,
    character,
  ],
  kotlin: [quoted('"""', { escape: 'none', holes: dollarBraces }), quoted('"', { holes: dollarBraces }), character],
  dart: [
    quoted('"""', { holes: dollarBraces }),
    quoted("'''", { holes: dollarBraces }),
    quoted('"', { holes: dollarBraces }),
    quoted("'", { holes: dollarBraces }),
  ],
  swift: [
    raw(/(#{1,16})"/y, (open) => `"${open[1] ?? ''}`),
    quoted('"""', { holes: ['\\(', ')'] }),
    quoted('"', { holes: ['\\(', ')'] }),
  ],
  go: [quoted('`', { lines: true, escape: 'none' }), double, character],
  rust: [raw(/(#{0,16})"/y, (open) => `"${open[1] ?? ''}`, /^[bc]?r$/), double, character],
  ruby: [quoted('"', { holes: hashBraces }), single, quoted('`')],
  elixir: [quoted('"""', { holes: hashBraces }), quoted('"', { holes: hashBraces }), single],
  julia: [triple, double, character],
  php: [quoted('"', { holes: ['{$', '}'] }), single],
  shell: [quoted('"', { holes: ['$(', ')'] }), quoted("'", { escape: 'none' })],
  sql: [quoted("'", { escape: 'double' }), quoted('"', { escape: 'double' })],
  lua: [raw(/\[(={0,16})\[/y, (open) => `]${open[1] ?? ''}]`), double, single],
  unknown: [triple, tripleSingle, quoted('`', { lines: true }), double, single],
} as const satisfies Readonly<Record<string, readonly StringForm[]>>
