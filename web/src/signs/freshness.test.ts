import { expect, test } from 'vitest'
import { createFreshness, createSteadyClock } from './freshness.ts'

/** By the clock of the server, which is years apart. */
const SERVER = 1_000_000_000

test('the first state counts as old as its request, later ones by the clock of the server', () => {
  const freshness = createFreshness(0)
  freshness.ask(1_000)
  freshness.confirm(SERVER, 4_000)
  expect(freshness.confirmedAtMs()).toBe(1_000)
  freshness.confirm(SERVER + 15_000, 18_900)
  expect(freshness.confirmedAtMs()).toBe(16_000)
})

test('threat 170: a state that a network held back is not new', () => {
  const freshness = createFreshness(0)
  freshness.ask(0)
  freshness.confirm(SERVER, 100)
  freshness.confirm(SERVER + 15_000, 300_000)
  expect(freshness.confirmedAtMs()).toBe(15_000)
})

test('nothing is confirmed in the future, and a new stream starts without the clock of the old one', () => {
  const freshness = createFreshness(0)
  freshness.ask(0)
  freshness.confirm(SERVER, 100)
  freshness.confirm(SERVER + 3_600_000, 15_000)
  expect(freshness.confirmedAtMs()).toBe(15_000)
  freshness.ask(20_000)
  freshness.confirm(SERVER - 3_600_000, 20_100)
  expect(freshness.confirmedAtMs()).toBe(20_000)
})

test('the clock counts sleep, and does not go back or stand still when the time of the device is set', () => {
  let [wall, monotonic] = [0, 0]
  const clock = createSteadyClock(
    () => wall,
    () => monotonic,
  )
  ;[wall, monotonic] = [1_000, 1_000]
  expect(clock()).toBe(1_000)
  // Sleep, in which some devices stop the monotonic clock.
  wall += 3_600_000
  expect(clock()).toBe(3_601_000)
  wall -= 7_200_000
  expect(clock()).toBe(3_601_000)
  ;[wall, monotonic] = [wall + 5_000, monotonic + 5_000]
  expect(clock()).toBe(3_606_000)
})
