import { describe, expect, it } from 'vitest'
import { readChunk } from '../../src/code/chunk.ts'
import { findInCode } from '../../src/code/occurrences.ts'

function found(code: string, text: string, language = 'gdscript'): string[] {
  return findInCode(readChunk(code, language), text).map(({ as }) => as)
}

describe('a text is found in code as whole tokens', () => {
  it.each([
    ['$Player.hide()', '$Player'],
    ['@onready var label = $Label', '@onready'],
    ['func f() -> void:', '->'],
    ['%Name.text = ""', '%Name'],
    ['var s = Sprite.new()', 'Sprite'],
    ['modulate = Color.red', 'Color.red'],
    ['b.connect("pressed", self, "f")', '"pressed"'],
    ['export var speed = 1', 'export'],
    ['export var speed = 1', 'export var'],
    ['yield(get_tree(), "idle_frame")', 'yield'],
  ])('%s has %s', (code, text) => expect(found(code, text)).toContain(text.startsWith('"') ? 'string' : 'code'))

  it('of other languages too', () => {
    expect(found('std::vector<int> v;', '::', 'cpp')).toEqual(['code'])
    expect(found('#if DEBUG\nint x;\n#endif', '#if', 'c')).toEqual(['code'])
    expect(found('tf.flags.FLAGS', 'tf.flags', 'python')).toEqual(['code'])
  })

  it.each([
    ['$AnimatedSprite2D.play()', 'AnimatedSprite', 'gdscript'],
    ['var m = MyAnimatedSprite.new()', 'AnimatedSprite', 'gdscript'],
    ['@export var speed = 1', 'export', 'gdscript'],
    ['if Input.is_action_pressed("a"): pass', 'pressed', 'gdscript'],
    ['$Sprite.hide()', 'Sprite', 'gdscript'],
    ['# open the World here', 'World', 'gdscript'],
    ['print("World ready")', 'World', 'gdscript'],
    ['"""\na Spatial text\n"""', 'Spatial', 'gdscript'],
    ['def f():\n    """Uses tf.Session()."""\n    return 1', 'tf.Session', 'python'],
    ['y = x.tf.log(1)', 'tf.log', 'python'],
    ['y = mytf.log(1)', 'tf.log', 'python'],
    ['y = tf.log_softmax(1)', 'tf.log', 'python'],
    ['y = tf.logging.info(1)', 'tf.log', 'python'],
    ['form = {"placeholder": 1}', 'placeholder', 'python'],
  ])('%j does not have %s', (code, text, language) => expect(found(code, text, language)).toEqual([]))

  it('knows the names that the chunk binds itself, and the labels of arguments', () => {
    expect(found('var offset = 1\noffset *= 2', 'offset')).toEqual(['own', 'own'])
    expect(found('func f(pressed):\n\treturn pressed', 'pressed')).toEqual(['own', 'own'])
    expect(found('var pressed = 1\nbutton.pressed = true', 'pressed')).toContain('code')
    expect(found('f(placeholder="x")', 'placeholder', 'python')).toEqual(['label'])
  })
})
