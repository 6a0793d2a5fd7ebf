/** nDCG@k with exponential gains `2^grade - 1`; records without a judgment have grade 0. */
export function ndcg(ranking: readonly string[], judged: ReadonlyMap<string, number>, k = 10): number {
  const gain = (grade: number, index: number): number => (2 ** grade - 1) / Math.log2(index + 2)
  const ideal = [...judged.values()]
    .sort((a, b) => b - a)
    .slice(0, k)
    .reduce((sum, grade, index) => sum + gain(grade, index), 0)
  const found = ranking.slice(0, k).reduce((sum, id, index) => sum + gain(judged.get(id) ?? 0, index), 0)
  return ideal === 0 ? 0 : found / ideal
}

/** Share of the records of grade 2 or 3 among the first k. */
export function recall(ranking: readonly string[], judged: ReadonlyMap<string, number>, k = 50): number {
  const relevant = [...judged].filter(([, grade]) => grade >= 2).map(([id]) => id)
  const first = new Set(ranking.slice(0, k))
  return relevant.length === 0 ? 0 : relevant.filter((id) => first.has(id)).length / relevant.length
}

/** 1 / rank of the first record of grade 2 or 3; 0 when there is none. */
export function reciprocalRank(ranking: readonly string[], judged: ReadonlyMap<string, number>): number {
  const at = ranking.findIndex((id) => (judged.get(id) ?? 0) >= 2)
  return at < 0 ? 0 : 1 / (at + 1)
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** CPU milliseconds of this process that some work takes. */
export async function cpuMs<T>(work: () => Promise<T> | T): Promise<{ value: T; ms: number }> {
  const before = process.cpuUsage()
  const value = await work()
  const used = process.cpuUsage(before)
  return { value, ms: (used.user + used.system) / 1000 }
}

export function round(value: number, digits = 3): string {
  return value.toFixed(digits)
}
