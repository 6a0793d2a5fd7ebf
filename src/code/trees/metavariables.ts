/** A meta-variable of ast-grep: `$A`, `$_`, `$$$`, `$$$ARGS`; not a part of a longer name such as `$Player`. */
const metavariable = /(?<![\w$])(?:\$\$\$(?![\w$])|\${1,3}[A-Z_][A-Z0-9_]*(?![\w$]))/g

/**
 * Whether the text of a source pattern is an ast-grep pattern rather than a regular expression: it holds a meta-variable
 * outside a character class, and neither a backslash nor `(?`.
 *
 * In a regular expression a `$` ends a line, so what follows a bare one can never match: no pattern that works as an
 * expression is taken for the other kind.
 */
export function hasMetavariable(text: string): boolean {
  if (text.includes('\\') || text.includes('(?')) return false
  return withoutClasses(text).search(metavariable) >= 0
}

/**
 * The text without the brackets that only a regular expression writes so: negated, with a range, or with a quantifier
 * behind them, as in `[^$A]`, `[$A-Z]`, `[$_]+`. Linear: a hostile record must not hold up the load.
 */
function withoutClasses(text: string): string {
  let rest = ''
  let from = 0
  for (let open = text.indexOf('['); open >= 0; open = text.indexOf('[', from)) {
    const close = text.indexOf(']', open)
    if (close < 0) break
    const content = text.slice(open + 1, close)
    const isClass =
      content.startsWith('^') || (!/\s/.test(content) && /\w-\w/.test(content)) || /[+*?{]/.test(text.charAt(close + 1))
    rest += text.slice(from, isClass ? open : close + 1)
    from = close + 1
  }
  return rest + text.slice(from)
}

/** Whether a pattern is nothing but one meta-variable, which matches everything. */
export function isLoneMetavariable(text: string): boolean {
  return /^\${1,3}[A-Z0-9_]*$/.test(text.trim())
}

/** Whether one named variable stands twice: both places must then be equal, which takes time to compare. */
export function repeatsVariable(text: string): boolean {
  const names = (text.match(metavariable) ?? []).filter((name) => !/^\$+(?:_|$)/.test(name))
  return new Set(names).size < names.length
}

/** The pattern as it is parsed: `$` cannot stand in the names of every language. */
export function withExpando(text: string, expandoChar: string): string {
  return text.replace(metavariable, (found) => found.replaceAll('$', expandoChar))
}
