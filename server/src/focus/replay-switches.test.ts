import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { correctSession, discardSession, keepSession, readSessions } from '@deeb/core/sessions/api'
import { readWeek } from '@deeb/core/stats/api'
import { version as uuidVersion, v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { expectSettled } from '../testing/settled.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { closeForgottenSessions } from './close-forgotten.ts'

const timeZone = 'Europe/Berlin'

let testApp: TestApp
let mara: MadeUser
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())
beforeEach(async () => {
  setClock('06:00')
  mara = await makeTraveller(testApp)
})
afterEach(() => expectSettled(testApp, mara))

/** Times of 15 June 2026 in UTC; 30:00 is 06:00 of the next day. Berlin is two hours ahead. */
function at(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return new Date(Date.UTC(2026, 5, 15, hours, minutes)).toISOString()
}
const setClock = (time: string) => testApp.clock.set(at(time))
const sentNow = (actedAt: string) => ({ actedAt: at(actedAt), sentAt: testApp.clock.now().toISOString() })

const start = (sessionId: string, actedAt: string) =>
  testApp.call(startFocus, { sessionId, timeZone, times: sentNow(actedAt) }, mara)
const stop = (sessionId: string, actedAt: string) =>
  testApp.call(stopFocus, { sessionId, times: sentNow(actedAt) }, mara)

/** `+09:00 -10:00`: an on and an off of the same new session, and so on; a zone for all of it. */
async function replay(text: string, zone = timeZone, ids: string[] = []) {
  let id = ''
  const changes = text.split(' ').map((change) => {
    if (change.startsWith('+')) {
      id = ids.shift() ?? uuidv7()
      return { to: 'on', sessionId: id, timeZone: zone, actedAt: at(change.slice(1)) } as const
    }
    return { to: 'off', sessionId: ids.shift() ?? id, actedAt: at(change.slice(1)) } as const
  })
  const sentAt = testApp.clock.now().toISOString()
  return testApp.call(replaySwitches, { sentAt, changes }, mara)
}

async function listed(): Promise<string[]> {
  const { sessions } = (await testApp.call(readSessions, {}, mara)).body
  const hours = (time: string | null) => (time ? time.slice(11, 16) : '')
  return sessions.map(({ startedAt, endedAt }) => `${hours(startedAt)}-${hours(endedAt)}`).reverse()
}

describe('one late change', () => {
  test('begins and ends when it was pressed, not when it came', async () => {
    setClock('09:00')
    const id = uuidv7()
    const started = await start(id, '08:30')
    expect(started.body.session).toEqual({ id, startedAt: at('08:30'), endedAt: null })
    expect((await testApp.call(readHome, { timeZone }, mara)).body.openSession?.startedAt).toBe(at('08:30'))
    setClock('10:00')
    expect((await stop(id, '09:30')).body.session).toEqual({ id, startedAt: at('08:30'), endedAt: at('09:30') })
    expect((await testApp.call(readHome, { timeZone }, mara)).body.today.savedSeconds).toBe(3600)
  })

  test.each([
    ['ahead of now by more than two minutes', '06:03', 'ahead_of_time'],
    ['of more than a week ago', '-168:-1', 'too_late'],
  ])('%s is refused, on or off, alone or among others', async (_, actedAt, code) => {
    const id = uuidv7()
    for (const answer of [await start(id, actedAt), await stop(id, actedAt)]) {
      expect([answer.status, answer.error.code]).toEqual([409, code])
    }
    const { status, body } = await replay(`+${actedAt} +05:00 -05:30`, timeZone, [id])
    expect([status, body.refused]).toEqual([200, [{ sessionId: id, to: 'on', code }]])
    expect(await listed()).toEqual(['05:00-05:30'])
  })

  test('may have its id in capitals, and be told again so', async () => {
    setClock('09:00')
    const id = uuidv7()
    for (let time = 0; time < 2; time++) {
      expect((await replay('+08:00', timeZone, [id.toUpperCase()])).status).toBe(200)
      expect((await replay('-08:30', timeZone, [id.toUpperCase()])).body.refused).toEqual([])
    }
    expect(await listed()).toEqual(['08:00-08:30'])
    expect((await stop(id.toUpperCase(), '08:45')).body.session.id).toBe(id)
  })

  test('that is known already changes nothing, whichever call tells it', async () => {
    setClock('09:00')
    const id = uuidv7()
    for (let time = 0; time < 2; time++) {
      await start(id, '08:00')
      await replay('+08:00 -08:30', timeZone, [id])
      await stop(id, '08:45')
      expect(await listed()).toEqual(['08:00-08:30'])
    }
  })
})

