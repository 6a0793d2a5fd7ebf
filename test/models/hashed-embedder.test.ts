import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DirectEvidenceError } from '../../src/errors.ts'
import { CountTable } from '../../src/models/count-table.ts'
import { countWords, featuresOf, readable } from '../../src/models/features.ts'
import { type HashedEmbedderOptions, hashedEmbedder } from '../../src/models/hashed-embedder.ts'

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0)
}

function wordsOf(text: string): Record<string, number> {
  const counts = new Map<string, number>()
  countWords(readable(text), counts)
  return Object.fromEntries(counts)
}

describe('words and features', () => {
  it('reads identifiers whole and counts them', () => {
    expect(wordsOf('$Sprite2D.play(); play_all(a[0]**2)')).toEqual({
      Sprite2D: 1,
      play: 1,
      play_all: 1,
      a: 1,
      0: 1,
      2: 1,
    })
  })

  it('reads letters of every script, composed', () => {
    expect(wordsOf('var größe, имя, cafe\u0301_menu')).toEqual({ var: 1, größe: 1, имя: 1, caf\u00e9_menu: 1 })
  })

  it('reads scripts without spaces as overlapping pairs, whatever stands beside them', () => {
    expect(wordsOf('节点就绪 ready节点x2 后')).toEqual({ 节点: 2, 点就: 1, 就绪: 1, ready: 1, x2: 1, 后: 1 })
    expect(featuresOf('节点')).toEqual([{ kind: 'part', text: '节点' }])
  })

  it('parts identifiers at case, underscore and digits', () => {
    const parts = (word: string): string[] =>
      featuresOf(word).flatMap(({ kind, text }) => (kind === 'gram' ? [] : [`${kind} ${text}`]))
    expect(parts('play')).toEqual(['part play'])
    expect(parts('AnimatedSprite2D')).toEqual([
      'whole animatedsprite2d',
      'part animated',
      'part sprite',
      'part 2',
      'part d',
    ])
    expect(parts('HTTPServer')).toEqual(['whole httpserver', 'part http', 'part server'])
    expect(parts('__init_x__')).toEqual(['whole __init_x__', 'part init', 'part x'])
    expect(parts('___')).toEqual([])
  })

  it('takes grams of 3 and 4 characters between boundary marks', () => {
    const grams = featuresOf('play').flatMap(({ kind, text }) => (kind === 'gram' ? [text] : []))
    expect(grams).toEqual(['<pl', 'pla', 'lay', 'ay>', '<pla', 'play', 'lay>'])
  })

  it('reads the first 64 characters of a longer word and goes on behind it', () => {
    expect(wordsOf(`${'A'.repeat(300_000)} next`)).toEqual({ ['A'.repeat(64)]: 1, next: 1 })
    const emoji = `${'a'.repeat(63)}\u{20bb7}b`
    expect(Object.keys(wordsOf(emoji)).join('')).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  })

  it('counts the same in one go and slice by slice', () => {
    const text = fc.array(fc.constantFrom('play', 'größe', '节点就绪', ' ', '.', '_', 'X2'), { maxLength: 40 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (pieces, length) => {
        const joined = pieces.join('')
        const counts = new Map<string, number>()
        for (let from = 0; from < joined.length; ) from = countWords(joined, counts, from, length)
        expect(Object.fromEntries(counts)).toEqual(wordsOf(joined))
      }),
    )
  })
})

describe('the count table', () => {
  it('agrees with a Map, through clearing', () => {
    const key = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer())
    fc.assert(
      fc.property(fc.array(fc.array(key, { maxLength: 3000 }), { maxLength: 3 }), (rounds) => {
        const table = new CountTable()
        for (const keys of rounds) {
          table.clear()
          const plain = new Map<number, number>()
          for (const key of keys) {
            table.add(key, 1)
            plain.set(key, (plain.get(key) ?? 0) + 1)
          }
          const entries = Array.from({ length: table.size }, (_, entry) => [table.keys[entry], table.counts[entry]])
          expect(entries).toEqual([...plain])
          for (const [entry, key] of [...plain.keys()].entries()) expect(table.entryOf(key)).toBe(entry)
          expect(table.entryOf(1 << 30)).toBe([...plain.keys()].indexOf(1 << 30))
        }
      }),
    )
  })
})

