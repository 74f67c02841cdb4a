import { updateUsername } from '@deeb/core/account/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { saveGoals } from '@deeb/core/goals/api'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import { readHome } from '@deeb/core/home/api'
import { answerRequest, requestConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { test as base } from '../testing/test.ts'

const test = base
  .extend('ann', ({ app }) => makeUser(app))
  .extend('screen', ({ app, ann }) => {
    const home = (user = ann) => app.call(readHome, { timeZone: 'Asia/Kathmandu' }, user)
    const name = (username: string, user = ann) => app.call(updateUsername, { username }, user)
    return { home, name }
  })

test('home of a new user has a profile, no username, no goals and an empty day', async ({ ann, screen }) => {
  const { body } = await screen.home()
  expect(body).toMatchObject({
    profile: { id: ann.userId, username: null, email: ann.email },
    goals: [],
    // 09:00 UTC is 14:45 in Kathmandu, UTC+5:45.
    today: {
      date: '2026-06-15',
      startsAt: '2026-06-14T18:15:00.000Z',
      endsAt: '2026-06-15T18:15:00.000Z',
      savedSeconds: 0,
    },
    openSession: null,
    serverTime: '2026-06-15T09:00:00.000Z',
  })
})

test('saving goals replaces the goals of all seven days', async ({ app, ann, screen }) => {
  await app.call(saveGoals, { goals: everyDay(60) }, ann)
  const goals = everyDay(300).map((goal) => (goal.dayOfWeek === 0 ? { ...goal, goalMinutes: 0 } : goal))
  const { body } = await app.call(saveGoals, { goals }, ann)
  expect(body.goals[0]).toEqual({ dayOfWeek: 0, goalMinutes: 0 })
  expect((await screen.home()).body.goals).toEqual(body.goals)
})

test.for<[string, ReturnType<typeof everyDay>]>([
  ['six days', everyDay(60).slice(1)],
  ['a duplicate day', [...everyDay(60).slice(1), { dayOfWeek: 0, goalMinutes: 60 }]],
  ['more than a day', everyDay(1441)],
  ['a negative value', everyDay(-1)],
  ['half a minute', everyDay(0.5)],
])('saving goals rejects %s and writes nothing', async ([_, goals], { app, ann, screen }) => {
  const answer = await app.call(saveGoals, { goals }, ann)
  expect([answer.status, answer.error.code]).toEqual([400, 'invalid_input'])
  expect(answer.error.fields?.[0]?.path).toMatch(/^goals/)
  expect((await screen.home()).body.goals).toEqual([])
})

test('home counts the pending requests to its user', async ({ app, people, ann, screen }) => {
  const requests = async (user = ann) => (await screen.home(user)).body.requests
  const [ben, cleo] = await people(2)
  const ask = async (by: MadeUser) => (await app.call(requestConnection, { userId: ann.userId }, by)).body.connectionId
  const ids = [await ask(ben), await ask(cleo)]
  expect([await requests(), await requests(ben)]).toEqual([2, 0])
  for (const [index, answer] of (['accepted', 'declined'] as const).entries()) {
    await app.call(answerRequest, { requestId: ids[index] ?? '', answer }, ann)
    expect(await requests()).toBe(1 - index)
  }
})

test('a username is trimmed', async ({ screen }) => {
  expect((await screen.name('  Änne  ')).body).toEqual({ username: 'Änne' })
  expect((await screen.home()).body.profile.username).toBe('Änne')
})

test('usernames are unique regardless of letter case', async ({ app, ann, screen }) => {
  await screen.name('Ärmel', ann)
  const bea = await makeUser(app)
  const answer = await screen.name('äRMEL', bea)
  expect([answer.status, answer.error.code]).toEqual([409, 'username_taken'])
  expect((await screen.home(bea)).body.profile.username).toBeNull()
  // A user may change the letter case of their own username.
  expect((await screen.name('ärmel', ann)).status).toBe(200)
})

test.for([['   '], ['a'.repeat(41)], ['tab\there'], ['\u202Eevil']] as const)(
  'rejects %j as a username',
  async ([username], { screen }) => {
    const answer = await screen.name(username)
    expect([answer.status, answer.error.code, answer.error.fields?.[0]?.path]).toEqual([
      400,
      'invalid_input',
      'username',
    ])
  },
)

test('home announces the first full hour on its day, to a person without a door sign', async ({
  app,
  clock,
  screen,
}) => {
  const ann = await makeTraveller(app)
  const isFirstHour = async () => (await screen.home(ann)).body.today.isFirstHour
  async function work(minutes: number): Promise<void> {
    const sessionId = uuidv7()
    await app.call(startFocus, { sessionId, timeZone: 'Asia/Kathmandu' }, ann)
    clock.advance({ minutes })
    await app.call(stopFocus, { sessionId }, ann)
  }
  await work(30)
  clock.advance({ hours: 24 })
  await work(29)
  expect(await isFirstHour()).toBe(false)
  await work(1)
  expect(await isFirstHour()).toBe(true)
  await work(60)
  expect(await isFirstHour()).toBe(true)
  await app.db.script(`insert into signs (id, user_id, label, token_hash, shows_name, shows_until, created_at)
    values (gen_random_uuid(), '${ann.userId}', 'Office', decode(repeat('00', 32), 'hex'), false, false, now())`)
  expect(await isFirstHour()).toBe(false)
  await app.db.script('delete from signs')
  expect(await isFirstHour()).toBe(true)
  clock.advance({ hours: 10 })
  expect(await isFirstHour()).toBe(false)
  await work(60)
  expect(await isFirstHour()).toBe(false)
})
