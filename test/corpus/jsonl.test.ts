import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInCollections } from '../../src/corpus/built-in.ts'
import type { ByteStream } from '../../src/corpus/bytes.ts'
import { type JsonlSource, type ReadRecordsOptions, readRecords } from '../../src/corpus/jsonl.ts'
import { type LocatedRecord, locate } from '../../src/corpus/locate.ts'
import type { CorpusRecord } from '../../src/corpus/records.ts'
import { toJsonl, writeRecords } from '../../src/corpus/write-records.ts'
import { DirectEvidenceError } from '../../src/errors.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'direct-evidence-'))
})

afterAll(() => rm(folder, { recursive: true }))

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

async function* streamOf(...chunks: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* chunks
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

function read(source: JsonlSource, options: ReadRecordsOptions = {}): Promise<CorpusRecord[]> {
  return all(readRecords(source, { collection: 'notes', ...options }))
}

/** The ids and lines of a text. */
async function linesOf(text: string | Uint8Array): Promise<[string, number | undefined][]> {
  const records = readRecords(streamOf(text), { collection: 'notes' })
  return (await all(records.located())).map(({ record, line }) => [record.id, line])
}

async function refusal(promise: Promise<unknown>): Promise<DirectEvidenceError> {
  const error = await promise.then(
    () => new Error('nothing was refused'),
    (reason: unknown) => reason,
  )
  if (DirectEvidenceError.isInstance(error)) return error
  throw error
}

/** Whether this process has a file open; undefined where the system does not tell. */
async function isOpen(path: string): Promise<boolean | undefined> {
  if (!existsSync('/proc/self/fd')) return undefined
  const links = (await readdir('/proc/self/fd')).map((entry) => readlink(`/proc/self/fd/${entry}`).catch(() => ''))
  return (await Promise.all(links)).includes(path)
}

const one = '{"id":"a","collection":"notes"}\n'

describe('lines', () => {
  it('end at a line feed only', async () => {
    const text = 'one\u2028two\u2029three\u0085four'
    const lines = `{"id":"a","text":"${text}"}\n{"id":"b"}\n`
    expect(await linesOf(lines)).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    const [record] = await read(streamOf(lines))
    expect(record?.text).toBe(text)
  })

  it('may end with a carriage return, and the last without anything', async () => {
    expect(await linesOf('{"id":"a"}\r\n{"id":"b"}\r\n{"id":"c"}')).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ])
    expect(await linesOf('{"id":"a"}\r\n{"id":"b"}\r')).toEqual([
      ['a', 1],
      ['b', 2],
    ])
  })

  it('that are blank are skipped and counted', async () => {
    expect(await linesOf('\n \t\n{"id":"a"}\n\r\n\n{"id":"b"}\n\n')).toEqual([
      ['a', 3],
      ['b', 6],
    ])
    expect(await linesOf('')).toEqual([])
  })

  it('may be preceded by a byte order mark, in each file', async () => {
    expect(await linesOf('\ufeff{"id":"a"}\n')).toEqual([['a', 1]])
    expect(await linesOf('\ufeff\n')).toEqual([])
    const files = [await fileOf('bom-1.jsonl', '\ufeff{"id":"a"}'), await fileOf('bom-2.jsonl', '\ufeff{"id":"b"}')]
    expect((await read(files)).map(({ id }) => id)).toEqual(['a', 'b'])
    const error = await refusal(read(streamOf('{"id":"a"}\n\ufeff{"id":"b"}\n')))
    expect([error.code, error.details.line]).toEqual(['RECORD_INVALID', 2])
  })

  it('must be UTF-8', async () => {
    const latin1 = Buffer.from('{"id":"a"}\n{"id":"größe"}\n{"id":"c"}\n', 'latin1')
    const error = await refusal(read(streamOf(latin1)))
    expect([error.code, error.details.line]).toEqual(['RECORD_INVALID', 2])
    expect(error.message).toContain('UTF-8')
    expect((await read(streamOf(latin1), { onError: 'collect' })).map(({ id }) => id)).toEqual(['a', 'c'])
  })

  it('must not be longer than allowed; what follows is still read', async () => {
    const long = `{"id":"b","text":"${'x'.repeat(1000)}"}`
    const options = { maxLineBytes: 100, onError: 'collect' } as const
    for (const size of [1, 64, 5000]) {
      const records = readRecords(Readable.from(slices(Buffer.from(`${one}${long}\n${one}${long}`), size)), options)
      expect((await all(records.located())).map(({ line }) => line)).toEqual([1, 3])
      expect(records.errors.map(({ code, details }) => [code, details.line])).toEqual([
        ['RECORD_INVALID', 2],
        ['RECORD_INVALID', 4],
      ])
      expect(records.errors[0]?.message).toContain('maxLineBytes')
    }
    const exact = Buffer.byteLength(long)
    expect(await read(streamOf(long), { maxLineBytes: exact })).toHaveLength(1)
    expect((await refusal(read(streamOf(long), { maxLineBytes: exact - 1 }))).code).toBe('RECORD_INVALID')
  })

  it('of an endless line without an end cost no memory', async () => {
    const piece = Buffer.alloc(1 << 20, 'x')
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 512; count++) yield piece
    }
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    async function* watched(): AsyncGenerator<Uint8Array> {
      for await (const chunk of endless()) {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before)
        yield chunk
      }
    }
    expect((await refusal(read(watched(), { maxLineBytes: 1 << 21 }))).message).toContain(`${512 << 20} bytes`)
    expect(most).toBeLessThan(64 << 20)
  })

  it('may hold a whole minified file', async () => {
    const text = `${'a=b;'.repeat(225_000)}${'QUJD'.repeat(75_000)}`
    expect((await read(streamOf(`{"id":"a","text":"${text}"}\n`)))[0]?.text).toBe(text)
  })
})

