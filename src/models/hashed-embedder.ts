import { z } from 'zod'
import type { Embedder } from '../contracts.ts'
import { parseOptions } from '../options.ts'
import { Pace } from '../pace.ts'
import { CountTable } from './count-table.ts'
import { countWords, type FeatureKind, featuresOf, readable } from './features.ts'

/**
 * An embedder that can be fitted to a corpus. What indexes records fits it to them and embeds records and queries with
 * the result.
 *
 * `fit` gives a new embedder and leaves this one as it is, so that two indexes can share one. The fitted embedder has
 * the same `id`: vectors of two fits must not be compared, and whoever fits again embeds again.
 */
export interface FittableEmbedder extends Embedder {
  fit(texts: Iterable<string>, options?: { readonly signal?: AbortSignal | undefined }): Promise<Embedder>
}

/** Options of {@link hashedEmbedder}. */
export interface HashedEmbedderOptions {
  /** Width of a vector: a multiple of 16 from 64 to 4096. Default 256. */
  readonly dimensions?: number
  /** Chooses among equally good projections; a whole number of 32 bits. Default 0. */
  readonly seed?: number
}

/** Changes with every change of what a vector is made of, so that vectors of two revisions are never compared. */
const revision = 1

/**
 * Non-zero places of a feature's row. Sahlgren 2005 reports a handful in 1,000 and more dimensions; with 256 a few
 * more keep the rows of two features from sharing their only places.
 */
const nonZeros = 16

/**
 * What each kind of feature counts. A whole identifier is the rarest and says most; grams are many for one part, so each
 * counts little, and together they still bring near `animate` and `animation`.
 */
const kindWeights: Readonly<Record<FeatureKind, number>> = { whole: 2, part: 1, gram: 0.25 }

/** A kind's place here is the lowest two bits of its features' hashes. */
const kinds: readonly FeatureKind[] = ['whole', 'part', 'gram']
const weightOfKind: Float64Array = Float64Array.from(kinds, (kind) => kindWeights[kind])

/** Words whose features are remembered: the vocabulary of a large corpus, in some 10 MB. Then it starts anew. */
const rememberedWords = 65_536

/** Code units between two looks at the clock: 1 to 2 ms of work. Texts up to this length are done at a stretch. */
const slice = 16_384

/** The same for different words, each with a dozen features. */
const wordSlice = 512

const optionsSchema = z.strictObject({
  dimensions: z.int().min(64).max(4096).multipleOf(nonZeros).default(256),
  seed: z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 32 - 1)
    .default(0),
})

/**
 * An embedder without a model file: words, their parts and their character grams, projected at random onto a few
 * dimensions. It knows nothing of meaning. It finds texts that share vocabulary, also where the words differ in form,
 * and works offline, at once, and in the same way everywhere; a trained model finds more.
 *
 * Sparse random indexing: each feature has a row of 16 entries of ±1, drawn by an integer hash; a text is the sum of
 * `(1 + ln tf) * weight of the kind * idf * row` over its features, scaled to length 1. Fitted to a corpus of N texts,
 * `idf = ln(1 + (N - df + 0.5) / (df + 0.5))` and a feature that the corpus lacks counts nothing, since no record can
 * share it; not fitted, idf is 1. A text without letters and digits gives the zero vector.
 *
 * A text of n characters takes O(n + f · 16) for f different features, around 0.1 ms for 1 kB; long work yields to the
 * event loop. Of a word longer than 64 characters the first 64 count.
 *
 * Kanerva, Kristofersson and Holst, "Random indexing of text samples for latent semantic analysis", 2000; Sahlgren, "An
 * introduction to random indexing", 2005. Rows have one entry in each of 16 blocks, as in Kane and Nelson, "Sparser
 * Johnson-Lindenstrauss transforms", Journal of the ACM 61(1), 2014.
 *
 * @throws `OPTION_INVALID` for an unknown option or a value outside its range.
 * @example
 * ```ts
 * const embedder = await hashedEmbedder().fit(['func play() -> void', 'Stops the timer.'])
 * const [vector] = await embedder.embedQueries(['timer.stop()']) // Float32Array(256)
 * ```
 */
export function hashedEmbedder(options: HashedEmbedderOptions = {}): FittableEmbedder {
  const { dimensions, seed } = parseOptions('hashedEmbedder', optionsSchema, options)
  const id = `hashed@${revision}:${dimensions}:${seed}`
  const featureHashes = rememberingFeatureHashes(seed)
  return {
    ...embedderOf(id, dimensions, featureHashes, () => 1),
    async fit(texts, fitOptions): Promise<Embedder> {
      fitOptions?.signal?.throwIfAborted()
      const pace = new Pace(fitOptions?.signal)
      const features = new CountTable()
      const documents = new CountTable()
      let total = 0
      for (const text of texts) {
        await pace.breathe()
        total++
        const paused = countFeatures(text, featureHashes, features, pace)
        if (paused !== undefined) await paused
        for (let entry = 0; entry < features.size; entry++) documents.add(features.keys[entry]!, 1)
      }
      const weights = new Float64Array(documents.size)
      for (let entry = 0; entry < documents.size; entry++) {
        const frequency = documents.counts[entry]!
        weights[entry] = Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
      }
      return embedderOf(id, dimensions, featureHashes, (feature) => {
        const entry = documents.entryOf(feature)
        return entry < 0 ? 0 : weights[entry]!
      })
    },
  }
}

