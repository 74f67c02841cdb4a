import { expect } from '@playwright/test'
import { MARA } from '../test.ts'
import { becomeUser, expectSwitch, test } from './test.ts'

test('a press without the server is kept over a reload, and sent when the server is back', async ({
  newWindow,
  playwright,
  server,
}) => {
  const window = await newWindow()
  await becomeUser(window, playwright, server, MARA)
  const isInstalled = () => window.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active?.state))
  await expect.poll(isInstalled).toBe('activated')
  // WebDriver cannot cut the network.
  await server.stop()
  await window.click('switch', 'deeb')
  await expectSwitch(window, 'on')
  await window.see('text', '1 change waiting to sync')
  await window.reload()
  await expectSwitch(window, 'on')
  await window.see('text', '1 change waiting to sync')
  await server.start()
  const isSent = () => window.has('text', 'waiting to sync').then((isWaiting) => !isWaiting)
  await expect.poll(isSent, { timeout: 60_000 }).toBe(true)

  const phone = await newWindow()
  await phone.goto(`${server.url}/app`)
  await phone.fill('Email', MARA.email)
  await phone.fill('Password', MARA.password)
  await phone.click('button', 'Sign In')
  await expectSwitch(phone, 'on')
})
