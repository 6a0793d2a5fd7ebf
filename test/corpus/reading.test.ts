import {
  apiMapping,
  type CorpusRecord,
  defineCollection,
  docsChunks,
  labelPrototypes,
  readField,
} from 'direct-evidence'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldTexts, literalStrengths, type RecordReading, readRecord } from '../../src/corpus/reading.ts'
import { createVocabularies, type Vocabularies } from '../../src/corpus/vocabulary.ts'
import { entry, mapping, page, prototype } from '../helpers/corpus.ts'

function read(record: CorpusRecord, collection = docsChunks): { reading: RecordReading; vocabularies: Vocabularies } {
  const vocabularies = createVocabularies()
  return { reading: readRecord(record, collection, vocabularies), vocabularies }
}

/** Literals by key, each with where it is stated and how firmly. */
function literalsOf(record: CorpusRecord, collection = docsChunks): Map<string, string> {
  const { reading, vocabularies } = read(record, collection)
  const { ids, paths, strengths } = reading.literals
  return new Map(
    Array.from(ids, (id, index) => [
      vocabularies.literals.word(id),
      `${literalStrengths[strengths[index]!]} in ${reading.paths[paths[index]!]}`,
    ]),
  )
}

function termsOf(record: CorpusRecord, collection = docsChunks): Record<string, number> {
  const { reading, vocabularies } = read(record, collection)
  const counts: Record<string, number> = {}
  for (const { ids, counts: all } of reading.terms) {
    for (const [index, id] of ids.entries()) counts[vocabularies.terms.word(id)] = all[index]!
  }
  return counts
}

describe('readField', () => {
  const record = page('a', {
    title: 'x',
    code_blocks: ['first', 'second', 3],
    'odd[0]': 'odd',
    number: 42,
    nothing: null,
    '': 'empty',
  })

  it.each([
    ['title', 'x'],
    ['code_blocks[0]', 'first'],
    ['code_blocks[1]', 'second'],
    ['id', 'a'],
    ['', 'empty'],
  ])('gives the text at %j', (path, text) => {
    expect(readField(record, path)).toBe(text)
  })

  it.each([
    ...[
      'code_blocks',
      'code_blocks[2]',
      'code_blocks[9]',
      'code_blocks[-1]',
      'code_blocks[x]',
      'title[0]',
      'number',
      'nothing',
      'missing',
    ],
    ...['constructor', '__proto__', 'toString', 'code_blocks[length]', 'title.length', 'odd[0][0]'],
  ])('gives nothing at %j', (path) => {
    expect(readField(record, path)).toBeUndefined()
  })
})

describe('fieldTexts', () => {
  it('gives the texts of the fields that the collection names, in its order, each under the path that reads it', () => {
    const record = page('a', { api_symbols: ['S.a', 'S.b'], other: 'never', content: 'words', title: 'T' })
    const texts = fieldTexts(record, docsChunks)
    expect(texts.map(({ path, text }) => [path, text])).toEqual([
      ['title', 'T'],
      ['content', 'words'],
      ['api_symbols[0]', 'S.a'],
      ['api_symbols[1]', 'S.b'],
    ])
    for (const { path, text } of texts) expect(readField(record, path)).toBe(text)
  })

  it('passes over what is absent, null or inherited', () => {
    const heir = Object.assign(Object.create({ title: 'inherited' }), page('a', { content: null })) as CorpusRecord
    expect(fieldTexts(heir, docsChunks)).toEqual([])
  })
})

describe('the subject of a record', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['AnimatedSprite2D.play', ['AnimatedSprite2D', 'play']],
    ['std::vector', ['std', 'vector']],
    ['Array#each', ['Array', 'each']],
    ['tf.reduce_sum(keep_dims=)', ['tf', 'reduce_sum']],
    ['AnimatedSprite2D', ['AnimatedSprite2D']],
    ['is_action_pressed', ['is_action_pressed']],
    ['Introduction', undefined],
    ['Building the player scene', undefined],
    ['', undefined],
    ['...', undefined],
  ])('with the title %j is %j', (title, path) => {
    expect(read(page('a', { title })).reading.subject?.path).toEqual(path)
  })

  it('may be a plain word when the record lists it among its symbols', () => {
    expect(read(entry('Timer')).reading.subject?.path).toEqual(['Timer'])
  })

  it.each([
    'Timer.start',
    'play.play',
    'a.aa.a',
    'std::vector::push_back',
    'Array#each',
    'x.get.get_it',
    'tf.log(x)',
    'größe.höhe',
  ])('of %s ends where its last name ends', (title) => {
    const { reading } = read(page('a', { title }))
    const { path, field, start, end } = reading.subject!
    expect(field).toBe('title')
    expect(title.slice(end - path.at(-1)!.length, end)).toBe(path.at(-1))
    expect(title.slice(start, start + path[0]!.length)).toBe(path[0])
  })
})

