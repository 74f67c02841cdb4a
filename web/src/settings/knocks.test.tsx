import '../testing/signed-in.ts'
import '../ui/tokens.css'
import '../home/home.css'
import type { KnockAnswer, Knocks } from '@deeb/core/alerts/knock-api'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useHome } from '../focus/day-queries.ts'
import BelowRing from '../home/BelowRing.tsx'
import { Alerts } from '../team/Alerts.tsx'
import { TeamList } from '../team/TeamList.tsx'
import { useTeam } from '../team/team-queries.ts'
import { type Answers, FOCUS_OFF, HOME } from '../testing/mock-api.ts'
import { button, dialog, openScreen } from '../testing/open-screen.tsx'
import ShowFocus from './ShowFocus.tsx'

const person = (firstName: string, id: string) => ({
  ...{ id, username: firstName.toLowerCase(), firstName, lastName: 'Berg', email: `${firstName}@fjordlab.example` },
})
const ANN = person('Ann', '22222222-2222-4222-8222-222222222222')
const BEN = person('Ben', '44444444-4444-4444-8444-444444444444')
const CONNECTION = '55555555-5555-4555-8555-555555555555'
const CIRCLE = { id: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', name: 'Backend', visibleFrom: '2026-06-01T09:00:00.000Z' }
const NO_KNOCKS: Knocks = { allowed: [], mayKnock: [], received: [], sent: [] }

const team = (inDeebMode: boolean) => ({
  ...FOCUS_OFF,
  connections: [
    {
      id: CONNECTION,
      person: ANN,
      presence: { inDeebMode, since: inDeebMode ? FOCUS_OFF.serverTime : null, version: 1 },
    },
  ],
  ...{ requests: [], sent: [], throughCircles: [], circles: [CIRCLE], newcomers: [], circleSize: 50 },
})

function TeamShown() {
  const { data } = useTeam()
  return (
    <main>
      <h1 tabIndex={-1}>Team</h1>
      {data ? <TeamList team={data} query="" view="list" onView={() => undefined} /> : null}
      <Alerts userId={HOME.profile.id} />
    </main>
  )
}

function HomeShown() {
  const { data } = useHome()
  return (
    <main>
      <h1 tabIndex={-1}>Home</h1>
      {data ? <BelowRing home={data} elapsedSeconds={0} /> : null}
    </main>
  )
}

/** The server of a test: its knocks, which calls change. */
function openWith(shown: React.ReactNode, first: Partial<Knocks>, more: Answers = {}) {
  let knocks = { ...NO_KNOCKS, ...first }
  const change = (next: (body: never) => Partial<Knocks>) => (body: unknown) => {
    knocks = { ...knocks, ...next(body as never) }
    return {}
  }
  return openScreen(shown, {
    'GET /api/team': team(true),
    'GET /api/team/alerts': () => ({ alerts: [], knocks }),
    'POST /api/team/knocks': change(({ userId }: { userId: string }) => ({ sent: [{ userId, answer: null }] })),
    'POST /api/team/knocks/answer': change(({ userId }: { userId: string }) => ({
      received: knocks.received.filter(({ id }) => id !== userId),
    })),
    'POST /api/team/knocks/seen': change(() => ({ sent: [] })),
    'POST /api/team/knocks/allow': change(({ id, isAllowed }: { id: string; isAllowed: boolean }) => ({
      allowed: isAllowed ? [id] : [],
    })),
    ...more,
  })
}

test('behind the bell of somebody who allows it: first the bell, then what it does, then that it was not seen', async () => {
  const { bodies } = await openWith(<TeamShown />, { mayKnock: [ANN.id] })
  await button('Reach Ann Berg').click()
  const sheet = dialog('Ann Berg')
  await expect.element(sheet.getByRole('button', { name: 'Tell me when Ann Berg is free' })).toBeVisible()
  await sheet.getByRole('button', { name: "It can't wait" }).click()
  expect(bodies('POST /api/team/knocks')).toEqual([])
  await expect.element(sheet.getByText('Ann will be interrupted. This counts.')).toBeVisible()
  await sheet.getByRole('button', { name: 'Interrupt Ann' }).click()
  await expect.element(sheet.getByRole('status').getByText('not seen yet')).toBeVisible()
  expect(bodies('POST /api/team/knocks')).toEqual([{ userId: ANN.id }])
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect.element(page.getByRole('listitem').getByText('not seen yet')).toBeVisible()
})

test('the bell of somebody else has nothing behind it', async () => {
  await openWith(<TeamShown />, {})
  await expect.element(button('Tell me when Ann Berg is free')).toBeVisible()
  await expect.element(button('Reach Ann Berg')).not.toBeInTheDocument()
})

test.for<[string, string]>([
  ['too_many_knocks', 'You have interrupted this session already, or three in 24 hours.'],
  ['not_found', "Ann can't be interrupted now."],
  ['unavailable', 'Ann was not interrupted. Please try again.'],
])('a knock that is refused with %s says why', async ([code, text]) => {
  await openWith(<TeamShown />, { mayKnock: [ANN.id] }, { 'POST /api/team/knocks': code })
  await button('Reach Ann Berg').click()
  await dialog('Ann Berg').getByRole('button', { name: "It can't wait" }).click()
  await dialog('Ann Berg').getByRole('button', { name: 'Interrupt Ann' }).click()
  await expect.element(page.getByRole('alert').getByText(text)).toBeVisible()
  await expect.element(dialog('Ann Berg').getByText('not seen yet')).not.toBeInTheDocument()
})

test.for<[KnockAnswer, string]>([
  ['now', 'Ann Berg: coming'],
  ['soon', 'Ann Berg: in 10 minutes'],
  ['later', 'Ann Berg: later'],
])('the answer "%s" is forgotten once somebody has seen it', async ([answer, text]) => {
  const { bodies } = await openWith(<TeamShown />, { sent: [{ userId: ANN.id, answer }] })
  // The row has the short name.
  await expect.element(page.getByText(text)).toBeVisible()
  expect(bodies('POST /api/team/knocks/seen')).toEqual([])
  await userEvent.keyboard('{Shift}')
  await expect.poll(() => bodies('POST /api/team/knocks/seen')).toEqual([{ userId: ANN.id }])
})

test.for<[string, KnockAnswer]>([
  ['Coming', 'now'],
  ['In 10 minutes', 'soon'],
  ['Later', 'later'],
])('on Home, a knock comes before all else, and is answered with %s', async ([label, answer]) => {
  const quiet = [{ circleId: CIRCLE.id, circle: 'Backend', switchOnId: null, startsAt: FOCUS_OFF.serverTime }]
  const { bodies } = await openWith(
    <HomeShown />,
    { received: [BEN] },
    { 'GET /api/home': { ...HOME, quiet: quiet.map((time) => ({ ...time, endsAt: '2026-06-15T11:00:00.000Z' })) } },
  )
  await expect.element(page.getByRole('alert')).toHaveTextContent("Ben Berg: it can't wait")
  await expect.element(page.getByText(/^Quiet time/)).not.toBeInTheDocument()
  await button(label).click()
  await expect.element(page.getByText(/^Quiet time of Backend/)).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Home' })).toHaveFocus()
  expect(bodies('POST /api/team/knocks/answer')).toEqual([{ userId: BEN.id, answer }])
})

test('a double click answers one of two knocks', async () => {
  const { bodies } = await openWith(<HomeShown />, { received: [BEN, ANN] })
  await button('Coming').dblClick()
  await expect.element(page.getByRole('alert')).toHaveTextContent("Ann Berg: it can't wait")
  await expect
    .poll(async () => {
      await button('Later').click()
      return bodies('POST /api/team/knocks/answer')
    })
    .toEqual([
      { userId: BEN.id, answer: 'now' },
      { userId: ANN.id, answer: 'later' },
    ])
})

test('an answer that the server does not take comes back to Home', async () => {
  await openWith(<HomeShown />, { received: [BEN] }, { 'POST /api/team/knocks/answer': 'unavailable' })
  await button('Coming').click()
  await expect.element(page.getByText('Your answer was not sent. Please try again.')).toBeVisible()
  await expect.element(button('Coming')).toBeVisible()
})

test('nobody may interrupt until the user chooses a circle or a connection', async () => {
  const { bodies } = await openWith(<ShowFocus />, {})
  const row = page.getByRole('button', { name: /^It can't wait/ })
  await expect.element(row).toHaveTextContent('nobody')
  await row.click()
  const sheet = dialog("It can't wait")
  await expect.element(sheet.getByRole('switch', { name: 'Ann Berg' })).not.toBeChecked()
  await sheet.getByRole('switch', { name: 'Backend' }).click()
  await expect.element(sheet.getByRole('switch', { name: 'Backend' })).toBeChecked()
  expect(bodies('POST /api/team/knocks/allow')).toEqual([{ id: CIRCLE.id, isAllowed: true }])
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect.element(row).toHaveTextContent('1')
})
