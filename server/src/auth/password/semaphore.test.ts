import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

/** Tasks that end when the test ends them. */
function workbench() {
  const ends: (() => void)[] = []
  const work = () => new Promise<string>((resolve) => ends.push(() => resolve('done')))
  return { ends, work }
}

/** Runs all pending callbacks. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('the semaphore runs 2, queues 64, and rejects the next immediately', async () => {
  const withPermit = createSemaphore({ maxRunning: 2, maxWaiting: 64 })
  const { ends, work } = workbench()
  const accepted = Array.from({ length: 66 }, () => withPermit(work))
  await expect(withPermit(work)).rejects.toMatchObject({ code: 'unexpected_failure', status: 503 })
  expect(ends).toHaveLength(2)

  while (ends.length > 0) {
    expect(ends.length).toBeLessThanOrEqual(2)
    ends.shift()?.()
    await settle()
  }
  expect(await Promise.all(accepted)).toEqual(Array(66).fill('done'))
})

test('the queue is first in, first out', async () => {
  const withPermit = createSemaphore({ maxRunning: 1, maxWaiting: 3 })
  const order: number[] = []
  await Promise.all([1, 2, 3, 4].map((n) => withPermit(async () => void order.push(n))))
  expect(order).toEqual([1, 2, 3, 4])
})

test('a failed task releases its permit', async () => {
  const withPermit = createSemaphore({ maxRunning: 1, maxWaiting: 1 })
  const failing = () => Promise.reject(new Error('no luck'))
  await expect(Promise.all([withPermit(failing), withPermit(failing)])).rejects.toThrow('no luck')
  await settle()
  expect(await withPermit(async () => 'done')).toBe('done')
})
