import { readFile } from 'node:fs/promises'

const exitCodeHelp = `Exit codes:
    0  evidence found: at least one record is accepted
    1  no direct evidence
    2  bad usage or input: an option, a file or a record; one line on stderr says which
    3  undecided: nothing is accepted, but something is uncertain
   70  internal error, or the output could not be written
  130  interrupted`

export const generalHelp: string = `Usage: direct-evidence <command> [options]

Finds the records of a JSONL corpus that carry direct evidence for a chunk of source code, with the proof.

Commands:
  retrieve    search a corpus with a chunk

Options:
  -h, --help       show this help; \`direct-evidence retrieve --help\` shows the options of the command
  -V, --version    show the version

${exitCodeHelp}
`

export const retrieveHelp: string = `Usage: direct-evidence retrieve --corpus FILE... --chunk FILE|- [options]

Searches a corpus with a chunk of source code and judges every record found: accept, uncertain or reject.

Input:
  --corpus FILE...        JSONL records, plain or gzip. Takes several files (--corpus a.jsonl b.jsonl) and may be
                          repeated; files are read in the order given
  --chunk FILE|-          the source code, UTF-8; - reads it from stdin
  --language NAME         language of the chunk (gdscript, python, ...). Default: by the name of the chunk's file, else
                          guessed from the code
  --on-error MODE         what a line without a valid record does: stop (default) or collect. collect reports it on
                          stderr as file:line: reason, counts it, and goes on with the other records

Search:
  --strategy NAME         parallel (default), or rerank: a wider search, ordered by evidence
  --collection NAME...    search only these collections. Takes several names and may be repeated. Default: all
  --limit N               at most N candidates, N from 1; also searches at least that deep. Default: all found
  --no-embedding          search without the embedding modality
  --grammars              read the chunk by its syntax tree, with every grammar that is installed beside this package:
                          @ast-grep/napi and its languages. Records with ast-grep patterns need it

Output, on stdout; a text report unless told otherwise:
  --json                  one JSON object { status, candidates, degraded }
  --jsonl                 one candidate a line, best first
  --only OUTCOME          show only accepted, uncertain or rejected candidates. Status and exit code stay those of all
  --trace DIR             write the trace of the retrieval into DIR, which is created when it is missing
  --color, --no-color     force or forbid colours in the text report. Default: colours on a terminal, unless NO_COLOR
                          is set or TERM is dumb
  --quiet                 no progress and no notes on stderr; errors and refused lines are still told
  -h, --help              show this help

Of an option that is given twice and does not take several values, the last one counts. Write --option=VALUE when the
value begins with a dash.

${exitCodeHelp}

Examples:
  direct-evidence retrieve --corpus corpus.jsonl --chunk player.gd
  git show HEAD:player.gd | direct-evidence retrieve --corpus docs.jsonl.gz mapping.jsonl --chunk - --language gdscript
  direct-evidence retrieve --corpus corpus.jsonl --chunk player.gd --jsonl --only accepted > accepted.jsonl
`

/** The version of the package this file belongs to, built or not: both lie two folders below its root. */
export async function readVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  return String((manifest as { version?: unknown }).version)
}
