/** Reserved words of the common languages: they shape code and say nothing of what it is about. */
const reserved = `
abstract and as assert async await begin bool boolean break byte case catch char class class_name const constexpr continue
def default defer del delete do done double elif else elsif end endif ensure enum esac except export extends extern
false False fi final finally float fn for foreach from func function global goto if impl implements import in include
inline instanceof int interface internal is lambda let local long loop match mod module mut namespace new nil None not
null nullptr NULL object of or out override package pass private protected pub public raise range readonly ref require
return select self sealed short signed sizeof static str string struct super switch template then this throw throws
trait true True try type typedef typename typeof undefined union unless unsigned until unsafe use using val var
virtual void volatile when where while with yield onready signal setget tool
`

/** Names so common in programs of every kind that sharing one proves nothing. */
const everyday = `
a add all any append args array b c call close count create d data dict e err error f false file find first format g get
h i id idx index init input item items j k key keys kwargs last len length line list log main map max min msg n name
next node num number o obj open options output p params parent path pop pos position print push put q r read remove
reset result run s save set size split start state stop t temp test text time tmp to update url user v value values
w width height write x y z
`

const keywords: ReadonlySet<string> = new Set(reserved.split(/\s+/).filter(Boolean))
const everydayNames: ReadonlySet<string> = new Set(everyday.split(/\s+/).filter(Boolean))

/** Whether a word is reserved in one of the common languages (case matters). */
export function isKeyword(word: string): boolean {
  return keywords.has(word)
}

/** Whether a lone name is too common to prove anything; one-letter names always are. */
export function isEveryday(word: string): boolean {
  return word.length < 2 || everydayNames.has(word)
}

/** Words that begin a declaration of a variable or constant: `let x`, `var x`. */
export const variableWords: ReadonlySet<string> = new Set([
  'var',
  'let',
  'const',
  'val',
  'my',
  'local',
  'auto',
  'mut',
  'dim',
  'Dim',
  'static',
])
/** Words that begin a function. */
export const functionWords: ReadonlySet<string> = new Set(['func', 'def', 'function', 'fn', 'fun', 'sub', 'proc'])
/** Words that begin a type. */
export const typeWords: ReadonlySet<string> = new Set([
  'class',
  'struct',
  'interface',
  'enum',
  'trait',
  'union',
  'record',
  'class_name',
  'protocol',
])
/** Words behind which the base types stand. */
export const baseWords: ReadonlySet<string> = new Set(['extends', 'implements'])
/** Names of the object that a method belongs to. */
export const selfWords: ReadonlySet<string> = new Set(['self', 'this', 'super', 'base', 'Self', 'cls'])