describe('conditions of a record', () => {
  it('are its gates and patterns, with the fields that state them', () => {
    const record = mapping('old', { required_when_seen_in_code: ['old', 'other'], source_pattern: 'old\\(' })
    const { reading } = read(record, apiMapping)
    expect(reading.gates).toEqual([
      { text: 'old', field: 'required_when_seen_in_code[0]' },
      { text: 'other', field: 'required_when_seen_in_code[1]' },
    ])
    expect(reading.patterns).toEqual([{ text: 'old\\(', field: 'source_pattern' }])
    const single = read(mapping('old', { required_when_seen_in_code: 'old' }), apiMapping)
    expect(single.reading.gates).toEqual([{ text: 'old', field: 'required_when_seen_in_code' }])
    expect(read(page('a')).reading.gates).toEqual([])
  })

  it('are weak when the old name is still legal', () => {
    const weak = (fields: object): boolean | undefined =>
      read(mapping('old', { ...fields }), apiMapping).reading.weakName
    expect(weak({ old_name_legal_in_godot4: true })).toBe(true)
    expect(weak({ old_name_legal_in_godot4: false })).toBe(false)
    expect(weak({ auto: true })).toBeUndefined()
    expect(read(prototype('p', { old_name_legal_in_godot4: true }), labelPrototypes).reading.weakName).toBeUndefined()
  })

  it('are never searched by their patterns', () => {
    expect(termsOf(mapping('old', { source_pattern: 'unsearched' }), apiMapping)).not.toHaveProperty('unsearched')
  })
})

describe('terms of a record', () => {
  it('are folded words and their parts, counted', () => {
    expect(termsOf(page('a', { content: 'AnimatedSprite2D is_action_pressed Animated' }))).toEqual({
      animatedsprite2d: 1,
      animated: 2,
      sprite: 1,
      '2d': 1,
      is_action_pressed: 1,
      is: 1,
      action: 1,
      pressed: 1,
    })
  })

  it('leave out words of more than 100 characters, and fields of weight 0', () => {
    expect(termsOf(page('a', { content: `short ${'x'.repeat(101)} ${'y'.repeat(100)}` }))).toEqual({
      short: 1,
      ['y'.repeat(100)]: 1,
    })
    const silent = defineCollection({
      name: 'silent',
      fields: { text: { reads: 'prose', weight: 0 }, other: { reads: 'prose' } },
    })
    expect(termsOf({ id: 'a', collection: 'silent', text: 'unheard', other: 'heard' }, silent)).toEqual({ heard: 1 })
  })

  it('are stored by ascending id, with the length of the field in words', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('play', 'stop_all', 'Vector2', 'größe', 'x'), { maxLength: 30 }),
        (words) => {
          const { reading } = read(page('a', { content: words.join(' ') }))
          for (const { ids, length } of reading.terms) {
            expect([...ids]).toEqual([...new Set(ids)].sort((a, b) => a - b))
            expect(length).toBe(words.length)
          }
        },
      ),
    )
  })
})

describe('literals of a record', () => {
  it('are stated most firmly by its subject, then by lines and symbols, then by code, then by prose', () => {
    const record = page('a', {
      title: 'Timer.start',
      content: 'Call Timer.start or Engine.get_frames.',
      code_blocks: ['$Timer.start(2.5, delay)\nopen("level.tscn")'],
      api_symbols: ['Timer.start', 'Node.queue_free'],
    })
    const literals = literalsOf(record)
    expect(literals.get('Timer.start')).toBe('subject in title')
    expect(literals.get('Node.queue_free')).toBe('symbol in api_symbols[1]')
    expect(literals.get('Engine.get_frames')).toBe('prose in content')
    expect(literals.get('delay')).toBe('code in code_blocks[0]')
    expect(literals.get('"level.tscn')).toBe('string in code_blocks[0]')
    expect([...literals.values()]).toContain('line in code_blocks[0]')
  })

  it('do not come from fields that bear no evidence, nor from plain words of prose', () => {
    expect([...literalsOf(mapping('old', { notes: 'See New.thing_here' }), apiMapping).keys()]).not.toContain(
      'New.thing_here',
    )
    expect([...literalsOf(page('a', { content: 'the position of a body' })).keys()]).toEqual([])
  })

  it('do not come from comments in code', () => {
    expect([...literalsOf(page('a', { code_blocks: ['# Engine.get_frames()\nrotate_all(1)'] })).keys()]).not.toContain(
      'get_frames',
    )
  })

  it('stand in the record where they are said to stand', () => {
    const piece = fc.constantFrom(
      'A.play()',
      'velocity',
      '"text here"',
      '# note',
      '节点.就绪()',
      'größe',
      '😀',
      '\n',
      ' ',
      'a::b',
      '@onready',
      '$A/B',
      '\ud83d',
    )
    const text = fc.array(piece, { maxLength: 10 }).map((all) => all.join(''))
    const record = fc.record({
      title: text,
      content: text,
      code_blocks: fc.array(text, { maxLength: 3 }),
      api_symbols: fc.array(text, { maxLength: 3 }),
    })
    fc.assert(
      fc.property(record, (fields) => {
        const made = page('a', fields)
        const { reading, vocabularies } = read(made)
        const { ids, paths, starts, ends } = reading.literals
        for (const [index, id] of ids.entries()) {
          const key = vocabularies.literals.word(id)
          const stated = readField(made, reading.paths[paths[index]!]!)?.slice(starts[index], ends[index])
          if (key.startsWith('\n'))
            expect(stated?.replace(/\s|#.*/g, '')).toContain(key.slice(1).replace(/\s/g, '').slice(0, 1))
          else if (key.startsWith('"')) expect(stated).toBe(key.slice(1))
          else expect(stated?.replaceAll(/::|->/g, '.').endsWith(key.slice(key.lastIndexOf('.') + 1))).toBe(true)
        }
      }),
    )
  })
})
