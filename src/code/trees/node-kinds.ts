/** What the kinds of nodes that decide about comments, strings and code are called in a grammar. */
export interface NodeKinds {
  readonly comments: readonly string[]
  /** String, character and pattern constants; plain text between tags too. */
  readonly strings: readonly string[]
  /** Code inside a string, with the marks around it. */
  readonly holes: readonly string[]
  /** Text that the grammar does not look into. */
  readonly opaque: readonly string[]
}

/**
 * The names that grammars use. They are gathered over all of them, because each has a few of these and none uses one for
 * anything else.
 */
export const commonKinds: NodeKinds = {
  comments: [
    ...['comment', 'line_comment', 'block_comment', 'multiline_comment', 'doc_comment', 'js_comment', 'html_comment'],
    ...['hash_bang_line', 'shebang', 'region_start', 'region_end'],
  ],
  strings: [
    ...[
      'string',
      'string_literal',
      'raw_string',
      'raw_string_literal',
      'multiline_string_literal',
      'line_string_literal',
    ],
    ...['multi_line_string_literal', 'interpreted_string_literal', 'verbatim_string_literal'],
    ...['interpolated_string_expression', 'interpolated_verbatim_string_expression', 'encapsed_string'],
    ...['char_literal', 'character_literal', 'rune_literal', 'character', 'char'],
    ...['template_string', 'template_literal_type', 'string_value', 'quoted_attribute_value', 'ansi_c_string'],
    ...['regex', 'regex_literal', 'heredoc_body', 'nowdoc_body', 'jsx_text', 'text'],
    // GDScript: `&"name"`, `^"path"`, and `$"path"`, which is a string only when it has quotes.
    ...['string_name', 'node_path', 'get_node'],
  ],
  holes: [
    ...[
      'template_substitution',
      'template_type',
      'interpolation',
      'string_interpolation',
      'format_expression',
      'interpolated_expression',
    ],
    ...['command_substitution'],
  ],
  opaque: ['preproc_arg', 'raw_text'],
}

/** Parts of a hole that say how a value is written and are no code: `!r`, `:>8`. */
export const formatKinds: ReadonlySet<string> = new Set([
  'type_conversion',
  'format_specifier',
  'interpolation_format_clause',
  'interpolation_alignment_clause',
])
