import type { Json } from '../contracts.ts'
import type { Trace } from './schema.ts'

/** One log file of a trace and where its lines come from. */
export interface TraceLog {
  readonly file: string
  /** One entry a line; undefined when the stage did not run or failed, so that there is no file. */
  lines(trace: Trace): readonly Json[] | undefined
}

/** Lines from the lists of every stage of a name. */
function listed(file: string, stage: string, ...lists: readonly string[]): TraceLog {
  return {
    file,
    lines({ stages }) {
      const found = stages.filter((entry) => entry.stage === stage).flatMap((entry) => lists.map((list) => entry[list]))
      const ran = found.filter((items): items is readonly Json[] => Array.isArray(items))
      return ran.length > 0 ? ran.flat(1) : undefined
    },
  }
}

/** One line: all that a stage logged. */
function whole(file: string, stage: string): TraceLog {
  return {
    file,
    lines({ stages }) {
      const entry = stages.find((each) => each.stage === stage && !('error' in each))
      if (entry === undefined) return undefined
      const { stage: _stage, ms: _ms, ...logged } = entry
      return [logged]
    },
  }
}

const chunk: TraceLog = { file: '1-chunk.jsonl', lines: (trace) => [{ ...trace.chunk }] }

/** Differences as lines that say what they are. */
const difference: TraceLog = {
  file: '6-difference.jsonl',
  lines({ stages }) {
    const entry = stages.find(({ stage }) => stage === 'difference')
    if (entry === undefined) return undefined
    return ['gained', 'lost', 'moved'].flatMap((change) => {
      const items = entry[change]
      return Array.isArray(items) ? items.map((item) => ({ change, ...(item as Record<string, Json>) })) : []
    })
  },
}

const shared: readonly TraceLog[] = [
  listed('literal-candidates.jsonl', 'literal', 'hits'),
  listed('fused.jsonl', 'fuse', 'candidates'),
]

/** The numbered logs of each strategy, as its description counts them, and those that all have. */
const byStrategy: Readonly<Record<'parallel' | 'queryProfile' | 'rerank', readonly TraceLog[]>> = {
  parallel: [
    listed('1-bm25-candidates.jsonl', 'bm25', 'hits'),
    listed('2-embedding-candidates.jsonl', 'embedding', 'hits'),
    listed('3-union.jsonl', 'union', 'candidates'),
    listed('4-provenance.jsonl', 'provenance', 'candidates'),
    listed('5-evidence.jsonl', 'evidence', 'candidates'),
    listed('6-verdicts.jsonl', 'validate', 'verdicts'),
    ...shared,
  ],
  queryProfile: [
    chunk,
    whole('2-profile.jsonl', 'profile'),
    listed('3-literals.jsonl', 'literals', 'literals'),
    listed('4-migration-signals.jsonl', 'migration-signals', 'signals'),
    listed('5-profile-candidates.jsonl', 'profile-candidates', 'candidates'),
    difference,
    listed('verdicts.jsonl', 'validate', 'verdicts'),
    ...shared,
  ],
  rerank: [
    chunk,
    listed('2-bm25-candidates.jsonl', 'bm25', 'hits'),
    listed('3-embedding-candidates.jsonl', 'embedding', 'hits'),
    listed('4-union.jsonl', 'union', 'candidates'),
    listed('5-rerank.jsonl', 'rerank', 'candidates'),
    listed('6-verdicts.jsonl', 'validate', 'verdicts'),
    listed('7-final.jsonl', 'ranking', 'candidates'),
    ...shared,
  ],
}

/** The logs of a trace: those of its strategy, or those of `parallel` for a strategy of the host's own. */
export function logsOf({ strategy }: Trace): readonly TraceLog[] {
  return Object.hasOwn(byStrategy, strategy) ? byStrategy[strategy as keyof typeof byStrategy] : byStrategy.parallel
}

/** Every file name that a trace may be written under. */
export const logFiles: ReadonlySet<string> = new Set(
  Object.values(byStrategy).flatMap((logs) => logs.map(({ file }) => file)),
)
