import { describe, expect, it } from 'vitest'
import { readChunk } from '../../src/code/chunk.ts'

function receiverOf(code: string, name: string, language: string): string {
  const receiver = readChunk(code, language).names.get(name)?.uses[0]?.receiver
  return receiver === undefined ? 'none' : `${receiver.knowledge} ${receiver.type.join('.')}`.trim()
}

describe('the type of a receiver is read from', () => {
  it.each([
    ['gdscript', '$AnimatedSprite2D.play()', 'play', 'likely AnimatedSprite2D'],
    ['gdscript', 'var v: Vector2\nv.length()', 'length', 'certain Vector2'],
    ['gdscript', 'var f := File.new()\nf.open("a")', 'open', 'certain File'],
    ['gdscript', 'Input.get_axis("a", "b")', 'get_axis', 'certain Input'],
    ['gdscript', 'func f(body: Node2D):\n\tbody.hide()', 'hide', 'certain Node2D'],
    ['python', 'import tensorflow as tf\ntf.Session()', 'Session', 'certain tensorflow'],
    ['python', 'from tensorflow.keras import layers\nlayers.Dense(1)', 'Dense', 'certain tensorflow.keras.layers'],
    ['python', 'with tf.Session() as sess:\n    sess.run(x)', 'run', 'likely tf.Session'],
    ['java', 'HttpClient client = HttpClient.newHttpClient();\nclient.send(r);', 'send', 'certain HttpClient'],
    [
      'typescript',
      "import { readFile } from 'node:fs'\nconst c: Client = make()\nc.query(1)",
      'query',
      'certain Client',
    ],
    ['javascript', 'const map = new Map()\nmap.get(1)', 'get', 'certain Map'],
    ['go', 'func f(w http.ResponseWriter) {\n\tw.Write(b)\n}', 'Write', 'certain http.ResponseWriter'],
  ])('%s: %j', (language, code, name, expected) => expect(receiverOf(code, name, language)).toBe(expected))
})

describe('names that the chunk binds itself are its own', () => {
  it.each([
    ['gdscript', 'var velocity = 1\nvelocity += 1', 'velocity'],
    ['gdscript', 'for item in list:\n\tprint(item)', 'item'],
    ['python', 'def placeholder(text):\n    return placeholder(text)', 'placeholder'],
    ['python', 'class A:\n    def f(self):\n        self.weight = 1\n        return self.weight', 'weight'],
    ['javascript', 'const { a, b: c } = make()\nuse(c)', 'c'],
    ['javascript', 'items.map((entry) => entry + 1)', 'entry'],
    ['java', 'String label = "x";\nprint(label);', 'label'],
  ])('%s: %j binds %s', (language, code, name) => expect(readChunk(code, language).names.get(name)?.own).toBe(true))

  it('but not a name that is reached through another object', () => {
    expect(readChunk('var pressed = 1\nbutton.pressed = true', 'gdscript').names.get('pressed')?.own).toBe(false)
  })
})

it('lines are compared without white space, comments and block openers', () => {
  const key = (code: string): string | undefined => [...readChunk(code, 'gdscript').lines.keys()][0]
  expect(key('\tif velocity.length()  > 0: # moving')).toBe(key('if velocity.length() > 0'))
  expect(key('x = 1')).toBeUndefined()
})

it('comments and strings are words to search by and no names', () => {
  const { names, terms } = readChunk('# open the World\nprint("Spatial text")', 'gdscript')
  expect([...names.keys()]).toEqual(['print'])
  expect(terms.has('world')).toBe(true)
  expect(terms.has('spatial')).toBe(true)
})