describe('an on whose first report was delayed', () => {
  const home = async () => (await testApp.call(readHome, { timeZone }, mara)).body
  const open = async () => (await home()).openSession

  test.each([
    ['before', ['10:20', '10:00']],
    ['after', ['10:00', '10:20']],
  ])('fills all free time since it was pressed, with the delayed report %s the true one', async (_, reports) => {
    setClock('10:30')
    await replay('+10:05 -10:10')
    const id = uuidv7()
    for (const actedAt of reports) expect((await start(id, actedAt)).status).toBe(200)
    expect(await listed()).toEqual(['10:00-10:05', '10:05-10:10'])
    expect(await open()).toEqual({ id, startedAt: at('10:10'), endedAt: null })

    const { version } = await home()
    expect((await start(id, '10:00')).status).toBe(200)
    expect((await home()).version).toBe(version)
    expect(await listed()).toHaveLength(2)
  })

  test.each([
    ['before', ['10:20', '10:00']],
    ['after', ['10:00', '10:20']],
  ])(
    'fills the time before the open session of another device, with that report %s the true one',
    async (_, reports) => {
      setClock('10:30')
      await replay('+10:05 -10:10')
      const { id } = (await start(uuidv7(), '10:15')).body.session
      const second = uuidv7()
      for (const actedAt of reports) expect((await start(second, actedAt)).body.session.id).toBe(id)
      expect(await listed()).toEqual(['10:00-10:05', '10:05-10:10', '10:10-10:15'])
      expect(await open()).toEqual({ id, startedAt: at('10:15'), endedAt: null })
    },
  )

  test('ends where its off says, when that comes with the true report', async () => {
    setClock('10:30')
    await replay('+10:05 -10:10')
    const id = uuidv7()
    await start(id, '10:20')
    const replayed = () => replay('+10:00 -10:03', 'America/Los_Angeles', [id])
    expect((await replayed()).body).toMatchObject({ openSession: null, refused: [] })
    expect(await listed()).toEqual(['10:00-10:03', '10:05-10:10'])
    expect((await replayed()).body.refused).toEqual([])
    expect(await listed()).toEqual(['10:00-10:03', '10:05-10:10'])
  })

  test('leaves no session behind when all its time was taken', async () => {
    setClock('10:30')
    await replay('+10:00 -10:10')
    const id = uuidv7()
    await start(id, '10:20')
    await replay('+10:00 -10:05', timeZone, [id])
    expect(await listed()).toEqual(['10:00-10:10'])
    expect(await open()).toBeNull()
  })
})

test('every call takes the id of a session that the server itself made', async () => {
  setClock('12:00')
  await replay('+09:00 -10:00')
  await replay('+08:00 -11:00')
  const { sessions } = (await testApp.call(readSessions, {}, mara)).body
  const [, , made] = sessions.map(({ id }) => id)
  if (!made) throw new Error('The server made no session.')
  expect(sessions.map(({ id }) => uuidVersion(id))).toEqual([7, 7, 4])

  expect((await start(made, '11:30')).body.session).toEqual({ id: made, startedAt: at('08:00'), endedAt: at('09:00') })
  expect((await stop(made, '11:30')).body.session.endedAt).toBe(at('09:00'))
  const { status, body } = await replay('+11:00 -11:10 +11:20 -11:30', timeZone, [made, made, uuidv7(), made])
  expect([status, body.refused]).toEqual([200, []])
  expect(await listed()).toEqual(['08:00-09:00', '09:00-10:00', '10:00-11:00', '11:20-11:30'])
  expect((await testApp.call(correctSession, { sessionId: made, startedAt: at('08:30') }, mara)).status).toBe(200)
  expect((await testApp.call(keepSession, { sessionId: made }, mara)).error.code).toBe('session_not_found')
  expect((await testApp.call(discardSession, { sessionId: made }, mara)).status).toBe(200)
})

test('an on of before the open session was 16 hours long, heard of after, goes on where that one ended', async () => {
  await start(uuidv7(), '06:00')
  setClock('22:00')
  const id = uuidv7()
  expect((await start(id, '06:30')).body.session).toEqual({ id, startedAt: at('22:00'), endedAt: null })
  expect(await listed()).toEqual(['06:00-22:00'])
})

