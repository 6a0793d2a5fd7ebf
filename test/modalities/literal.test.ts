import { type CorpusRecord, defineStrategy, literal, type RetrieveOptions, Retriever } from 'direct-evidence'
import { describe, expect, it } from 'vitest'
import { entry, mapping, page, prototype, refusal, retrieverOf, shuffled } from '../helpers/corpus.ts'
import { candidateOf, idsOf } from '../helpers/results.ts'

/** Records that are searched by literals alone. */
async function searchable(records: readonly CorpusRecord[]) {
  const strategy = defineStrategy({ name: 'literal-alone', modalities: [literal()], run: async () => [] })
  const retriever = await Retriever.create({ records, strategy })
  return async (text: string, limit = 50, options: Omit<RetrieveOptions, 'limit'> = { language: 'gdscript' }) => {
    return (await retriever.modality('literal').search(text, { limit, ...options })).hits
  }
}

const twins = [entry('AnimatedSprite2D.play'), entry('AnimatedSprite3D.play')]

describe('literal search by receiver', () => {
  it.each([
    ['a node path', '$AnimatedSprite2D.play()'],
    ['a declared type', 'var face: AnimatedSprite2D\nface.play()'],
    ['a parameter with a type', 'func turn(face: AnimatedSprite2D):\n\tface.play()'],
    ['a construction', 'var face = AnimatedSprite2D.new()\nface.play()'],
    ['the class that the chunk extends', 'extends AnimatedSprite2D\n\nfunc _ready():\n\tplay()'],
    ['self in such a class', 'extends AnimatedSprite2D\n\nfunc _ready():\n\tself.play()'],
    ['the class itself', 'AnimatedSprite2D.play()'],
  ])('takes the type from %s', async (_, chunk) => {
    for (const records of [twins, [...twins].reverse()]) {
      const [best, second] = await (await searchable(records))(chunk)
      expect(best?.id).toBe('AnimatedSprite2D.play')
      expect(second?.score ?? 0).toBeLessThan(best?.score ?? 0)
    }
  })

  it('takes the type from the other twin as readily', async () => {
    const search = await searchable(twins)
    expect((await search('$AnimatedSprite3D.play()'))[0]?.id).toBe('AnimatedSprite3D.play')
  })

  it('follows an import to the module it stands for', async () => {
    const search = await searchable([
      entry('tensorflow.keras.layers.Dense'),
      entry('torch.nn.Dense'),
      entry('layers.Dense'),
    ])
    const python = { language: 'python' }
    const chunk = 'from tensorflow.keras import layers\n\nmodel.add(layers.Dense(64))'
    expect((await search(chunk, 50, python))[0]?.id).toBe('tensorflow.keras.layers.Dense')
    const renamed = 'import tensorflow.keras.layers as L\n\nmodel.add(L.Dense(64))'
    expect((await search(renamed, 50, python))[0]?.id).toBe('tensorflow.keras.layers.Dense')
    const named = 'from torch.nn import Dense\n\nDense(64)'
    expect((await search(named, 50, python))[0]?.id).toBe('torch.nn.Dense')
  })

  it('tells one receiver from another in the same chunk', async () => {
    const search = await searchable([...twins, entry('Timer.start'), entry('Thread.start')])
    const found = await search('var clock: Timer\nclock.start()\n$AnimatedSprite3D.play()', 2)
    expect(idsOf(found).sort()).toEqual(['AnimatedSprite3D.play', 'Timer.start'])
  })
})

describe('literal search and names that the chunk binds', () => {
  it('does not look for them', async () => {
    const search = await searchable([
      page('own', { code_blocks: ['pace_of_player'] }),
      page('other', { code_blocks: ['is_on_floor()'] }),
    ])
    const chunk = 'var pace_of_player = 3\nif is_on_floor():\n\tpace_of_player += 1'
    expect(idsOf(await search(chunk))).toEqual(['other'])
    expect(idsOf(await search('pace_of_player += 1'))).toEqual(['own'])
  })

  it('puts what the chunk calls before what it defines', async () => {
    const search = await searchable([entry('Alpha.move_body'), entry('Beta.stop_body')])
    const [best, second] = await search(
      'func move_body():\n\tpass\n\nfunc other():\n\tmove_body()\n\t$Beta.stop_body()',
    )
    expect(best?.id).toBe('Beta.stop_body')
    expect(second?.score ?? 0).toBeLessThan((best?.score ?? 0) / 2)
  })
})

