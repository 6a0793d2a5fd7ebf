import { hasData } from './data.ts'

/** Says what a script measures; ends the process when the benchmark data is not there. */
export function begin(what: string): void {
  console.log(what)
  if (hasData()) return
  console.log(
    'Not run: it needs the benchmark data, a folder `shared/data` beside the project, which is not published with it.',
  )
  process.exit(0)
}

/** Prints a Markdown table with aligned columns, so that it can be pasted into `docs/`. The first column is text. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => (line[column] ?? '').length)))
  const pad = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!)
  const print = (line: readonly string[]): void => console.log(`| ${line.map(pad).join(' | ')} |`)
  console.log()
  print(lines[0]!)
  print(widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)))
  for (const line of lines.slice(1)) print(line)
  console.log()
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`
}