describe('records', () => {
  it.each<[string, string, string]>([
    ['broken JSON', '{"id":"b"', 'not valid JSON'],
    ['null', 'null', 'null'],
    ['a number', '42', 'a number'],
    ['an array', '[]', 'an array'],
    ['a string', '"b"', 'a string'],
    ['no id', '{"text":"x"}', 'no `id`'],
    ['a null id', '{"id":null}', 'no `id`'],
    ['a number as id', '{"id":42}', 'write it as the string "42"'],
    ['an object as id', '{"id":{}}', 'must be a string'],
    ['an empty id', '{"id":""}', 'empty'],
    ['a number as collection', '{"id":"b","collection":1}', '`collection`'],
    ['an empty collection', '{"id":"b","collection":""}', '`collection`'],
    ['no collection', '{"id":"b"}', 'no `collection`'],
  ])('are refused for %s, with file and line', async (_, line, part) => {
    const file = await fileOf('refused.jsonl', `${one}\n${line}\n`)
    const error = await refusal(all(readRecords(file)))
    expect(error.code).toBe('RECORD_INVALID')
    expect(error.message).toContain(`${file}:3`)
    expect(error.message).toContain(part)
    expect(error.details).toMatchObject({ file, line: 3 })
  })

  it('keep their own collection; the option is for those without', async () => {
    const records = await read(streamOf('{"id":"a","collection":"other"}\n{"id":"b"}\n{"id":"c","collection":null}\n'))
    expect(records.map(({ collection }) => collection)).toEqual(['other', 'notes', 'notes'])
  })

  it('lose the key __proto__ at every depth, however it is written, and nothing else', async () => {
    const line = '{"id":"r1","text":"x","__proto__":{"collection":"api_mapping"}}'
    const [record] = await read(streamOf(line))
    expect(record).toEqual({ id: 'r1', text: 'x', collection: 'notes' })
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype)
    const deep = '{"id":"r2","a":[{"\\u005f_proto__":{"x":1},"b":{"__pr\\u006fto__":2,"c":3}}],"constructor":{"d":4}}'
    expect(JSON.stringify((await read(streamOf(deep)))[0])).toBe(
      '{"id":"r2","a":[{"b":{"c":3}}],"constructor":{"d":4},"collection":"notes"}',
    )
    expect((await read(streamOf('{"id":"r3","text":"obj.__proto__"}')))[0]?.text).toBe('obj.__proto__')
    expect((await refusal(all(readRecords(streamOf(line))))).message).toContain('no `collection`')
  })

  it('with ids that objects inherit are ordinary', async () => {
    const ids = ['__proto__', 'constructor', 'hasOwnProperty']
    const before = Reflect.ownKeys(Object.prototype)
    const lines = ids.map((id) => `${toJsonl({ id, text: 'signal bus' })}\n`).join('')
    const records = await read(streamOf(lines))
    expect(records.map(({ id }) => id)).toEqual(ids)
    expect(records.map(toJsonl)).toHaveLength(3)
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
  })

  it('take the last value of a key that stands twice', async () => {
    expect((await read(streamOf('{"id":"a","id":"b","text":1,"text":2}')))[0]).toMatchObject({ id: 'b', text: 2 })
  })

  it('that are nested beyond recursion are read', async () => {
    const deep = `${'['.repeat(100_000)}"__proto__"${']'.repeat(100_000)}`
    const [record] = await read(streamOf(`{"id":"a","deep":${deep}}`))
    expect(record?.id).toBe('a')
    expect(() => toJsonl(record ?? {})).toThrow('cannot be written as JSON')
  })

  it('keep lone surrogates and NUL', async () => {
    const escaped = '{"id":"a","text":"\\ud83d \\u0000"}'
    expect((await read(streamOf(escaped)))[0]?.text).toBe('\ud83d \u0000')
    const raw = '{"id":"a","text":"\ud83d x \ude00"}'
    expect((await read(streamOf(raw)))[0]?.text).toBe('\ud83d x \ude00')
    expect((await read(streamOf('{"id":"a","text":"\ud83d', '\ude00"}')))[0]?.text).toBe('\u{1f600}')
  })

  it('are the same, at the same lines, however the bytes are cut', async () => {
    const content = fc.array(
      fc.oneof(
        fc
          .record({ id: fc.string({ minLength: 1, unit: 'binary' }), text: fc.string({ unit: 'binary' }) })
          .map(JSON.stringify),
        fc.constantFrom('', ' ', '{"id":"\u2028\u{1f600}é"}\r', 'null', '{'),
      ),
    )
    const shape = fc.record({ content, cuts: fc.array(fc.nat()), asText: fc.boolean(), packed: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(shape, async ({ content, cuts, asText, packed }) => {
        const text = content.join('\n')
        const whole = Buffer.from(text)
        const options = { collection: 'notes', onError: 'collect' } as const
        const expected = readRecords(streamOf(whole), options)
        const pieces = asText ? cut(text, cuts) : cut(packed ? gzipSync(whole) : whole, cuts)
        const actual = readRecords(streamOf(...pieces), options)
        expect(await all(actual.located())).toEqual(await all(expected.located()))
        expect(actual.errors.map(({ message }) => message)).toEqual(expected.errors.map(({ message }) => message))
      }),
    )
  })

  it('come back as they were written', async () => {
    const record = fc
      .tuple(fc.string({ minLength: 1, unit: 'binary' }), fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([id, fields]) => ({ ...fields, id, collection: 'notes' }))
    await fc.assert(
      fc.asyncProperty(fc.array(record), async (records) => {
        const lines = records.map((record) => `${toJsonl(record)}\n`).join('')
        // JSON itself knows no -0 and no undefined; the key __proto__ is dropped by the reader's rule.
        const plain = JSON.parse(JSON.stringify(records)) as CorpusRecord[]
        fc.pre(!lines.includes('__proto__'))
        expect(await read(streamOf(lines))).toEqual(plain)
      }),
    )
  })
})

