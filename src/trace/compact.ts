import type { Json } from '../contracts.ts'

export type JsonObject = { readonly [key: string]: Json }

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON without its outer quotes and braces, for reading; not escaped yet. */
export function compact(value: Json): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return formatNumber(value)
  if (Array.isArray(value)) return value.map((item: Json) => inner(item)).join(' ')
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, part]) => `${name}=${isPlainList(part) ? compact(part) : inner(part)}`)
      .join(' ')
  }
  return String(value)
}

function inner(value: Json): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : compact(value)
}

function isPlainList(value: Json): boolean {
  return Array.isArray(value) && value.every((item: Json) => typeof item !== 'object')
}

/** Four digits tell neighbouring scores of any scale apart. */
export function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)))
}
