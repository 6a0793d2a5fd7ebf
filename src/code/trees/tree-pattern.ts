import { isLoneMetavariable, repeatsVariable } from './metavariables.ts'

/** A pattern on trees, as ast-grep takes it, after its shape was checked. */
export interface TreePattern {
  readonly rule: Rule
  readonly constraints: Readonly<Record<string, Rule>>
  readonly utils: Readonly<Record<string, Rule>>
  /** Every code pattern in it; each must parse in the language. */
  readonly codes: readonly string[]
}

/** A rule object: see ast-grep's reference of rule objects. */
export type Rule = Readonly<Record<string, unknown>>

/** A pattern that cannot be used, and why. */
export interface PatternFault {
  readonly fault: string
}

/** Rules nested in each other; the native reader gives up at some more. */
const deepest = 24
/** Rules in one pattern. */
const mostRules = 100
/** Characters of a code pattern: native matching is recursive, and a deep pattern must not exhaust its stack. */
const longestCode = 1_000

const relations: ReadonlySet<string> = new Set(['has', 'inside', 'precedes', 'follows'])
const ruleKeys: ReadonlySet<string> = new Set([
  ...['pattern', 'kind', 'regex', 'nthChild', 'range', 'all', 'any', 'not', 'matches'],
  ...relations,
])
const configKeys: ReadonlySet<string> = new Set(['rule', 'constraints', 'utils'])

/**
 * A code pattern such as `$A.instance()`, or a rule: bare, or `{ rule, constraints, utils }`.
 *
 * Whether it parses depends on the language and is checked where its grammar is loaded.
 *
 * @param isValidRegex Whether a regular expression in a rule is one that may be run.
 */
export function readTreePattern(
  value: string | Rule,
  isValidRegex: (regex: string) => boolean,
): TreePattern | PatternFault {
  const config = typeof value === 'string' ? { rule: { pattern: value } } : 'rule' in value ? value : { rule: value }
  const unknown = Object.keys(config).find((key) => !configKeys.has(key))
  if (unknown !== undefined) return { fault: `a rule object has no key \`${unknown}\` beside \`rule\`` }
  const { rule, constraints = {}, utils = {} } = config as Readonly<Record<string, unknown>>
  if (!isRule(rule) || !isRule(constraints) || !isRule(utils)) {
    return { fault: '`rule`, `constraints` and `utils` must be objects' }
  }
  const reader = new RuleReader(isValidRegex)
  for (const each of [rule, ...Object.values(constraints), ...Object.values(utils)]) {
    const fault = reader.read(each, 0)
    if (fault !== undefined) return { fault }
  }
  if (Object.keys(rule).length === 1 && typeof rule.pattern === 'string' && isLoneMetavariable(rule.pattern)) {
    return { fault: 'it matches everything; say more of the code than one meta-variable' }
  }
  return { rule, constraints, utils, codes: reader.codes } as TreePattern
}