function embedderOf(
  id: string,
  dimensions: number,
  featureHashes: (word: string) => Int32Array,
  idf: (feature: number) => number,
): Embedder {
  const embed: Embedder['embedDocuments'] = async (texts, options) => {
    options?.signal?.throwIfAborted()
    const pace = new Pace(options?.signal)
    const features = new CountTable()
    const vectors: Float32Array[] = []
    for (const text of texts) {
      await pace.breathe()
      const paused = countFeatures(text, featureHashes, features, pace)
      if (paused !== undefined) await paused
      vectors.push(project(features, dimensions, idf))
    }
    return vectors
  }
  return { id, dimensions, embedDocuments: embed, embedQueries: embed }
}

/**
 * Counts how often each feature occurs, in the order of first appearance, which the text alone decides. A text of usual
 * size is done at once; a long one is done when the promise is.
 */
function countFeatures(
  text: string,
  featureHashes: (word: string) => Int32Array,
  features: CountTable,
  pace: Pace,
): Promise<void> | undefined {
  features.clear()
  if (text.length > slice) return countLong(text, featureHashes, features, pace)
  const words = new Map<string, number>()
  countWords(readable(text), words)
  for (const [word, count] of words) addWord(featureHashes(word), count, features)
  return undefined
}

async function countLong(
  text: string,
  featureHashes: (word: string) => Int32Array,
  features: CountTable,
  pace: Pace,
): Promise<void> {
  const form = readable(text)
  const words = new Map<string, number>()
  for (let from = 0; from < form.length; ) {
    from = countWords(form, words, from, slice)
    await pace.breathe()
  }
  let done = 0
  for (const [word, count] of words) {
    addWord(featureHashes(word), count, features)
    if (++done % wordSlice === 0) await pace.breathe()
  }
}

function addWord(hashes: Int32Array, count: number, features: CountTable): void {
  for (let index = 0; index < hashes.length; index++) features.add(hashes[index]!, count)
}

/** The weighted sum of the rows of the features, scaled to length 1; zeros when nothing has a weight. */
function project(features: CountTable, dimensions: number, idf: (feature: number) => number): Float32Array {
  const sum = new Float64Array(dimensions)
  for (let entry = 0; entry < features.size; entry++) {
    const feature = features.keys[entry]!
    const count = features.counts[entry]!
    const frequency = count === 1 ? 1 : 1 + Math.log(count)
    const weight = frequency * weightOfKind[feature & 3]! * idf(feature)
    if (weight !== 0) addRow(sum, feature, weight)
  }
  let square = 0
  for (let index = 0; index < dimensions; index++) square += sum[index]! ** 2
  const vector = new Float32Array(dimensions)
  if (square === 0) return vector
  const scale = 1 / Math.sqrt(square)
  for (let index = 0; index < dimensions; index++) vector[index] = sum[index]! * scale
  return vector
}

/**
 * One entry of ±weight in each of 16 blocks; 16 bits of hash an entry: one for the sign, 15 for the place. Without
 * branches, since a random sign is what a processor guesses worst: this is the innermost loop of embedding.
 */
function addRow(sum: Float64Array, feature: number, weight: number): void {
  const width = sum.length / nonZeros
  for (let block = 0; block < nonZeros; block += 2) {
    const bits = mix(feature + Math.imul(block + 1, 0x9e3779b9))
    const first = block * width + (Math.imul(bits & 0x7fff, width) >>> 15)
    sum[first] = sum[first]! + weight * (((bits >>> 14) & 2) - 1)
    const second = (block + 1) * width + (Math.imul((bits >>> 16) & 0x7fff, width) >>> 15)
    sum[second] = sum[second]! + weight * (((bits >>> 30) & 2) - 1)
  }
}

/** The hashed features of a word, remembered for as many words as fit. The lowest two bits of a hash are the kind. */
function rememberingFeatureHashes(seed: number): (word: string) => Int32Array {
  const remembered = new Map<string, Int32Array>()
  return (word) => {
    let hashes = remembered.get(word)
    if (hashes === undefined) {
      hashes = Int32Array.from(featuresOf(word), ({ kind, text }) => {
        const index = kinds.indexOf(kind)
        return (hash(text, seed ^ Math.imul(index + 1, 0x85ebca6b)) & ~3) | index
      })
      if (remembered.size >= rememberedWords) remembered.clear()
      remembered.set(word, hashes)
    }
    return hashes
  }
}

/** FNV-1a over UTF-16 code units, then {@link mix}, because the low bits of FNV alone are weak. */
function hash(text: string, seed: number): number {
  let state = mix(seed ^ 0x811c9dc5)
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return mix(state)
}

/** The finaliser of MurmurHash3 (`fmix32`): every bit of the input moves every bit of the output. */
function mix(value: number): number {
  let state = value | 0
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return state ^ (state >>> 16)
}
