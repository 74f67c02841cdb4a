import '../testing/signed-in.ts'
import '../ui/tokens.css'
import './home.css'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useHome } from '../focus/day-queries.ts'
import { sendAll } from '../focus/queue/keep-sending.ts'
import { discardPending, enqueue, pendingOf } from '../focus/queue/switch-queue.ts'
import { HOME } from '../testing/mock-api.ts'
import { button, openScreen } from '../testing/open-screen.tsx'
import { Interruptions } from './Interruptions.tsx'

const SEND = 'POST /api/focus/switches'
const SESSION = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: HOME.serverTime, endedAt: null }
const OTHER = '01890a5d-ac96-774b-bcce-b302099a8058'
const PRESS = { sessionId: SESSION.id, pressId: '5bdca0f8-4a0a-4a6e-9e5c-0e6d7a2f8a11' }
const TAKEN = { openSession: SESSION, refused: [], serverTime: HOME.serverTime }
const { id: MARA } = HOME.profile

type Sent = { changes: { to: string; sessionId: string; pressId?: string }[] }

function Shown() {
  const { data } = useHome()
  return data?.openSession ? <Interruptions home={data} session={data.openSession} /> : null
}

const open = (presses: object[] = [], answers = {}) =>
  openScreen(<Shown />, { 'GET /api/home': { ...HOME, openSession: SESSION, presses }, [SEND]: TAKEN, ...answers })

const announced = () => expect.poll(() => document.querySelector('[aria-live=polite]')?.textContent)

beforeEach(() => page.viewport(320, 568))
afterEach(() => discardPending(MARA))

test('a press counts one, and Undo takes the last one back, each announced', async () => {
  const { bodies } = await open([PRESS])
  await button('interrupted? 1 interruption').click()
  await announced().toBe('2 interruptions')
  await button('Undo').click()
  await announced().toBe('1 interruption')
  await button('Undo').click()
  await announced().toBe('0 interruptions')
  // The focus does not get lost with the button.
  await expect.element(button('interrupted?')).toHaveFocus()
  await expect.element(button('Undo')).not.toBeInTheDocument()

  expect(await sendAll(MARA)).toBe('nothing')
  const [sent] = bodies(SEND) as Sent[]
  expect(sent?.changes.map(({ to }) => to)).toEqual(['interrupted', 'undo', 'undo'])
  expect(sent?.changes[0]?.pressId).toBe(sent?.changes[1]?.pressId)
  expect(sent?.changes[0]?.pressId?.[14]).toBe('4')
  expect(sent?.changes[2]?.pressId).toBe(PRESS.pressId)
})

test('works by keyboard and offline, and what the server has already counts once', async () => {
  const { answers, bodies } = await open([], { [SEND]: 'unavailable' })
  await expect.element(button('interrupted?')).toBeVisible()
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(button('interrupted? 1 interruption')).toBeVisible()
  expect(await sendAll(MARA)).toBe('later')
  await expect.element(button('interrupted? 1 interruption')).toBeVisible()
  // The server had taken the press: only its answer was lost.
  const [{ changes }] = bodies(SEND) as [Sent]
  const { sessionId, pressId } = changes[0] ?? PRESS
  answers['GET /api/home'] = { ...HOME, openSession: SESSION, presses: [{ sessionId, pressId }] }
  answers[SEND] = TAKEN
  expect(await sendAll(MARA)).toBe('nothing')
  expect(pendingOf(MARA)).toEqual([])
  await expect.element(button('interrupted? 1 interruption')).toBeVisible()
})

test('a press of another session is not counted here', async () => {
  await open([{ ...PRESS, sessionId: OTHER }])
  await expect.element(button('interrupted?')).toBeVisible()
})

test('switches are sent before interruptions, in a request of their own', async () => {
  const { bodies } = await open()
  const change = { userId: MARA, sessionId: OTHER, timeZone: 'UTC', actedAt: Date.now() }
  await enqueue({ ...change, to: 'on' })
  await enqueue({ ...change, to: 'interrupted', pressId: PRESS.pressId })
  await enqueue({ ...change, to: 'off' })
  await sendAll(MARA)
  expect((bodies(SEND) as Sent[]).map(({ changes }) => changes.map(({ to }) => to))).toEqual([
    ['on', 'off'],
    ['interrupted'],
  ])
})
