import { describe, expect, test } from 'vitest'
import { TraceRecorder } from '../../src/trace/recorder.ts'
import type { TraceStage } from '../../src/trace/schema.ts'
import { chunk, fakeClock } from './example.ts'

function stagesOf(recorder: TraceRecorder): readonly TraceStage[] {
  return recorder.finish({ strategy: 'mine', chunk: chunk('x'), degraded: [], status: 'evidence' }).stages
}

describe('TraceRecorder', () => {
  test('records a stage with its time and what it says of its value', async () => {
    const recorder = new TraceRecorder(fakeClock(2.5))
    const value = await recorder.stage(
      'bm25',
      () => 7,
      (found) => ({ found }),
    )
    expect(value).toBe(7)
    expect(stagesOf(recorder)).toEqual([{ stage: 'bm25', ms: 2.5, found: 7 }])
  })

  test('records a stage that throws and passes on the very same error', async () => {
    const recorder = new TraceRecorder(fakeClock())
    const error = new Error('no model')
    const run = recorder.stage(
      'embedding',
      () => Promise.reject(error),
      () => ({ never: true }),
    )
    await expect(run).rejects.toBe(error)
    expect(stagesOf(recorder)).toEqual([{ stage: 'embedding', ms: 1, error: 'no model' }])
  })

  test('records what was thrown even if it is no Error', async () => {
    const recorder = new TraceRecorder(fakeClock())
    const run = recorder.stage(
      'embedding',
      () => {
        throw 'gone'
      },
      () => ({}),
    )
    await expect(run).rejects.toBe('gone')
    expect(stagesOf(recorder)[0]).toMatchObject({ error: 'gone' })
  })

  test('records an error of describe, with the time of the run', async () => {
    const recorder = new TraceRecorder(fakeClock())
    const run = recorder.stage(
      'fuse',
      () => 1,
      () => {
        throw new Error('bad log')
      },
    )
    await expect(run).rejects.toThrow('bad log')
    expect(stagesOf(recorder)).toEqual([{ stage: 'fuse', ms: 1, error: 'bad log' }])
  })

  test('keeps the order in which overlapping stages were started, whichever ends first', async () => {
    const recorder = new TraceRecorder(fakeClock())
    let release = (): void => {}
    const slow = recorder.stage(
      'slow',
      () => new Promise<void>((resolve) => (release = resolve)),
      () => ({}),
    )
    await recorder.stage(
      'fast',
      () => 1,
      () => ({}),
    )
    release()
    await slow
    expect(stagesOf(recorder).map(({ stage }) => stage)).toEqual(['slow', 'fast'])
  })

  test('marks a stage that still runs when the trace is made', () => {
    const recorder = new TraceRecorder(fakeClock())
    void recorder.stage(
      'slow',
      () => new Promise<never>(() => {}),
      () => ({}),
    )
    expect(stagesOf(recorder)).toEqual([{ stage: 'slow', ms: 1, unfinished: true }])
  })

  test('notes take no time, and nothing can be logged over name and time', () => {
    const recorder = new TraceRecorder(fakeClock())
    recorder.note('union', { stage: 'other', ms: 9, candidates: [] })
    expect(stagesOf(recorder)).toEqual([{ stage: 'union', ms: 0, candidates: [] }])
    expect(Object.keys(stagesOf(recorder)[0] ?? {})).toEqual(['stage', 'ms', 'candidates'])
  })

  test('a clock that goes back gives no negative time', async () => {
    const recorder = new TraceRecorder(fakeClock(-1))
    await recorder.stage(
      'bm25',
      () => 1,
      () => ({}),
    )
    expect(stagesOf(recorder)[0]?.ms).toBe(0)
  })
})
