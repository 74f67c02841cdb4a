import '../testing/signed-in.ts'
import '../ui/tokens.css'
import type { LiveEvent } from '@deeb/core/live-events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { Live } from '../live/Live.tsx'
import ShowFocus from '../settings/ShowFocus.tsx'
import { FOCUS_OFF, HOME } from '../testing/mock-api.ts'
import { button, dialog, expectFailure, openScreen } from '../testing/open-screen.tsx'
import type { HidDevice } from './hid.ts'
import Lamp from './Lamp.tsx'

/** A lamp that writes down its reports: the id, and the bytes in hexadecimal, without zeros at the end. */
function lampOf(productName: string, vendorId: number, productId: number, refuses = false) {
  const reports: string[] = []
  const send = async (id: number, data: Uint8Array) => {
    const bytes = [...data].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    reports.push(`${id} (${data.length}): ${bytes.replace(/( 00)+$/, '')}`)
  }
  const device = {
    ...{ productName, vendorId, productId, opened: false, sendReport: send, sendFeatureReport: send },
    async open() {
      if (refuses) throw new DOMException('Failed to open the device.', 'NotAllowedError')
      device.opened = true
    },
    forget: async () => void plugged.delete(device),
  }
  return { device, reports, last: () => reports.at(-1) }
}

const FLAG = () => lampOf('LUXAFOR FLAG', 0x04d8, 0xf372)
const FLAG_RED = '0 (8): 01 ff ff'
const FLAG_DARK = '0 (8): 01 ff'

/** The devices that the user has chosen. */
const plugged = new Set<HidDevice>()
/** The device that the user chooses next. */
let offered: HidDevice | null = null
let live: ReadableStreamDefaultController<Uint8Array> | null = null
let home: object = HOME

beforeEach(() => {
  const hid = Object.assign(new EventTarget(), {
    getDevices: async () => [...plugged],
    async requestDevice() {
      if (offered) plugged.add(offered)
      return offered ? [offered] : []
    },
  })
  Object.defineProperty(navigator, 'hid', { value: hid, configurable: true })
  plugged.clear()
  home = HOME
  live = null
})
afterEach(() => {
  vi.useRealTimers()
  live?.close()
})

const openLamps = () =>
  openScreen(
    <main>
      <h1 tabIndex={-1}>Show focus</h1>
      <Live userId={HOME.profile.id} />
      <Lamp />
      <ShowFocus />
    </main>,
    {
      'GET /api/home': () => home,
      'GET /api/live': () => {
        const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
          live = controller
        }
        return new Response(new ReadableStream({ start }))
      },
    },
  )

async function send(text: string): Promise<void> {
  await expect.poll(() => live).not.toBeNull()
  live?.enqueue(new TextEncoder().encode(text))
}

/** The user switches on another device. */
async function switchTo(isOn: boolean, version: number): Promise<void> {
  const openSession = isOn ? { id: crypto.randomUUID(), startedAt: FOCUS_OFF.serverTime, endedAt: null } : null
  home = { ...HOME, openSession, version }
  const event = { type: 'me-changed', openSession, version, serverTime: FOCUS_OFF.serverTime } as LiveEvent
  await send(`data: ${JSON.stringify([event])}\n\n`)
}

test('each lamp is red in deeb mode, and dark without', async () => {
  const blink1 = lampOf('blink(1) mk3', 0x27b8, 0x01ed)
  const flag = FLAG()
  const busylight = lampOf('Busylight', 0x27bb, 0x3bcd)
  for (const { device } of [blink1, flag, busylight]) plugged.add(device)
  await openLamps()
  await switchTo(true, 2)
  await expect.poll(busylight.last).toContain('10 01 64')
  expect(blink1.reports.slice(-4)).toEqual([
    ...['1 (8): 6e ff', '1 (8): 50 00 00 00 00 0a', '1 (8): 50 00 00 00 00 0a 01', '1 (8): 44 01 17 70 01 00 01'],
  ])
  expect(flag.last()).toBe(FLAG_RED)
  expect(busylight.last()).toBe(`0 (64): 10 01 64 00 00 ff 00 80${' 00'.repeat(50)} ff ff ff ff 05 f0`)

  await switchTo(false, 3)
  await expect.poll(busylight.last).toContain('10 01 00 00 00 ff')
  expect([blink1.reports.at(-4), flag.last()]).toEqual(['1 (8): 6e', FLAG_DARK])
  await switchTo(true, 4)
  await expect.poll(busylight.last).toContain('10 01 64')
  // A page that closes sends the first report only.
  const sent = blink1.reports.length
  window.dispatchEvent(new Event('pagehide'))
  expect(blink1.reports[sent]).toBe('1 (8): 6e')
})

test('threat 290: a lamp is dark a minute after the last sign of life of the server, and when the page closes', async () => {
  const { device, last, reports } = FLAG()
  plugged.add(device)
  await openLamps()
  await switchTo(true, 2)
  await expect.poll(last).toBe(FLAG_RED)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const renewed = reports.length
  await send(': heartbeat\n\n')
  await expect.poll(() => reports.length).toBe(renewed + 1)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(last()).toBe(FLAG_RED)
  await vi.advanceTimersByTimeAsync(1_100)
  expect(last()).toBe(FLAG_DARK)
  // The server is back.
  vi.useRealTimers()
  await send(': heartbeat\n\n')
  await expect.poll(last).toBe(FLAG_RED)
  window.dispatchEvent(new Event('pagehide'))
  await expect.poll(last).toBe(FLAG_DARK)
})

test('a person chooses a lamp, and removes it', async () => {
  const { device, last } = FLAG()
  offered = device
  await openLamps()
  await switchTo(true, 2)
  await button(/^Lamp/).click()
  await button('Choose lamp').click()
  await expect.poll(last).toBe(FLAG_RED)
  await button('Remove LUXAFOR FLAG').click()
  await expect.element(button('Remove LUXAFOR FLAG')).not.toBeInTheDocument()
  expect(last()).toBe(FLAG_DARK)
  expect(plugged.size).toBe(0)
  // The browser's question is closed without an answer.
  offered = null
  await button('Choose lamp').click()
  await expect.element(dialog('Lamp')).toBeVisible()
  await expect.element(page.getByRole('listitem')).not.toBeInTheDocument()
})

test('a lamp that another program keeps says so', async () => {
  offered = lampOf('Busylight', 0x27bb, 0x3bcd, true).device
  await openLamps()
  await button(/^Lamp/).click()
  await button('Choose lamp').click()
  await expectFailure(
    'The lamp cannot be used. Perhaps another program uses it, or your system or company does not allow it.',
  )
})
