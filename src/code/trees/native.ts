/** The part of `@ast-grep/napi` that is used. Offsets are UTF-16 code units. */
export interface Native {
  parse(language: string, text: string): NativeRoot
  /** Parses in a thread of its own. */
  parseAsync(language: string, text: string): Promise<NativeRoot>
  kind(language: string, name: string): number
  pattern(language: string, text: string): object
  registerDynamicLanguage(languages: Readonly<Record<string, Registration>>): void
}

/** A parsed text. */
export interface NativeRoot {
  root(): NativeNode
}

/** A node of a tree. Every call crosses into native code, about two microseconds each. */
export interface NativeNode {
  kind(): string
  range(): { readonly start: { readonly index: number }; readonly end: { readonly index: number } }
  children(): NativeNode[]
  findAll(matcher: object | string): NativeNode[]
}

/** What the native package is told of a grammar that is not built in. */
export interface Registration {
  readonly libraryPath: string
  readonly extensions: readonly string[]
  readonly languageSymbol: string
  /** What stands for `$` while a pattern is parsed, where the language has no `$` in its names. */
  readonly expandoChar?: string
}
