import { describe, expect, it } from 'vitest'
import { ReadWriteLock } from '../src/read-write-lock.ts'

describe('the lock', () => {
  it('keeps writers alone and in order, and lets later readers wait for them', async () => {
    const lock = new ReadWriteLock()
    const log: string[] = []
    const work = (name: string) => async (): Promise<void> => {
      log.push(`${name}+`)
      await new Promise((done) => setTimeout(done, 5))
      log.push(`${name}-`)
    }
    const readers = [lock.read(work('r1')), lock.read(work('r2'))]
    await Promise.all([...readers, lock.write(work('w1')), lock.write(work('w2')), lock.read(work('r3'))])
    expect(log).toEqual(['r1+', 'r2+', 'r1-', 'r2-', 'w1+', 'w1-', 'w2+', 'w2-', 'r3+', 'r3-'])
  })

  it('goes on after a failed writer, and never starts one that was aborted while it waited', async () => {
    const lock = new ReadWriteLock()
    const controller = new AbortController()
    const failing = lock.write(async () => {
      await new Promise((done) => setTimeout(done, 5))
      throw new Error('broken')
    })
    let started = false
    const waiting = lock.write(async () => {
      started = true
    }, controller.signal)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(failing).rejects.toThrow('broken')
    expect(await lock.read(async () => 'in')).toBe('in')
    expect(started).toBe(false)
  })
})
