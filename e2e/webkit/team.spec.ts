import { expect } from '@playwright/test'
import { MARA } from '../test.ts'
import { becomeUser, expectSwitch, hasNoToast, switchDeeb, test } from './test.ts'

const ADA = { ...MARA, email: 'ada.novak@fjordlab.example', username: 'ada' }
const JONAS = { ...MARA, email: 'jonas.weber@fjordlab.example', username: 'jonas' }

test('colleagues connect and see each other’s presence live, also after a restart of the server', async ({
  newWindow,
  playwright,
  server,
}) => {
  const [ada, jonas] = [await newWindow(), await newWindow()]
  await becomeUser(ada, playwright, server, ADA)
  await becomeUser(jonas, playwright, server, JONAS)
  for (const window of [ada, jonas]) {
    await window.click('button', /^Team/)
    await window.see('heading', 'Team')
  }

  await ada.fill('Search team members...', 'jonas', 'searchbox')
  await ada.click('button', 'Add Jonas Weber')
  await ada.see('text', 'Connection request sent successfully!')
  await jonas.click('button', 'Connection Requests, 1')
  await jonas.see('dialog', 'Connection Requests')
  await jonas.click('button', 'Accept')
  await jonas.see('text', 'No pending requests')
  await hasNoToast(jonas)
  // WebKitGTK 2.50 does not know `closedby`.
  await jonas.clickAt(195, 60)
  await expect.poll(() => jonas.has('dialog', 'Connection Requests')).toBe(false)
  const focused = () => jonas.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await expect.poll(focused).toContain('Connection Requests')
  await jonas.see('button', /Ada Novak.*Available/)

  await switchDeeb(ada, 'on')
  await jonas.see('button', /Ada Novak.*In deeb mode/, { timeout: 5_000 })
  await server.stop()
  await server.start()
  await ada.click('switch', 'deeb')
  await expectSwitch(ada, 'off')
  // A failed request and a lost stream are retried with exponential backoff.
  await jonas.see('button', /Ada Novak.*Available/, { timeout: 60_000 })
})
