/** Words that begin a reply and decide it, in English, French, Spanish, Portuguese, German, Korean, Chinese, Japanese. */
const yes = [
  ...['yes', 'oui', 'sí', 'si', 'sim', 'ja'],
  ...['네', '예', '是', '是的', '有', '有的', '对', '对的', 'はい', 'ええ'],
]
const no = [
  ...['no', 'non', 'não', 'nao', 'nein'],
  ...['아니요', '아니오', '아뇨', '아니', '否', '不', '不是', '不是的', '没有', '沒有', 'いいえ', 'いえ'],
]
const answers: ReadonlyMap<string, 'yes' | 'no'> = new Map([
  ...yes.map((word) => [word, 'yes'] as const),
  ...no.map((word) => [word, 'no'] as const),
])

/** What may stand before the answer: marks of Markdown, quotation marks, and a label such as `Answer:` or `答案：`. */
const before = /^[\s*_`#>~"'“”‘’«»「」【】(-]*(?:\p{L}{2,12}[\s*_`]*[:：][\s*_`"'“‘«「]*)?/u
/** Both words side by side answer nothing: `yes and no`, `oui/non`, `ja oder nein`. */
const both = /^\p{L}+[\s,]*(?:\/|\||\s(?:or|and|ou|et|o|y|e|oder|und)\s)\s*\p{L}+/iu

/**
 * The answer that a reply in prose begins with: its first word must be a yes or a no. Anything else is undefined: a
 * sentence that only contains one of these words says too many things.
 */
export function spokenAnswer(text: string): 'yes' | 'no' | undefined {
  const said = text.normalize('NFC').trimStart()
  for (const rest of [said, said.replace(before, '')]) {
    const word = /^\p{L}+/u.exec(rest)?.[0].toLowerCase()
    const answer = word === undefined ? undefined : answers.get(word)
    if (answer !== undefined) return both.test(rest) ? undefined : answer
  }
  return undefined
}

/** The answer that one word gives, as a value in JSON. */
export function answerWord(word: string): 'yes' | 'no' | undefined {
  const trimmed = word.normalize('NFC').trim().toLowerCase()
  if (trimmed === 'true') return 'yes'
  if (trimmed === 'false') return 'no'
  return answers.get(trimmed)
}
