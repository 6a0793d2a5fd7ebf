import { z } from 'zod'
import { type Collection, defineCollection, patternSchema } from './collections.ts'

const id = z.string().min(1)
const text = z.string().nullish()
const list = z.array(z.string()).nullish()
const flag = z.boolean().nullish()
const gate = z.union([z.array(z.string()), z.string()], 'must be an array of strings or one string').nullish()

/** Pieces of documentation: a titled text with its code examples and the names it speaks of. */
export const docsChunks: Collection = defineCollection({
  name: 'docs_chunks',
  schema: z.looseObject({
    id,
    page: text,
    section: text,
    title: text,
    kind: text,
    content: text,
    code_blocks: list,
    code_langs: list,
    api_symbols: list,
    aliases: list,
    path: text,
    url: text,
  }),
  fields: {
    title: { reads: 'symbol', evidence: 'subject', weight: 2 },
    content: { reads: 'prose' },
    code_blocks: { reads: 'code' },
    api_symbols: { reads: 'symbol' },
    aliases: { reads: 'symbol', evidence: 'alias' },
  },
  partOf: 'page',
})

/** Renames from an old API to a new one. The new name is no evidence: code that has it needs no rename. */
export const apiMapping: Collection = defineCollection({
  name: 'api_mapping',
  schema: z.looseObject({
    id,
    source_api: text,
    target_api: text,
    aliases: list,
    match_terms: list,
    required_when_seen_in_code: gate,
    source_pattern: patternSchema,
    kind: text,
    owner: text,
    before_code: text,
    after_code: text,
    notes: text,
    domain: text,
    auto: flag,
    source_list: list,
    target_kind: text,
    old_argument: text,
    new_argument: text,
  }),
  fields: {
    source_api: { reads: 'symbol', evidence: 'subject', weight: 2 },
    match_terms: { reads: 'symbol' },
    required_when_seen_in_code: { reads: 'symbol', evidence: 'gate' },
    source_pattern: { reads: 'symbol', evidence: 'pattern' },
    before_code: { reads: 'code' },
    notes: { reads: 'prose', evidence: 'none', weight: 0.5 },
    owner: { reads: 'symbol', evidence: 'owner' },
    aliases: { reads: 'symbol', evidence: 'alias' },
    target_api: { reads: 'symbol', evidence: 'none', weight: 0 },
  },
  // `old_name_legal_in_godot4`, `old_name_legal_in_tf2`: the target that still knows the old name.
  weakNames: 'old_name_legal',
})

/** Labels for kinds of code, each with the names and patterns that show it. */
export const labelPrototypes: Collection = defineCollection({
  name: 'label_prototypes',
  schema: z.looseObject({
    id,
    label: text,
    description: text,
    match_terms: list,
    required_when_seen_in_code: gate,
    source_pattern: patternSchema,
    before_code: text,
  }),
  fields: {
    label: { reads: 'symbol', evidence: 'none' },
    description: { reads: 'prose', evidence: 'none' },
    match_terms: { reads: 'symbol' },
    required_when_seen_in_code: { reads: 'symbol', evidence: 'gate' },
    source_pattern: { reads: 'symbol', evidence: 'pattern' },
    before_code: { reads: 'code' },
  },
})

/** The collections that every retriever knows without being told. */
export const builtInCollections: readonly Collection[] = Object.freeze([docsChunks, apiMapping, labelPrototypes])
