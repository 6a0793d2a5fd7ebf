import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiMapping, builtInCollections, docsChunks, labelPrototypes } from '../../src/corpus/built-in.ts'
import { type CollectionDefinition, defineCollection, isCollection } from '../../src/corpus/collections.ts'
import { DirectEvidenceError } from '../../src/errors.ts'

const recipes: CollectionDefinition = { name: 'recipes', fields: { text: { reads: 'prose' } } }

/** The error of a call that must be refused. */
function refusal(call: () => unknown): DirectEvidenceError {
  try {
    call()
  } catch (error) {
    if (DirectEvidenceError.isInstance(error)) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('defineCollection', () => {
  it('fills in the defaults and keeps the order of the fields', () => {
    const collection = defineCollection({
      name: 'recipes',
      fields: {
        api: { reads: 'symbol', evidence: 'subject', weight: 2.5 },
        text: { reads: 'prose' },
        pattern: { reads: 'symbol', evidence: 'pattern' },
        aside: { reads: 'prose', weight: 0 },
      },
    })
    expect(collection.fields).toEqual([
      { name: 'api', reads: 'symbol', weight: 2.5, evidence: 'subject' },
      { name: 'text', reads: 'prose', weight: 1, evidence: 'mention' },
      { name: 'pattern', reads: 'symbol', weight: 0, evidence: 'pattern' },
      { name: 'aside', reads: 'prose', weight: 0, evidence: 'mention' },
    ])
    expect(collection.weakNames).toBeUndefined()
    expect(isCollection(collection)).toBe(true)
    expect(Object.isFrozen(collection)).toBe(true)
  })

  it('tells a collection from what only looks like one', () => {
    for (const other of [undefined, null, 'docs_chunks', {}, { ...docsChunks }, recipes]) {
      expect(isCollection(other)).toBe(false)
    }
  })

  it.each<[string, unknown, string]>([
    ['an unknown option', { ...recipes, colour: 'red' }, 'colour'],
    [
      'an unknown option of a field',
      { ...recipes, fields: { text: { reads: 'prose', boost: 2 } } },
      'fields.text.boost',
    ],
    ['no definition', undefined, ''],
    ['an empty name', { ...recipes, name: '' }, 'name'],
    ['a name with NUL', { ...recipes, name: 'a\u0000b' }, 'name'],
    ['a name with a line end', { ...recipes, name: 'a\u2028b' }, 'name'],
    ['no fields', { name: 'recipes', fields: {} }, 'fields'],
    ['a list of fields', { name: 'recipes', fields: ['text'] }, 'fields'],
    ['a field without a definition', { ...recipes, fields: { text: null } }, 'fields.text'],
    ['an unknown way of reading', { ...recipes, fields: { text: { reads: 'poem' } } }, 'fields.text.reads'],
    ['a negative weight', { ...recipes, fields: { text: { reads: 'prose', weight: -1 } } }, 'fields.text.weight'],
    ['an endless weight', { ...recipes, fields: { text: { reads: 'prose', weight: Infinity } } }, 'fields.text.weight'],
    [
      'a weight that is no number',
      { ...recipes, fields: { text: { reads: 'prose', weight: NaN } } },
      'fields.text.weight',
    ],
    [
      'an unknown role',
      { ...recipes, fields: { text: { reads: 'prose', evidence: 'proof' } } },
      'fields.text.evidence',
    ],
    ['a field without a name', { ...recipes, fields: { '': { reads: 'prose' } } }, 'fields'],
    ['a field named as a list entry', { ...recipes, fields: { 'text[0]': { reads: 'prose' } } }, 'fields.text[0]'],
    ['a field __proto__', { ...recipes, fields: JSON.parse('{"__proto__":{"reads":"prose"}}') }, 'fields.__proto__'],
    ['an empty prefix', { ...recipes, weakNames: '' }, 'weakNames'],
    ['a schema that is none', { ...recipes, schema: { parse: () => ({}) } }, 'schema'],
  ])('refuses %s and names the option', (_, definition, option) => {
    const error = refusal(() => defineCollection(definition as CollectionDefinition))
    expect(error.code).toBe('COLLECTION_INVALID')
    expect(error.details.option).toBe(option)
    expect(error.message).toContain('defineCollection')
  })

  it.each<[string, CollectionDefinition['fields'], string]>([
    [
      'two subjects',
      { a: { reads: 'symbol', evidence: 'subject' }, b: { reads: 'symbol', evidence: 'subject' } },
      'fields.b.evidence',
    ],
    ['a searched pattern', { a: { reads: 'symbol', evidence: 'pattern', weight: 1 } }, 'fields.a.weight'],
    ['fields by which nothing can be found', { a: { reads: 'prose', evidence: 'none', weight: 0 } }, 'fields'],
  ])('refuses the contradiction of %s', (_, fields, option) => {
    const error = refusal(() => defineCollection({ name: 'recipes', fields }))
    expect([error.code, error.details.option]).toEqual(['COLLECTION_INVALID', option])
  })

  it('refuses a schema that would drop or refuse what the fields need', () => {
    const dropping = refusal(() => defineCollection({ ...recipes, schema: z.object({ id: z.string() }) }))
    expect(dropping.message).toContain('drops the field `text`')
    const strict = z.strictObject({ id: z.string(), text: z.string() })
    expect(refusal(() => defineCollection({ ...recipes, schema: strict })).message).toContain(
      'refuses the field `collection`',
    )
    expect(() => defineCollection({ ...recipes, schema: z.object({ text: z.string() }) })).not.toThrow()
    expect(() => defineCollection({ ...recipes, schema: z.looseObject({}) })).not.toThrow()
  })

  it('takes field names that objects inherit for ordinary names', () => {
    const fields = { constructor: { reads: 'prose' }, hasOwnProperty: { reads: 'code' } } as const
    const collection = defineCollection({ name: 'recipes', fields })
    expect(collection.fields.map((field) => field.name)).toEqual(['constructor', 'hasOwnProperty'])
    expect(collection.parse({ id: 'a' })).toEqual({ id: 'a', collection: 'recipes' })
    expect(collection.parse({ id: 'a', constructor: 'x' })).toHaveProperty('constructor', 'x')
    expect(refusal(() => collection.parse({ id: 'a', constructor: 42 })).message).toContain('field "constructor"')
  })
})

describe('parsing a record', () => {
  const collection = defineCollection(recipes)

  it('keeps unknown fields and the order of all, and fills in the collection', () => {
    const value = { zeta: [1], text: 'x', id: 'a', alpha: { deep: null } }
    const record = collection.parse(value)
    expect(JSON.stringify(record)).toBe('{"zeta":[1],"text":"x","id":"a","alpha":{"deep":null},"collection":"recipes"}')
    expect(value).not.toHaveProperty('collection')
  })

  it.each<[string, unknown, string]>([
    ['null', null, 'is null'],
    ['an array', [], 'is an array'],
    ['a record without id', { text: 'x' }, 'no `id`'],
    ['a number as id', { id: 42 }, 'write it as the string "42"'],
    ['an empty id', { id: '' }, 'is empty'],
    ['an inherited id', Object.create({ id: 'a' }), 'no `id`'],
    ['a record of another collection', { id: 'a', collection: 'docs_chunks' }, 'docs_chunks'],
    ['a field of the wrong type', { id: 'a', text: 42 }, 'field "text"'],
    ['a list with a wrong entry', { id: 'a', text: ['x', 42] }, 'field "text"'],
  ])('refuses %s', (_, value, part) => {
    const error = refusal(() => collection.parse(value, { file: 'corpus.jsonl', line: 7 }))
    expect(error.code).toBe('RECORD_INVALID')
    expect(error.message).toContain(part)
    expect(error.message).toContain('corpus.jsonl:7')
    expect(error.details).toMatchObject({ file: 'corpus.jsonl', line: 7, collection: 'recipes' })
  })

  it('gives what the schema made of the fields, under the id of the record', () => {
    const schema = z.object({ text: z.string().transform((text) => text.trim()) })
    expect(defineCollection({ ...recipes, schema }).parse({ id: 'a', text: ' x ' })).toEqual({
      id: 'a',
      collection: 'recipes',
      text: 'x',
    })
  })

  it('names the path of a fault inside a list', () => {
    const schema = z.looseObject({ text: z.array(z.string()) })
    const error = refusal(() => defineCollection({ ...recipes, schema }).parse({ id: 'a', text: ['x', 42] }))
    expect(error.message).toContain('field "text[1]"')
    expect(error.details).toEqual({ id: 'a', collection: 'recipes' })
  })

  it('refuses schemas that cannot give a record', () => {
    const asynchronous = z.looseObject({ text: z.string().refine(async () => true) })
    const slow = defineCollection({ ...recipes, schema: asynchronous })
    expect(refusal(() => slow.parse({ id: 'a', text: 'x' })).code).toBe('COLLECTION_INVALID')
    const text = defineCollection({
      ...recipes,
      schema: z.looseObject({}).transform((record) => JSON.stringify(record)),
    })
    expect(refusal(() => text.parse({ id: 'a' })).code).toBe('COLLECTION_INVALID')
  })

  it('treats ids that objects inherit as ordinary and drops the key __proto__', () => {
    for (const id of ['__proto__', 'constructor', 'hasOwnProperty']) expect(collection.parse({ id }).id).toBe(id)
    const record = collection.parse(JSON.parse('{"id":"r1","text":"x","__proto__":{"collection":"api_mapping"}}'))
    expect(record).toEqual({ id: 'r1', text: 'x', collection: 'recipes' })
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype)
    expect(Object.hasOwn(record, '__proto__')).toBe(false)
  })

  it('is not changed by an enumerable function that the host adds to all objects', () => {
    const extend = { value: () => 'host', enumerable: true, configurable: true, writable: true }
    Object.defineProperty(Object.prototype, 'extend', extend)
    let keys: string[][]
    try {
      const own = defineCollection(recipes)
      const records = [own.parse({ id: 'a', text: 'x' }), docsChunks.parse({ id: 'a' })]
      keys = [own.fields.map((field) => field.name), ...records.map((record) => Object.keys(record))]
    } finally {
      // The test runner itself does not stand such a host.
      Reflect.deleteProperty(Object.prototype, 'extend')
    }
    expect(keys).toEqual([['text'], ['id', 'text', 'collection'], ['id', 'collection']])
  })
})

describe('built-in collections', () => {
  it('need nothing but an id', () => {
    expect(builtInCollections.map(({ name }) => name)).toEqual(['docs_chunks', 'api_mapping', 'label_prototypes'])
    for (const collection of builtInCollections) {
      expect(collection.parse({ id: 'a' })).toEqual({ id: 'a', collection: collection.name })
      const nothing = Object.fromEntries(collection.fields.map((field) => [field.name, null]))
      expect(collection.parse({ id: 'a', ...nothing })).toMatchObject(nothing)
      expect(collection.schema.safeParse({ id: '' }).success).toBe(false)
    }
  })

  it('say what each field proves', () => {
    const rolesOf = ({ fields }: typeof docsChunks): string[] =>
      fields.map(({ name, reads, evidence, weight }) => `${name} ${reads} ${evidence} ${weight}`)
    expect(rolesOf(docsChunks)).toEqual([
      'title symbol subject 2',
      'content prose mention 1',
      'code_blocks code mention 1',
      'api_symbols symbol mention 1',
      'aliases symbol alias 1',
    ])
    expect(rolesOf(apiMapping)).toEqual([
      'source_api symbol subject 2',
      'match_terms symbol mention 1',
      'required_when_seen_in_code symbol gate 1',
      'source_pattern symbol pattern 0',
      'before_code code mention 1',
      'notes prose none 0.5',
      'owner symbol owner 0',
      'aliases symbol alias 1',
      'target_api symbol none 0',
    ])
    expect(rolesOf(labelPrototypes)).toEqual([
      'label symbol none 1',
      'description prose none 1',
      'match_terms symbol mention 1',
      'required_when_seen_in_code symbol gate 1',
      'source_pattern symbol pattern 0',
      'before_code code mention 1',
    ])
  })

  it('take one string or several as the gate, and refuse other types', () => {
    const gates = ['Input.get_mouse_speed', ['Input', 'get_mouse_speed']]
    for (const required_when_seen_in_code of gates) {
      expect(apiMapping.parse({ id: 'a', required_when_seen_in_code })).toMatchObject({ required_when_seen_in_code })
    }
    for (const wrong of [
      { required_when_seen_in_code: 42 },
      { match_terms: 'x' },
      { source_api: ['x'] },
      { auto: 'no' },
    ]) {
      const [field] = Object.keys(wrong)
      expect(refusal(() => apiMapping.parse({ id: 'a', ...wrong })).message).toContain(`field "${field}"`)
    }
  })

  it('take only booleans for the flag of a weak name, whatever engine it names', () => {
    expect(apiMapping.parse({ id: 'a', old_name_legal_in_lua5: true })).toHaveProperty('old_name_legal_in_lua5', true)
    const error = refusal(() => apiMapping.parse({ id: 'a', old_name_legal_in_lua5: 'true' }))
    expect(error.message).toContain('field "old_name_legal_in_lua5"')
  })

  it('keep fields that they do not know', () => {
    expect(docsChunks.parse({ id: 'a', version: { major: 4 } })).toHaveProperty('version', { major: 4 })
  })
})

it('recognises a collection of another loaded copy of the package', () => {
  // The symbol registry is all that two copies share.
  const foreign = Object.defineProperty({}, Symbol.for('direct-evidence.collection'), { value: true })
  expect(isCollection(foreign)).toBe(true)
})