describe('several late changes', () => {
  test('give each local date its part, in the zone of their start', async () => {
    setClock('30:00')
    await replay('+20:30 -23:00')
    await replay('+24:00 -25:00', 'America/Los_Angeles')
    const { week } = (await testApp.call(readWeek, { timeZone }, mara)).body
    expect(week.slice(0, 2).map(({ savedSeconds }) => savedSeconds / 60)).toEqual([90 + 60, 60])
  })

  test('leave the person in deeb mode only if the last of them does, with the session of that id', async () => {
    setClock('12:00')
    expect((await replay('+08:00 -09:00')).body.openSession).toBeNull()
    const id = uuidv7()
    const { openSession } = (await replay('+10:00 -10:30 +11:00')).body
    expect(openSession?.startedAt).toBe(at('11:00'))
    expect((await replay('-11:30 +11:40', timeZone, [openSession?.id ?? '', id])).body.openSession).toEqual({
      id,
      startedAt: at('11:40'),
      endedAt: null,
    })
    expect(await listed()).toEqual(['08:00-09:00', '10:00-10:30', '11:00-11:30'])
  })

  test('leave what another device has open as it is', async () => {
    setClock('08:00')
    const { id } = (await start(uuidv7(), '08:00')).body.session
    setClock('12:00')
    const { body } = await replay('+07:00 -09:00 +10:00 -11:00')
    expect(body).toMatchObject({ openSession: { id, startedAt: at('08:00') }, refused: [] })
    expect(await listed()).toEqual(['07:00-08:00'])
  })

  test('are of one switch: an off ends the ons before it too, also one that was told alone', async () => {
    setClock('12:00')
    const [first, second, told] = [uuidv7(), uuidv7(), uuidv7()]
    for (let time = 0; time < 2; time++) {
      const { body } = await replay('+09:00 +09:10 -09:30', timeZone, [first, second, first])
      expect(body).toMatchObject({ openSession: null, refused: [] })
    }
    await start(told, '10:00')
    for (let time = 0; time < 2; time++) {
      const { body } = await replay('+10:00 -10:30', timeZone, [told, first])
      expect(body).toMatchObject({ openSession: null, refused: [] })
    }
    expect(await listed()).toEqual(['09:00-09:30', '10:00-10:30'])
  })

  test('of which one has a zone that nobody knows: the others are taken', async () => {
    setClock('12:00')
    const { body } = await replay('+08:00 -09:00', 'Europe/Atlantis')
    expect(body.refused.map(({ code }) => code)).toEqual(['invalid_time_zone', 'session_not_found'])
    expect((await replay('+08:00 -09:00')).body.refused).toEqual([])
    expect(await listed()).toEqual(['08:00-09:00'])
  })

  test('that name a session of somebody else find nothing there', async () => {
    const { id } = (await start(uuidv7(), '06:00')).body.session
    const owner = mara
    mara = await makeUser(testApp)
    setClock('08:00')
    expect((await replay('-07:00', timeZone, [id])).body.refused).toEqual([
      { sessionId: id, to: 'off', code: 'session_not_found' },
    ])
    mara = owner
    expect((await testApp.call(readHome, { timeZone }, mara)).body.openSession?.id).toBe(id)
  })
})

describe('a session that the server ended after 16 hours', () => {
  let id: string
  beforeEach(async () => {
    id = (await start(uuidv7(), '06:00')).body.session.id
    setClock('24:00')
    await closeForgottenSessions(testApp.db, testApp.clock.now())
  })

  const savedMinutes = async () => {
    const { week } = (await testApp.call(readWeek, { timeZone }, mara)).body
    return week.reduce((sum, { savedSeconds }) => sum + savedSeconds / 60, 0)
  }
  const asked = async () => (await testApp.call(readHome, { timeZone }, mara)).body.forgottenSession

  test('ended where its person stopped it without a network, and is not asked about', async () => {
    expect(await savedMinutes()).toBe(16 * 60)
    expect((await stop(id, '07:30')).body.session.endedAt).toBe(at('07:30'))
    expect([await savedMinutes(), await asked()]).toEqual([90, null])
    // The first such end stands.
    expect((await stop(id, '07:00')).body.session.endedAt).toBe(at('07:30'))
  })

  test('makes room for what the same device did after', async () => {
    expect((await replay('-07:30 +08:00 -09:00', timeZone, [id])).body.refused).toEqual([])
    expect(await listed()).toEqual(['06:00-07:30', '08:00-09:00'])
  })

  test('makes room for an earlier session when its end comes with it', async () => {
    const later = uuidv7()
    await start(later, '23:00')
    const { body } = await replay('-05:00 +05:30 -07:00', timeZone, [id, later, later])
    expect(body).toMatchObject({ openSession: null, refused: [] })
    expect(await savedMinutes()).toBe(90)
  })

  test.each([
    ['kept', () => testApp.call(keepSession, { sessionId: id }, mara), '22:00', 16 * 60],
    ['corrected', () => testApp.call(correctSession, { sessionId: id, endedAt: at('10:00') }, mara), '10:00', 4 * 60],
    ['deleted', () => testApp.call(discardSession, { sessionId: id }, mara), '06:00', 0],
  ])('and that its person has %s stays as they said', async (_, answer, end, minutes) => {
    expect((await answer()).status).toBe(200)
    expect((await stop(id, '07:30')).body.session).toEqual({ id, startedAt: at('06:00'), endedAt: at(end) })
    expect((await replay('+06:00 -07:30', timeZone, [id])).body.refused).toEqual([])
    expect(await savedMinutes()).toBe(minutes)
  })
})
