import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

/** Whether the benchmark data lies beside the project; prints why tests are skipped when it does not. */
export function hasBenchmarkData(path: string): boolean {
  if (existsSync(root + path)) return true
  console.warn(`skipped: the benchmark data ${path} is not beside the project (../shared/data)`)
  return false
}

export function readBenchmarkJson<T>(path: string): T {
  return JSON.parse(textOf(path)) as T
}

export function readBenchmarkLines<T>(path: string): T[] {
  return textOf(path)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}

function textOf(path: string): string {
  const bytes = readFileSync(root + path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
