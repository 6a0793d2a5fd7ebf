import { describe, expect, it } from 'vitest'
import { traitsOf } from '../../src/code/languages.ts'

describe('a language nobody named is guessed', () => {
  it.each([
    ['gdscript', 'extends Node2D\n\nfunc _ready():\n\tpass'],
    ['python', 'import os\n\ndef f(a):\n    return None'],
    ['javascript', "const a = require('m')\nexport const f = () => a"],
    ['java', 'public class A {\n  @Override\n  public void run() {\n  }\n}'],
    ['csharp', 'using System.Text;\nnamespace A {\n  public int X { get; set; }\n}'],
    ['c', '#include <stdio.h>\nint main(void) {\n  p->run();\n}'],
    ['go', 'package main\n\nfunc main() {\n  a := f()\n}'],
    ['rust', 'use std::fs;\nfn main() {\n  let mut x = 1;\n}'],
    ['php', '<?php\n$a = 1;\n$this->b();'],
    ['lua', 'local a = 1\nif a then\nend'],
    ['sql', 'SELECT a FROM b'],
    ['shell', '#!/bin/sh\necho hi\nfi'],
  ])('%s', (language, code) => expect(traitsOf(undefined, code).name).toBe(language))
})

it('a name counts in any case, under any of its spellings; an unknown one is a guess', () => {
  expect(traitsOf(' GDScript ', '').name).toBe('gdscript')
  expect(traitsOf('py', '').name).toBe('python')
  expect(traitsOf('c++', '').name).toBe(traitsOf('c', '').name)
  expect(traitsOf('no such language', '').name).toBe('unknown')
})