describe('literal search and gates', () => {
  const decoys = Array.from({ length: 300 }, (_, index) =>
    mapping(`decoy${String(index).padStart(3, '0')}`, {
      source_api: 'move_and_slide',
      match_terms: ['move_and_slide', 'is_on_floor', 'get_slide_count'],
      required_when_seen_in_code: null,
      before_code: 'velocity = move_and_slide(velocity)\nif is_on_floor():\n\tget_slide_count()',
    }),
  )
  const chunk =
    'extends KinematicBody2D\nfunc _physics_process(delta):\n\tvelocity = move_and_slide(velocity)\n\tif is_on_floor():\n\t\tget_slide_count()'

  it('finds a record whose gate is fulfilled whatever stands before it', async () => {
    const hidden = mapping('zzz', {
      source_api: null,
      required_when_seen_in_code: ['KinematicBody2D'],
      match_terms: ['unrelated'],
    })
    const records = [...decoys, hidden]
    const hits = await (await searchable(records))(chunk, 1)
    expect(idsOf(hits)).toContain('zzz')
    expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, index) => index + 1))
  })

  it('makes it a candidate of the whole strategy, and an accepted one, even with limit 1', async () => {
    const records = [...decoys, mapping('zzz', { source_api: null, required_when_seen_in_code: ['KinematicBody2D'] })]
    await using retriever = await retrieverOf(shuffled(records))
    const all = await retriever.retrieve(chunk, { language: 'gdscript' })
    expect(candidateOf(all, 'zzz').verdict.outcome).toBe('accept')
    const { candidates } = await retriever.retrieve(chunk, { language: 'gdscript', limit: 1 })
    expect(candidates.map(({ id, verdict }) => [id, verdict.outcome])).toEqual([['zzz', 'accept']])
  })

  it('finds all of many such records beyond the limit', async () => {
    const gated = Array.from({ length: 120 }, (_, index) =>
      mapping(`gated${index}`, { required_when_seen_in_code: ['KinematicBody2D'] }),
    )
    const hits = await (await searchable([...decoys, ...gated]))(chunk, 3)
    const found = new Set(idsOf(hits))
    for (const { id } of gated) expect(found).toContain(id)
    expect(found.size).toBe(hits.length)
  })

  it('asks for every gate of a record', async () => {
    const records = [...decoys, prototype('both', { required_when_seen_in_code: ['is_on_floor', 'KinematicBody2D'] })]
    const half = prototype('half', { required_when_seen_in_code: ['KinematicBody2D', 'CharacterBody2D'] })
    const labels = idsOf(
      await (await searchable([...records, half]))(chunk, 1, {
        language: 'gdscript',
        collections: ['label_prototypes'],
      }),
    )
    expect(labels).toEqual(['both'])
  })

  it('keeps to the filter', async () => {
    const hits = await (await searchable([mapping('a'), mapping('b')]))('a(b)', 1, { filter: ({ id }) => id === 'b' })
    expect(idsOf(hits)).toEqual(['b'])
  })

  it.each(['@onready', '->', '::', '%Name', '$Player', '"pressed"', 'OS.get_ticks_msec', 'yield('])(
    'finds the gate %s',
    async (gate) => {
      const records = [mapping('wanted', { required_when_seen_in_code: [gate], source_api: null }), mapping('other')]
      const code = `@onready var x := $Player.hide()\nfunc f() -> int:\n\tb::c(%Name.d, "pressed", OS.get_ticks_msec())\n\tyield(b)`
      expect(idsOf(await (await searchable(records))(code, 1))).toEqual(['wanted'])
    },
  )
})

describe('literal search', () => {
  it('gives a rarer literal more', async () => {
    const common = Array.from({ length: 20 }, (_, index) => page(`common${index}`, { code_blocks: ['common_call()'] }))
    const hits = await (await searchable([...common, page('rare', { code_blocks: ['rare_call()'] })]))(
      'common_call()\nrare_call()',
    )
    expect(hits[0]?.id).toBe('rare')
    expect(hits.length).toBe(21)
  })

  it('matches identifiers whole', async () => {
    const search = await searchable([page('old', { code_blocks: ['AnimatedSprite.show()'] })])
    expect(await search('$AnimatedSprite2D.hide()')).toEqual([])
    expect(await search('MyAnimatedSprite.hide()')).toEqual([])
    expect(await search('animatedsprite.hide()')).toEqual([])
    expect(idsOf(await search('AnimatedSprite.hide()'))).toEqual(['old'])
  })

  it('passes over what stands only in a comment', async () => {
    const search = await searchable([entry('Engine.get_frames'), page('a', { code_blocks: ['Engine.get_frames()'] })])
    expect(await search('# Engine.get_frames() is slow\nrotate(1)')).toEqual([])
  })

  it('says which literals it shares, as the chunk writes them', async () => {
    const search = await searchable([page('a', { code_blocks: ['position.clamp(low, high)'] })])
    const [hit] = await search('position.clamp(Vector2.ZERO, bounds)')
    expect(hit?.why.literals).toEqual(expect.arrayContaining(['position.clamp', 'clamp']))
  })

  it('ranks from 1 in each collection, and no record twice', async () => {
    const records = [
      page('a', { code_blocks: ['roll_dice()'] }),
      page('b', { code_blocks: ['roll_dice()'] }),
      mapping('roll_dice'),
    ]
    const hits = await (await searchable(records))('roll_dice()')
    expect(hits.map(({ collection, id, rank }) => `${collection} ${id} ${rank}`)).toEqual([
      'api_mapping roll_dice 1',
      'docs_chunks a 1',
      'docs_chunks b 2',
    ])
  })

  it('gives the same hits whatever the order of the corpus', async () => {
    const records = [
      ...twins,
      entry('Timer.start'),
      page('a', { code_blocks: ['$Timer.start()'] }),
      page('b', { code_blocks: ['$Timer.start()'] }),
    ]
    const chunk = '$Timer.start()\n$AnimatedSprite2D.play()\n$AnimatedSprite2D.flip_h = true'
    const expected = await (await searchable(records))(chunk)
    for (let seed = 1; seed < 8; seed++)
      expect(await (await searchable(shuffled(records, seed)))(chunk)).toEqual(expected)
  })

  it('takes no options', async () => {
    const error = await refusal((async () => literal({ k1: 1 } as never))())
    expect([error.code, error.details.option]).toEqual(['OPTION_INVALID', 'k1'])
  })
})