describe('sources', () => {
  it('are paths, URLs, several of both, and streams', async () => {
    const plain = await fileOf('plain.jsonl', '{"id":"a"}\n')
    const packed = await fileOf('packed.jsonl.gz', gzipSync('{"id":"b"}\n'))
    const disguised = await fileOf('disguised.jsonl', gzipSync('{"id":"c"}\n'))
    const idsOf = async (source: JsonlSource): Promise<string[]> => (await read(source)).map(({ id }) => id)
    expect(await idsOf(plain)).toEqual(['a'])
    expect(await idsOf(pathToFileURL(packed))).toEqual(['b'])
    expect(await idsOf([plain, pathToFileURL(packed), disguised])).toEqual(['a', 'b', 'c'])
    expect(await idsOf([])).toEqual([])
    expect(await idsOf(Readable.from([gzipSync('{"id":"d"}')]))).toEqual(['d'])
    expect(await idsOf(new Blob(['{"id":"e"}']).stream())).toEqual(['e'])
    expect(await idsOf(streamOf('{"id":', new TextEncoder().encode('"f"}\n')))).toEqual(['f'])
  })

  it('that do not end with a line feed are not run together', async () => {
    const files = [await fileOf('1.jsonl', '{"id":"a"}'), await fileOf('2.jsonl', '\n{"id":"b"}')]
    const located = await all(readRecords(files, { collection: 'notes' }).located())
    expect(located.map(({ record, file, line }) => [record.id, file, line])).toEqual([
      ['a', files[0], 1],
      ['b', files[1], 2],
    ])
  })

  it('may be gzip of several members', async () => {
    const members = Buffer.concat([gzipSync('{"id":"a"}\n{"id"'), gzipSync(':"b"}\n')])
    expect(await linesOf(members)).toEqual([
      ['a', 1],
      ['b', 2],
    ])
  })

  it('may be large, packed or not', async () => {
    const text = 'lorem ipsum '.repeat(80)
    async function* many(): AsyncGenerator<CorpusRecord> {
      for (let id = 0; id < 50_000; id++) yield { id: `${id}`, collection: 'notes', text }
    }
    const plain = join(folder, 'big.jsonl')
    expect(await writeRecords(plain, many())).toBe(50_000)
    const packed = await fileOf('big.jsonl.gz', gzipSync(await readFile(plain), { level: 1 }))
    for (const file of [plain, packed]) {
      let count = 0
      for await (const { line } of readRecords(file).located()) {
        count++
        if (line !== count) expect(line).toBe(count)
      }
      expect(count).toBe(50_000)
      expect(await isOpen(file)).not.toBe(true)
    }
  })

  it('leave the event loop its turns', async () => {
    const source = streamOf(one.repeat(300_000))
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    for await (const _ of readRecords(source)) {
      // Nothing is done with it.
    }
    clearInterval(timer)
    // How long a turn had to wait is for the benchmark to say.
    expect(turns).toBeGreaterThan(1)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty path', ''],
    ['a number', 42],
    ['bytes', new Uint8Array(3)],
    ['a URL of another kind', new URL('https://example.org/corpus.jsonl')],
    ['a list with a stream', [streamOf(one)]],
  ])('must not be %s', (_, source) => {
    expect(() => readRecords(source as string)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }))
  })

  it('must give text or bytes', async () => {
    const error = await refusal(read(Readable.from([{ id: 'a' }])))
    expect([error.code, error.details.option]).toEqual(['OPTION_INVALID', 'source'])
  })

  it('that are files are read again by each iteration, streams once', async () => {
    const records = readRecords(await fileOf('twice.jsonl', `${one}null\n`), { onError: 'collect' })
    for (const _ of [1, 2]) {
      expect(await all(records)).toHaveLength(1)
      expect(records.errors).toHaveLength(1)
    }
    const stream = readRecords(streamOf(one))
    expect(await all(stream)).toHaveLength(1)
    expect((await refusal(all(stream))).code).toBe('CORPUS_UNREADABLE')
    expect((await refusal(all(stream.located()))).message).toContain('read before')
  })
})

