import { describe, expect, it } from 'vitest'
import { type Declarations, readDeclarations } from '../../src/code/declarations.ts'
import { readCode } from '../../src/code/reading.ts'

function declared(code: string, language: string): Declarations {
  const { tokens, partner, traits } = readCode(code, language)
  return readDeclarations(tokens, partner, traits)
}

describe('names are bound by', () => {
  it.each([
    ['python', 'a, *b = f()\n(c, d) = g()', 'a b c d'],
    ['python', 'if (n := len(x)) > 3: pass', 'n'],
    ['python', 'with open(p) as f, g() as h: pass', 'f h'],
    ['python', 'try: f()\nexcept (A, B) as e: pass', 'e'],
    ['python', 'for i, (j, k) in xs: pass', 'i j k'],
    ['python', 'f = lambda a, b=c: a', 'f a b'],
    ['gdscript', 'enum State { IDLE, RUN }', 'State IDLE RUN'],
    ['javascript', 'const { a, b: { c }, ...d } = e', 'a c d'],
    ['javascript', 'let a = f(x, y), b = 2', 'a b'],
    ['javascript', 'xs.map((a, { b }) => a)', 'a b'],
    ['javascript', 'try {} catch (error) {}', 'error'],
    ['typescript', 'const f = (a: Foo): Promise<Bar> => a', 'f a'],
    ['java', 'Map<String, List<Integer>> m = f();', 'm'],
    ['java', 'try (Reader r = open()) {} catch (A | B e) {}', 'r e'],
    ['cpp', 'const Foo& f = g();', 'f'],
    ['go', 'a, err := f()', 'a err'],
    ['go', 'func (r *R) Do(a, b int) (n int, err error) {}', 'r Do a b n err'],
    ['rust', 'if let Some(x) = y {}', 'x'],
    ['rust', 'xs.map(|(a, b)| a)', 'a b'],
    ['ruby', 'xs.each do |a, b| end', 'a b'],
    ['php', 'function go(Bar $a) { foreach ($xs as $k => $v) {} }', 'go a xs k v'],
    ['lua', 'local a, b = 1, 2', 'a b'],
    ['swift', 'func f(_ a: A, with b: B) {}', 'f a b'],
  ])('%s: %j', (language, code, names) => {
    expect([...declared(code, language).names.keys()].sort()).toEqual(names.split(' ').sort())
  })

  it.each([
    ['python', 'f(\n  units=3,\n  name=x)'],
    ['python', 'items[0], box.size = f()'],
    ['rust', 'impl Trait for Type {}'],
    ['javascript', "import('m').then(f)"],
    ['gdscript', 'f(x)\nitem.size = 3'],
  ])('none in %s: %j', (language, code) => expect([...declared(code, language).names.keys()]).toEqual([]))
})

describe('imports say what a name stands for', () => {
  it.each([
    ['python', 'import tensorflow as tf', 'tf', 'tensorflow'],
    ['python', 'from a.b import (c as d,\n  e)', 'd', 'a.b.c'],
    ['python', 'from . import x', 'x', 'x'],
    ['javascript', "import d, { a as b } from '@s/m'", 'b', '@s.m.a'],
    ['javascript', "import * as n from 'm'", 'n', 'm'],
    ['javascript', "const { a: b } = require('m')", 'b', 'm.a'],
    ['java', 'import java.util.List;', 'List', 'java.util.List'],
    ['csharp', 'using X = A.B;', 'X', 'A.B'],
    ['go', 'import (\n  m "a/b"\n  "net/http"\n)', 'http', 'net.http'],
    ['rust', 'use std::{fs, io::{self, Read as R}};', 'R', 'std.io.Read'],
    ['php', 'use A\\B as C;', 'C', 'A.B'],
    ['lua', "local m = require('a.b')", 'm', 'a.b'],
  ])('%s: %j', (language, code, name, path) => {
    expect(declared(code, language).imports.get(name)?.join('.')).toBe(path)
  })

  it('and nothing for the words around them', () => {
    expect([...declared("import * as n from 'm'", 'javascript').imports.keys()]).toEqual(['n'])
  })
})

it.each([
  ['python', 'class A(B, metaclass=M): pass', ['B']],
  ['java', 'class A<T> extends B<T> implements C, D {}', ['B', 'C', 'D']],
  ['cpp', 'class A : public B<T>, private C {};', ['B', 'C']],
  ['kotlin', 'class A(val x: Foo) : B(x), C', ['B', 'C']],
  ['ruby', 'class A < B::C\nend', ['B.C']],
  ['gdscript', 'extends Node2D', ['Node2D']],
])('%s: base types of %j', (language, code, bases) => {
  expect([...new Set(declared(code, language).bases.map((base) => base.join('.')))].sort()).toEqual(bases)
})
