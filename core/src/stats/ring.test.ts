import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endedText, hourMarkAngles, hoursAndMinutes, lengthText, ringFill, ringTime, spokenDuration } from './ring.ts'

describe('ringFill', () => {
  it.each([
    [0, 240, 0, 0],
    [60, 240, 0.25, 0],
    [240, 240, 1, 0],
    // 300/240 = 1.25: full, and a quarter of the goal beyond it.
    [300, 240, 1, 0.25],
    [480, 240, 1, 1],
    [1000, 240, 1, 1],
    // With goal 0 the first minute fills the ring.
    [0, 0, 0, 0],
    [0.9, 0, 0, 0],
    [1, 0, 1, 0],
    [500, 0, 1, 0],
  ])('%d of %i minutes: progress %d, excess %d', (minutes, goalMinutes, progress, excess) => {
    expect(ringFill(minutes, goalMinutes)).toEqual({ progress, excess })
  })

  it('returns values from 0 to 1, and an excess only with full progress', () => {
    const minutes = fc.double({ min: 0, max: 20_000, noNaN: true })
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 7 * 1440 }), (done, goalMinutes) => {
        const { progress, excess } = ringFill(done, goalMinutes)
        for (const part of [progress, excess]) expect(part >= 0 && part <= 1).toBe(true)
        if (excess > 0) expect(progress).toBe(1)
      }),
    )
  })
})

describe('hourMarkAngles', () => {
  it.each([
    [0, []],
    [45, [0]],
    [60, [0]],
    // An hour of 90 minutes is two thirds of the circle.
    [90, [0, 240]],
    [360, [0, 60, 120, 180, 240, 300]],
    // 4h 30m: an hour is 80 degrees, and 40 degrees follow the last mark.
    [270, [0, 80, 160, 240, 320]],
  ])('for a goal of %i minutes: %j', (goalMinutes, angles) => {
    const marks = hourMarkAngles(goalMinutes)
    expect(marks).toHaveLength(angles.length)
    for (const [n, angle] of angles.entries()) expect(marks[n]).toBeCloseTo(angle, 9)
  })

  it('returns only one mark at 12 o’clock', () => {
    for (let goalMinutes = 1; goalMinutes <= 1440; goalMinutes++) {
      const marks = hourMarkAngles(goalMinutes)
      expect(marks[0]).toBe(0)
      expect(marks.slice(1).every((angle) => angle > 0 && angle < 360)).toBe(true)
    }
  })
})

describe('ringTime', () => {
  it.each([
    [0, 0, 0],
    [59, 0, 59],
    [60, 1, 0],
    [9 * 60 + 59, 9, 59],
    // Above 9 hours there is room for minutes only if they are 0.
    [10 * 60, 10, 0],
    [10 * 60 + 1, 10, null],
    [99 * 60, 99, 0],
    [99 * 60 + 59, 99, null],
    // Above 99 hours there is no room for minutes.
    [100 * 60, 100, null],
    [100 * 60 + 1, 100, null],
  ])('%i minutes: %i h, %s m', (total, hours, minutes) => {
    expect(ringTime(total)).toEqual({ hours, minutes })
  })
})

describe('endedText', () => {
  it.each([
    [0, 0, 0, '0s. 0% of today.'],
    [59, 20, 33, '59s. 33% of today.'],
    [60, 60, 100, '1m. 100% of today.'],
    [72 * 60 + 59, 101, 84, '1h\u00a012m. 84% of today.'],
    // Without a goal there is no percentage.
    [72 * 60, 125, null, '1h\u00a012m. 2h\u00a05m today.'],
  ])('%i seconds, %i minutes today, %s percent', (seconds, dayMinutes, percent, text) => {
    expect(endedText(seconds, dayMinutes, percent)).toBe(text)
  })
})

describe('hoursAndMinutes and spokenDuration', () => {
  it.each([
    [0, '0h 0m', '0 hours 0 minutes'],
    [1, '0h 1m', '0 hours 1 minute'],
    [61, '1h 1m', '1 hour 1 minute'],
    [223, '3h 43m', '3 hours 43 minutes'],
    [120, '2h 0m', '2 hours 0 minutes'],
    [6001, '100h 1m', '100 hours 1 minute'],
  ])('format %i minutes as %s and %s', (minutes, short, spoken) => {
    expect(hoursAndMinutes(minutes)).toBe(short)
    expect(spokenDuration(minutes)).toBe(spoken)
  })
})

it.each([
  [0, '0m'],
  [59, '59m'],
  [60, '1h'],
  [570, '9h\u00a030m'],
  [1200, '20h'],
])('a sentence has %i minutes as %s', (minutes, text) => {
  expect(lengthText(minutes)).toBe(text)
})