describe('what cannot be read', () => {
  it('is refused with its name and cause', async () => {
    const missing = join(folder, 'missing.jsonl')
    for (const path of [missing, folder]) {
      const error = await refusal(read(path, { onError: 'collect' }))
      expect(error.code).toBe('CORPUS_UNREADABLE')
      expect(error.message).toContain(path)
      expect(error.details.file).toBe(path)
      expect(error.cause).toBeInstanceOf(Error)
    }
  })

  it('includes gzip that is cut or damaged, after the records before the damage', async () => {
    const packed = gzipSync(Array.from({ length: 20_000 }, (_, id) => `{"id":"${id} ${Math.sin(id)}"}\n`).join(''))
    const damaged = Buffer.from(packed)
    damaged.fill(0xff, packed.length >> 1, (packed.length >> 1) + 64)
    const wrongSum = Buffer.from(packed)
    wrongSum[packed.length - 8]! ^= 1
    const files = {
      cut: packed.subarray(0, packed.length - 100),
      damaged,
      'wrong-sum': wrongSum,
      head: packed.subarray(0, 5),
    }
    for (const [name, content] of Object.entries(files)) {
      const file = await fileOf(`${name}.jsonl.gz`, content)
      // Damage can give lines that hold no record before the file itself shows it.
      const error = await refusal(read(file, { onError: 'collect' }))
      expect(error.code).toBe('CORPUS_UNREADABLE')
      expect(error.message).toContain(file)
      expect(await isOpen(file)).not.toBe(true)
    }
  })

  it('includes streams that fail', async () => {
    const broken = new Error('connection lost')
    async function* failing(): AsyncGenerator<string> {
      yield one
      throw broken
    }
    const seen: string[] = []
    const reading = (async () => {
      for await (const { id } of readRecords(failing())) seen.push(id)
    })()
    const error = await refusal(reading)
    expect([error.code, error.cause, seen]).toEqual(['CORPUS_UNREADABLE', broken, ['a']])
  })
})