describe('the hashed embedder', () => {
  const corpus = [
    'AnimatedSprite2D.play(name) plays the animation with the given name.',
    'Timer.start() starts the timer. Timer.stop() stops the timer.',
    'Emits the signal when a body enters the area.',
    'Returns the global mouse position of the viewport.',
  ]

  it('gives vectors of length 1 and of the width asked for, in order', async () => {
    for (const dimensions of [64, 256, 512]) {
      const embedder = hashedEmbedder({ dimensions })
      expect(embedder.dimensions).toBe(dimensions)
      const vectors = await embedder.embedDocuments(corpus)
      expect(vectors).toHaveLength(corpus.length)
      for (const vector of vectors) {
        expect(vector).toHaveLength(dimensions)
        expect(cosine(vector, vector)).toBeCloseTo(1, 5)
      }
      expect(await embedder.embedQueries([corpus[2]!])).toEqual([vectors[2]])
    }
  })

  it('gives the zero vector for what has no letters or digits', async () => {
    for (const vector of await hashedEmbedder().embedQueries(['', ' ;  ', '___', '(){}[]', '\n\t'])) {
      expect(vector.every((value) => value === 0)).toBe(true)
    }
    const fitted = await hashedEmbedder().fit([])
    expect((await fitted.embedQueries(['play']))[0]!.every((value) => value === 0)).toBe(true)
  })

  it('brings texts near that share identifiers, parts of them, or forms of a word', async () => {
    const [query, same, form, other] = await hashedEmbedder().embedDocuments([
      'sprite.play_animation()',
      'play_animation',
      'animations played',
      'mouse viewport',
    ])
    expect(cosine(query!, same!)).toBeGreaterThan(cosine(query!, form!))
    expect(cosine(query!, form!)).toBeGreaterThan(cosine(query!, other!) + 0.1)
  })

  it('weighs rare features more once it is fitted, and leaves the unfitted embedder as it is', async () => {
    const texts = [...Array.from({ length: 50 }, (_, n) => `common thing number${n}`), 'common rare']
    const embedder = hashedEmbedder()
    const before = await embedder.embedQueries(['common rare'])
    const fitted = await embedder.fit(texts)
    expect(await embedder.embedQueries(['common rare'])).toEqual(before)
    const nearness = async (which: typeof fitted): Promise<number> => {
      const [both, rare] = await which.embedQueries(['common rare', 'rare'])
      return cosine(both!, rare!)
    }
    expect(await nearness(fitted)).toBeGreaterThan((await nearness(embedder)) + 0.1)
  })

  it('leaves out what the corpus lacks once it is fitted', async () => {
    const fitted = await hashedEmbedder().fit(['timer start', 'signal'])
    const [known, mixed] = await fitted.embedQueries(['timer', 'timer qqqq'])
    expect(mixed).toEqual(known)
  })

  it('does not depend on the order of the texts it is fitted to, nor on what it embedded before', async () => {
    const embedder = hashedEmbedder()
    const one = await (await embedder.fit(corpus)).embedDocuments(corpus)
    const other = await (await hashedEmbedder().fit(corpus.toReversed())).embedDocuments(corpus.toReversed())
    expect(other.toReversed()).toEqual(one)
  })

  it('embeds each text for itself, in any company', async () => {
    const embedder = await hashedEmbedder().fit(corpus)
    const together = await embedder.embedDocuments(corpus)
    const atOnce = await Promise.all(corpus.map((text) => embedder.embedDocuments([text])))
    expect(atOnce.flat()).toEqual(together)
  })

  it('names revision, width and seed in its id, and not what it was fitted to', async () => {
    expect(hashedEmbedder().id).toBe('hashed@1:256:0')
    expect(hashedEmbedder({ dimensions: 128, seed: 7 }).id).toBe('hashed@1:128:7')
    expect((await hashedEmbedder().fit(corpus)).id).toBe('hashed@1:256:0')
  })

  it('gives other vectors for another seed', async () => {
    const [one] = await hashedEmbedder({ seed: 1 }).embedQueries(['play'])
    const [two] = await hashedEmbedder({ seed: 2 }).embedQueries(['play'])
    expect(Math.abs(cosine(one!, two!))).toBeLessThan(0.5)
  })

  it('gives the same numbers as ever', async () => {
    const [vector] = await hashedEmbedder().embedQueries(['func _ready(): $AnimatedSprite2D.play("größe 节点")'])
    expect(Array.from(vector!.slice(0, 6), (value) => Number(value.toFixed(6)))).toMatchInlineSnapshot(`
      [
        -0.070097,
        -0.126174,
        0,
        -0.168232,
        0.042058,
        0.070097,
      ]
    `)
  })

  const tsx = new URL('../../node_modules/tsx/dist/cli.mjs', import.meta.url).pathname
  it.skipIf(!existsSync(tsx))('gives the same vectors in a process of its own', async () => {
    const module = new URL('../../src/models/hashed-embedder.ts', import.meta.url).href
    const code = `
      import(${JSON.stringify(module)}).then(async ({ hashedEmbedder }) => {
        const embedder = await hashedEmbedder().fit(${JSON.stringify(corpus)})
        const vectors = await embedder.embedDocuments(${JSON.stringify(corpus)})
        console.log(JSON.stringify(vectors.map((vector) => Array.from(vector))))
      })`
    const { stdout } = await promisify(execFile)(process.execPath, [tsx, '-e', code])
    const here = await (await hashedEmbedder().fit(corpus)).embedDocuments(corpus)
    expect(JSON.parse(stdout)).toEqual(here.map((vector) => Array.from(vector)))
  })

  it('takes a file of one line and 900 kB, and a token of 300 kB', async () => {
    const text = `${'function(a,b){return a.b(c)};'.repeat(31_000)}${'QUJD'.repeat(75_000)} needle_in_it`
    const embedder = await hashedEmbedder().fit([text, 'other'])
    const [long, needle] = await embedder.embedDocuments([text, 'needle_in_it'])
    expect(cosine(long!, needle!)).toBeGreaterThan(0.1)
  })

  it('rejects with the reason of an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(hashedEmbedder().embedDocuments(['play'], { signal })).rejects.toThrow('enough')
    await expect(hashedEmbedder().fit(['play'], { signal })).rejects.toThrow('enough')
  })

  it.each<[HashedEmbedderOptions, string]>([
    [{ dimensions: 100 }, 'dimensions'],
    [{ dimensions: 0 }, 'dimensions'],
    [{ dimensions: 8192 }, 'dimensions'],
    [{ seed: 0.5 }, 'seed'],
    [{ seed: Number.NaN }, 'seed'],
    [{ width: 256 } as never, 'width'],
  ])('refuses the options %j', (options, option) => {
    try {
      hashedEmbedder(options)
    } catch (error) {
      expect(DirectEvidenceError.isInstance(error) && [error.code, error.details.option]).toEqual([
        'OPTION_INVALID',
        option,
      ])
      return
    }
    expect.unreachable()
  })
})
