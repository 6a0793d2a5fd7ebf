import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { onAbort } from '../src/on-abort.ts'

describe('onAbort', () => {
  it('tells all who wait, through one listener', () => {
    const controller = new AbortController()
    const told: number[] = []
    for (let index = 0; index < 100; index++) onAbort(controller.signal, () => told.push(index))
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort()
    expect(told).toEqual(Array.from({ length: 100 }, (_, index) => index))
  })

  it('tells nobody who has stopped, and leaves no listener when all have', () => {
    const controller = new AbortController()
    const told: string[] = []
    const same = (): void => void told.push('same')
    const stops = [onAbort(controller.signal, same), onAbort(controller.signal, same)]
    stops[0]!()
    stops[0]!()
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    stops[1]!()
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
    onAbort(controller.signal, () => told.push('later'))
    controller.abort()
    expect(told).toEqual(['later'])
  })
})
