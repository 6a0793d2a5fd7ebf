import {
  readAs,
  readAssignment,
  readLoop,
  readRescue,
  readSigil,
  readTargets,
  readTest,
  readVariable,
  readWalrus,
} from './declarations/bindings.ts'
import {
  readArrow,
  readBareFunction,
  readBars,
  readFunction,
  readLambda,
  readParameters,
} from './declarations/functions.ts'
import { readImport } from './declarations/imports.ts'
import { type Declaration, declare, type Reader, startsStatement } from './declarations/reader.ts'
import { readAlias, readBases, readType } from './declarations/types.ts'
import { baseWords, functionWords, typeWords, variableWords } from './keywords.ts'
import type { LanguageTraits } from './languages.ts'
import type { Token } from './lexer.ts'
import { withoutComments } from './uncommented.ts'

export type { Declaration } from './declarations/reader.ts'

/** What a chunk binds. */
export interface Declarations {
  readonly names: ReadonlyMap<string, Declaration>
  /** What an import makes a name stand for: `tf` for `tensorflow`. */
  readonly imports: ReadonlyMap<string, readonly string[]>
  /** Types that the chunk's own class extends. */
  readonly bases: readonly (readonly string[])[]
}

/** Reads what the code binds: variables, parameters, functions, types, imports. Language-neutral; linear in the tokens. */
export function readDeclarations(tokens: readonly Token[], partner: Int32Array, traits: LanguageTraits): Declarations {
  const code = withoutComments(tokens, partner)
  const reader: Reader = { ...code, traits, names: new Map(), imports: new Map(), bases: [] }
  for (let index = 0; index < code.tokens.length; index++) {
    const { kind } = code.tokens[index]!
    if (kind === 'word') index = readWord(reader, index)
    else if (kind === 'operator') index = readOperator(reader, index)
  }
  return reader
}

/** Marks that bind names. Returns the index of the last token that was read. */
function readOperator(reader: Reader, index: number): number {
  const { tokens, partner, traits } = reader
  const { text, startsLine } = tokens[index]!
  if (text === ':=') readWalrus(reader, index)
  else if (text === traits.lambdaArrow) readArrow(reader, index)
  else if (text === '$' && traits.sigils) {
    readSigil(reader, index)
    return index + 1
  } else if (text === '|' && traits.barParameters) return readBars(reader, index)
  else if (
    startsLine &&
    traits.assignmentDeclares &&
    (text === '(' || text === '[') &&
    tokens[(partner[index] ?? -2) + 1]?.text === '='
  ) {
    readTargets(reader, index)
  }
  return index
}

/** Words that bind names. Returns the index of the last token that was read. */
function readWord(reader: Reader, index: number): number {
  const { tokens, traits, partner } = reader
  const word = tokens[index]!.text
  const before = tokens[index - 1]?.text ?? ''
  const next = tokens[index + 1]
  if (traits.access.has(before) || (traits.nodePaths && before === '$')) return index
  if (functionWords.has(word)) readFunction(reader, index)
  else if (typeWords.has(word)) readType(reader, index)
  else if (baseWords.has(word)) {
    // `<T extends Base>` bounds a type.
    const bound = tokens[index - 2]?.text
    if (bound !== '<' && bound !== ',') readBases(reader, index + 1, tokens.length)
  } else if (word === 'import' || word === 'from' || word === 'using' || word === 'use')
    return readImport(reader, index)
  else if (variableWords.has(word) && next?.text !== ':' && next?.text !== '=') readVariable(reader, index + 1)
  else if (word === 'for' || word === 'foreach') readLoop(reader, index + 1)
  else if (word === 'signal' && traits.nodePaths) declare(reader, next, 'variable')
  else if (word === 'as' || word === 'AS') readAs(reader, index)
  else if (word === 'lambda') readLambda(reader, index + 1)
  else if (word === 'catch' && next?.text === '(' && (partner[index + 1] ?? -1) > 0)
    readParameters(reader, index + 1, partner[index + 1]!, 'variable')
  else if (word === 'rescue') readRescue(reader, index)
  else if (traits.typePlace === 'before' && (word === 'instanceof' || word === 'is' || word === 'out'))
    readTest(reader, index)
  else if ((word === 'type' || word === 'typealias') && startsStatement(reader, index)) readAlias(reader, index)
  else {
    readAssignment(reader, index)
    if (traits.bareFunctions) readBareFunction(reader, index)
  }
  return index
}
