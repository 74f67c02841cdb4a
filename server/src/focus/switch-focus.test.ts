import type { InputOf } from '@deeb/core/endpoint'
import { stopFocus } from '@deeb/core/focus/api'
import { switchFocus } from '@deeb/core/focus/program-api'
import { readTeam } from '@deeb/core/team/api'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const START = '2026-06-15T09:00:00.000Z'
const BERLIN = 'Europe/Berlin'

type Input = InputOf<typeof switchFocus>

const test = base
  .extend('put', ({ app }) => async (on: Input['on'], rest: Omit<Input, 'on'> = {}, user = mara) => {
    const { status, body, error } = await app.call(switchFocus, { on, timeZone: BERLIN, ...rest }, user)
    return { status, body, code: error?.code, open: body?.openSession ?? null }
  })
  .extend('rows', ({ app }) => () => {
    const both = statement(
      'test.rows',
      `select time_zone as zone, start_date as date, is_active as open,
        (select count(*)::int from deeb_session_aliases where user_id = :userId) as aliases
      from deeb_sessions where user_id = :userId order by start_time`,
    )
    return app.db.query<{ zone: string; date: string; open: boolean; aliases: number }>(both, { userId: mara.userId })
  })

let mara: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set(START)
  mara = await makeUser(app)
})

test('on, off and toggle switch, answer the state and reach colleagues', async ({ app, clock, put }) => {
  const bea = await makeUser(app)
  await makeConnection(app, mara, bea)
  const seen = async () => (await app.call(readTeam, {}, bea)).body.connections[0]?.presence
  const on = await put(true, { forMinutes: 50 })
  expect(on.body).toMatchObject({
    openSession: { startedAt: START, endedAt: null, targetMinutes: 50 },
    serverTime: START,
  })
  expect(await seen()).toMatchObject({ inDeebMode: true, until: '2026-06-15T09:50:00.000Z' })
  clock.advance({ minutes: 10 })
  expect((await put('toggle')).open).toBeNull()
  expect(await seen()).toMatchObject({ inDeebMode: false })
  clock.advance({ minutes: 10 })
  expect((await put('toggle')).open).not.toBeNull()
  expect((await put(false)).open).toBeNull()
})

test('on while on changes only the target, and leaves no other trace', async ({ clock, put, rows }) => {
  const first = await put(true, { forMinutes: 25 })
  clock.advance({ minutes: 20 })
  expect((await put(true)).open).toEqual(first.open)
  expect((await put(true, { forMinutes: 30 })).open).toEqual({ ...first.open, targetMinutes: 50 })
  expect(await rows()).toEqual([expect.objectContaining({ open: true, aliases: 0 })])
  expect((await put(false)).open).toBeNull()
  expect((await put(false)).open).toBeNull()
})

test.for([
  [1, 5],
  [4, 5],
  [480, 480],
  [720, 480],
])('for %i minutes the target is %i', async ([forMinutes = 0, target], { put }) => {
  expect((await put(true, { forMinutes })).open?.targetMinutes).toBe(target)
})

test.for<Partial<Record<keyof Input, unknown>>>([
  { on: 'yes' },
  { on: 1 },
  { on: undefined },
  { on: true, forMinutes: 0 },
  { on: true, forMinutes: 721 },
  { on: true, forMinutes: 2.5 },
])('%o is refused', async (input, { app }) => {
  const { status, error } = await app.call(switchFocus, input as Input, mara)
  expect([status, error.code]).toEqual([400, 'invalid_input'])
})

test('a second toggle within 2 seconds changes nothing, at any part of a second', async ({ clock, put, rows }) => {
  clock.set('2026-06-15T09:00:00.999Z')
  await put('toggle')
  clock.set('2026-06-15T09:00:02.990Z')
  expect((await put('toggle')).open).not.toBeNull()
  clock.set('2026-06-15T09:00:03.000Z')
  expect((await put('toggle')).open).toBeNull()
  clock.set('2026-06-15T09:00:04.900Z')
  expect((await put('toggle')).open).toBeNull()
  clock.set('2026-06-15T09:00:06.000Z')
  expect((await put('toggle')).open).not.toBeNull()
  expect(await rows()).toHaveLength(2)
})

test('a key that bounces 10 times is one press, on and off', async ({ app, clock, put, rows }) => {
  const bounce = () => Promise.all(Array.from({ length: 10 }, () => put('toggle')))
  expect((await bounce()).filter(({ open }) => open === null)).toEqual([])
  clock.advance({ minutes: 5 })
  expect((await bounce()).filter(({ open }) => open !== null)).toEqual([])
  expect(await rows()).toHaveLength(1)
  await expectConsistent(app, mara)
})

test('on with a target and off at the same moment end in one of the two states', async ({ app, clock, put }) => {
  for (let round = 0; round < 10; round += 1) {
    await put(true)
    clock.advance({ minutes: 1 })
    const answers = await Promise.all([put(true, { forMinutes: 25 }), put(false), put(true, { forMinutes: 50 })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await put(false)
    clock.advance({ minutes: 1 })
  }
  await expectConsistent(app, mara)
})

test('counts in the given time zone, else in that of the last session', async ({ app, clock, put, rows }) => {
  // 01:30 of the next day in Berlin, on the night in which the clocks are set back.
  clock.set('2026-10-24T23:30:00.000Z')
  mara = await makeUser(app)
  const { error } = await app.call(switchFocus, { on: true }, mara)
  expect(error.code).toBe('invalid_time_zone')
  await put(true)
  clock.set('2026-10-25T01:30:00.000Z')
  await put(false, { timeZone: 'Asia/Tokyo' })
  clock.advance({ minutes: 1 })
  await app.call(switchFocus, { on: true }, mara)
  clock.advance({ minutes: 1 })
  await put(false)
  clock.advance({ minutes: 1 })
  // A device that knows where it is, after a flight.
  await put(true, { timeZone: 'Pacific/Honolulu' })
  expect(await rows()).toMatchObject([
    { zone: BERLIN, date: '2026-10-25' },
    { zone: BERLIN, date: '2026-10-25' },
    { zone: 'Pacific/Honolulu', date: '2026-10-24' },
  ])
})

test('a session past 16 hours counts as ended', async ({ clock, put, rows }) => {
  await put(true)
  clock.advance({ hours: 17 })
  expect((await put('toggle')).open).toMatchObject({ startedAt: clock.now().toISOString() })
  expect(await rows()).toMatchObject([{ open: false }, { open: true }])
})

test('the session is an ordinary one: another device ends it by its id', async ({ app, clock, put }) => {
  const { open } = await put('toggle')
  clock.advance({ minutes: 5 })
  const { body } = await app.call(stopFocus, { sessionId: open?.id ?? '' }, mara)
  expect(body.session).toMatchObject({ id: open?.id, endedAt: clock.now().toISOString() })
})
