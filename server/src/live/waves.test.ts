import { startFocus } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'
import { expect, test, vi } from 'vitest'
import { openStream, type TestStream } from '../testing/live.ts'
import { makeUser } from '../testing/make.ts'
import { startTestApp } from '../testing/test-app.ts'

const PEOPLE = 10
const STREAMS_EACH = 20
const WAVES = 5

test('1,000 streams that come and go in waves leave nothing behind', async () => {
  const testApp = await startTestApp()
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => makeUser(testApp)))
  const { server } = testApp.app
  const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  const memory: number[] = []
  for (let wave = 0; wave < WAVES; wave++) {
    const streams: TestStream[] = []
    for (const person of people) {
      streams.push(...(await Promise.all(Array.from({ length: STREAMS_EACH }, () => openStream(testApp, person)))))
    }
    expect(await connections()).toBe(PEOPLE * STREAMS_EACH)
    await Promise.all(
      people.map((person) => testApp.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, person)),
    )
    if (wave === 0)
      await Promise.all(streams.map((stream) => stream.until((stream) => stream.of('me-changed').length > 0)))
    for (const stream of streams) stream.leave()
    await vi.waitUntil(async () => (await connections()) === 0, { timeout: 10_000 })
    memory.push(Math.round(process.memoryUsage().heapUsed / 1024 / 1024))
  }
  // The hub has let go of them: every place that a person may have is free again.
  const [person] = people
  if (!person) throw new Error('Nobody is left.')
  const again = await Promise.all(Array.from({ length: STREAMS_EACH }, () => openStream(testApp, person)))
  expect(again.some(({ hasEnded }) => hasEnded)).toBe(false)
  expect(server.listenerCount('request')).toBe(1)
  for (const stream of again) stream.leave()
  console.log(`Heap after each wave of ${PEOPLE * STREAMS_EACH} streams, MB: ${memory.join(', ')}`)
  await testApp.close()
})