describe('leaving early', () => {
  const packings = {
    plain: (text: string) => Buffer.from(text),
    packed: (text: string) => gzipSync(text, { level: 0 }),
  }

  it.each(Object.entries(packings))('closes the file, %s', async (name, pack) => {
    const file = await fileOf(`early-${name}.jsonl`, pack(one.repeat(100_000)))
    for (const wanted of [1, 30_000]) {
      let count = 0
      for await (const _ of readRecords(file)) {
        if (count === 0) expect(await isOpen(file)).not.toBe(false)
        if (++count === wanted) break
      }
      expect(await isOpen(file)).not.toBe(true)
    }
  })

  it.each(Object.entries(packings))('gives up the stream, %s, even one that says nothing more', async (_, pack) => {
    let closed = false
    async function* ending(): AsyncGenerator<Uint8Array> {
      try {
        yield pack(one.repeat(10))
        yield pack(one)
      } finally {
        closed = true
      }
    }
    for await (const _ of readRecords(ending())) break
    expect(closed).toBe(true)

    const silent = new Readable({ read() {} })
    silent.push(pack(one.repeat(10_000)))
    for await (const _ of readRecords(silent)) break
    await sleep(5)
    expect(silent.destroyed).toBe(true)
  })
})

describe('aborting', () => {
  const reason = new Error('enough')

  it('throws the reason before anything is opened', async () => {
    const reading = read(join(folder, 'missing.jsonl'), { signal: AbortSignal.abort(reason) })
    await expect(reading).rejects.toBe(reason)
  })

  it('throws the reason between two records and closes the file', async () => {
    for (const content of [one.repeat(1000), gzipSync(one.repeat(1000))]) {
      const file = await fileOf('abort.jsonl', content)
      const controller = new AbortController()
      let count = 0
      const reading = (async () => {
        for await (const _ of readRecords(file, { signal: controller.signal })) {
          if (++count === 3) controller.abort(reason)
        }
      })()
      await expect(reading).rejects.toBe(reason)
      expect(count).toBe(3)
      expect(await isOpen(file)).not.toBe(true)
    }
  })

  it('does not wait for a stream that says nothing more', async () => {
    async function* hanging(): AsyncGenerator<Uint8Array> {
      yield gzipSync(one)
      await new Promise(() => {})
    }
    const silent = new Readable({ read() {} })
    const sources: ByteStream[] = [hanging(), silent, new ReadableStream<Uint8Array>()]
    for (const source of sources) {
      const controller = new AbortController()
      const reading = read(source, { signal: controller.signal })
      setTimeout(() => controller.abort(reason), 5)
      await expect(reading).rejects.toBe(reason)
    }
    expect(silent.destroyed).toBe(true)
  })
})

describe('options', () => {
  it.each<[string, unknown]>([
    ['colection', { colection: 'notes' }],
    ['collection', { collection: '' }],
    ['onError', { onError: 'skip' }],
    ['maxLineBytes', { maxLineBytes: 0 }],
    ['maxLineBytes', { maxLineBytes: 1.5 }],
    ['maxLineBytes', { maxLineBytes: 2 ** 40 }],
    ['signal', { signal: {} }],
    ['options', 'notes'],
  ])('%s is refused when unknown or out of range', (option, options) => {
    const call = (): unknown => readRecords('corpus.jsonl', options as ReadRecordsOptions)
    expect(call).toThrow(expect.objectContaining({ code: 'OPTION_INVALID', details: { option } }))
  })
})

