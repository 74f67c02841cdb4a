import { expect, test } from 'vitest'
import { nextReload, type Reload } from './reload-once.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

test('a page whose file stays away is reloaded ever more rarely: at most 14 times in 8 hours', () => {
  let last: Reload | null = null
  const reloads: number[] = []
  for (let nowMs = 0; nowMs < 8 * HOUR; nowMs += SECOND) {
    const next = nextReload(last, nowMs)
    if (next === null) continue
    reloads.push(nowMs / SECOND)
    last = next
  }
  expect(reloads.slice(0, 4)).toEqual([0, 30, 90, 210])
  expect(reloads.length).toBeLessThanOrEqual(14)
})

test('after two hours without a reload the first pause is short again', () => {
  expect(nextReload({ atMs: 0, pauseMs: HOUR }, 2 * HOUR + 1)).toEqual({ atMs: 2 * HOUR + 1, pauseMs: 30 * SECOND })
})