/** Whether something can be a rule by its outer shape. */
export function isRule(value: unknown): value is Rule {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks the shape of rules, so that nothing too deep or unknown reaches native code. */
class RuleReader {
  readonly codes: string[] = []
  readonly #isValidRegex: (regex: string) => boolean
  #count = 0

  constructor(isValidRegex: (regex: string) => boolean) {
    this.#isValidRegex = isValidRegex
  }

  read(rule: unknown, depth: number, relation = ''): string | undefined {
    if (!isRule(rule)) return 'a rule must be an object'
    if (Object.keys(rule).length === 0) return 'a rule must say something'
    if (depth > deepest) return `its rules are nested more than ${deepest} deep`
    if (++this.#count > mostRules) return `it has more than ${mostRules} rules`
    for (const [key, value] of Object.entries(rule)) {
      const fault = this.#readKey(key, value, depth, relation)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  #readKey(key: string, value: unknown, depth: number, relation: string): string | undefined {
    if (key === 'pattern') return this.#readCode(isRule(value) ? value.context : value)
    if (key === 'regex') {
      if (typeof value !== 'string') return '`regex` must be a string'
      return this.#isValidRegex(value) ? undefined : 'its `regex` is not valid, or too large'
    }
    if (key === 'matches')
      return typeof value === 'string' ? undefined : '`matches` must be the name of a rule in `utils`'
    if (key === 'all' || key === 'any') {
      if (!Array.isArray(value)) return `\`${key}\` must be a list of rules`
      return firstFault(value, (each) => this.read(each, depth + 1))
    }
    if (key === 'not' || relations.has(key)) return this.read(value, depth + 1, key)
    if (key === 'nthChild') {
      return isRule(value) && value.ofRule !== undefined ? this.read(value.ofRule, depth + 1) : undefined
    }
    if (relations.has(relation) && key === 'stopBy') {
      return isRule(value) ? this.read(value, depth + 1) : undefined
    }
    if (key === 'field' && relations.has(relation)) return undefined
    return ruleKeys.has(key) ? undefined : `a rule has no key \`${key}\``
  }

  #readCode(code: unknown): string | undefined {
    if (typeof code !== 'string') return '`pattern` must be a text, or an object with the text in `context`'
    if (code.length > longestCode) return `it is longer than ${longestCode} characters`
    this.codes.push(code)
    return undefined
  }
}

function firstFault(values: readonly unknown[], faultOf: (value: unknown) => string | undefined): string | undefined {
  for (const value of values) {
    const fault = faultOf(value)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** How large a tree is, as far as it decides how long a search takes. */
export interface TreeShape {
  readonly nodes: number
  /** Nodes from the root to the deepest leaf. */
  readonly depth: number
  /** Most children of one node. */
  readonly width: number
  readonly characters: number
}

/** Characters that a regular expression or a comparison reads in the time in which a node is visited. */
const charactersPerVisit = 16

/** Visits of a node that a search may take at worst; one takes up to 50 nanoseconds. */
export function costOf({ rule, constraints, utils }: TreePattern, shape: TreeShape): number {
  const known = new Map<string, number>()
  // A node's text is as long as all that lies below it; summed up, each character counts once for each level.
  const text = 1 + (shape.characters * shape.depth) / Math.max(1, shape.nodes) / charactersPerVisit
  const utilityCost = (name: unknown): number => {
    const utility = utils[String(name)]
    if (utility === undefined) return 1
    let cost = known.get(String(name))
    if (cost === undefined) {
      // Rules that name each other in a circle are refused by the native reader.
      known.set(String(name), 0)
      known.set(String(name), (cost = ruleCost(utility)))
    }
    return cost
  }
  const stepsTo = (stopBy: unknown, all: number): number => {
    if (stopBy === undefined || stopBy === 'neighbor') return 1
    return isRule(stopBy) ? all * (1 + ruleCost(stopBy)) : all
  }
  const keyCost = (key: string, value: unknown): number => {
    switch (key) {
      case 'pattern': {
        const code = String(isRule(value) ? value.context : value)
        return 1 + code.length / 4 + (repeatsVariable(code) ? text : 0)
      }
      case 'regex':
        return text
      case 'matches':
        return utilityCost(value)
      case 'all':
      case 'any':
        return (value as readonly Rule[]).reduce((sum, each) => sum + ruleCost(each), 0)
      case 'not':
        return ruleCost(value as Rule)
      case 'has':
      case 'inside':
        return stepsTo((value as Rule).stopBy, shape.depth) * ruleCost(value as Rule)
      case 'precedes':
      case 'follows':
        return stepsTo((value as Rule).stopBy, shape.width) * ruleCost(value as Rule)
      case 'nthChild':
        return shape.width * (isRule(value) && isRule(value.ofRule) ? 1 + ruleCost(value.ofRule) : 1)
      default:
        return 0
    }
  }
  const ruleCost = (each: Rule): number =>
    Object.entries(each).reduce((sum, [key, value]) => sum + keyCost(key, value), 1)
  const perNode = [rule, ...Object.values(constraints)].reduce((sum, each) => sum + ruleCost(each), 0)
  return shape.nodes * perNode
}