describe('locate', () => {
  it('knows file and line of records that were read, and neither of others', async () => {
    const file = await fileOf('located.jsonl', `\n${one}`)
    const [read] = await all(locate(readRecords(file)))
    expect(read).toEqual({ record: { id: 'a', collection: 'notes' }, file, line: 2 })
    const made: LocatedRecord[] = await all(locate([{ id: 'a', collection: 'notes' }]))
    expect(made[0]?.file).toBeUndefined()
    expect(made[0]?.line).toBeUndefined()
  })

  it('shows two lines of one key as two places', async () => {
    const lines = '{"id":"n1","text":"timer start"}\n{"id":"n1","text":"timer stop"}\n'
    expect(await linesOf(lines)).toEqual([
      ['n1', 1],
      ['n1', 2],
    ])
  })
})

describe('writing', () => {
  it('escapes what readers and terminals take for more than text', () => {
    const line = toJsonl({ id: 'a', text: '\u2028\u2029\u0085\u007f\ud83d\u0000\n' })
    expect(line).toBe(String.raw`{"id":"a","text":"\u2028\u2029\u0085\u007f\ud83d\u0000\n"}`)
  })

  it('refuses what JSON cannot hold, by name', () => {
    const circular: Record<string, unknown> = { id: 'a', collection: 'notes' }
    circular.self = circular
    for (const record of [circular, { id: 'a', collection: 'notes', big: 1n }]) {
      expect(() => toJsonl(record)).toThrow('Record "a" of collection "notes"')
    }
  })

  it('replaces a file only when all is written, even the one it reads from', async () => {
    const file = await fileOf('replaced.jsonl', `${one}{"id":"b","collection":"notes"}\n`)
    expect(await writeRecords(file, readRecords(file))).toBe(2)
    async function* failing(): AsyncGenerator<CorpusRecord> {
      yield { id: 'c', collection: 'notes' }
      throw new Error('no more')
    }
    await expect(writeRecords(file, failing())).rejects.toThrow('no more')
    expect(await readFile(file, 'utf8')).toBe(`${one}{"id":"b","collection":"notes"}\n`)
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(await writeRecords(pathToFileURL(file), [])).toBe(0)
    expect(await readFile(file, 'utf8')).toBe('')
  })

  it('says why a file cannot be written', async () => {
    await expect(writeRecords(join(folder, 'none', 'x.jsonl'), [])).rejects.toThrow('ENOENT')
  })
})

describe('the corpora beside the project', () => {
  const corpora = ['godot/canonical/corpus.jsonl', ...['godot', 'tensorflow'].flatMap(corpusFiles)]
  const root = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

  it.for(corpora)('%s fits its collections', async (name, { skip }) => {
    const file = join(root, name)
    if (!existsSync(file)) {
      console.info(`skipped: ${name} is not beside the project`)
      skip(`${name} is not beside the project`)
    }
    const collections = new Map(builtInCollections.map((collection) => [collection.name, collection]))
    let count = 0
    for await (const { record, ...place } of readRecords(file).located()) {
      const parsed = collections.get(record.collection)?.parse(record, place)
      if (toJsonl(parsed ?? {}) !== toJsonl(record)) expect(parsed).toEqual(record)
      count++
    }
    expect(count).toBeGreaterThan(10)
  })
})

function corpusFiles(data: string): string[] {
  const files = ['api_mapping.jsonl', 'docs_chunks.jsonl.gz', ...(data === 'godot' ? ['label_prototypes.jsonl'] : [])]
  return files.map((file) => `${data}/corpus/${file}`)
}

/** Pieces of equal size. */
function* slices(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

/** Pieces cut at any places, between the halves of a pair too. */
function cut<Content extends string | Uint8Array>(content: Content, cuts: readonly number[]): Content[] {
  const places = cuts.map((place) => place % (content.length + 1)).sort((a, b) => a - b)
  return [0, ...places].map((place, index) => content.slice(place, places[index]) as Content)
}
