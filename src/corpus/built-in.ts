import { type Collection, defineCollection } from './collections.ts'

/** Sections of documentation: a page's prose, its examples, the API names it lists. */
export const docsChunks: Collection = defineCollection({
  name: 'docs_chunks',
  fields: {
    title: { reads: 'symbol', weight: 2, evidence: 'subject' },
    content: { reads: 'prose' },
    code_blocks: { reads: 'code' },
    api_symbols: { reads: 'symbol' },
  },
})

/** Renames from one version of an API to the next; the gate says what the code must have. */
export const apiMapping: Collection = defineCollection({
  name: 'api_mapping',
  fields: {
    source_api: { reads: 'symbol', weight: 2, evidence: 'subject' },
    match_terms: { reads: 'symbol' },
    required_when_seen_in_code: { reads: 'symbol', evidence: 'gate' },
    source_pattern: { reads: 'symbol', weight: 0, evidence: 'pattern' },
    before_code: { reads: 'code' },
    notes: { reads: 'prose', weight: 0.5, evidence: 'none' },
  },
  weakNames: 'old_name_legal',
})

/** Labels with the code they are recognised by. */
export const labelPrototypes: Collection = defineCollection({
  name: 'label_prototypes',
  fields: {
    label: { reads: 'symbol', evidence: 'none' },
    description: { reads: 'prose', evidence: 'none' },
    match_terms: { reads: 'symbol' },
    required_when_seen_in_code: { reads: 'symbol', evidence: 'gate' },
    source_pattern: { reads: 'symbol', weight: 0, evidence: 'pattern' },
    before_code: { reads: 'code' },
  },
})

/** The collections every retriever knows. */
export const builtInCollections: readonly Collection[] = [docsChunks, apiMapping, labelPrototypes]
