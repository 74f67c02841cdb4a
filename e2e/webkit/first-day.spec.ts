import { expect } from '@playwright/test'
import { MARA, newestLink } from '../test.ts'
import { expectSwitch, hasNoToast, switchDeeb, test } from './test.ts'

test('first day: sign up, onboard, switch on, reload and switch off', async ({ newWindow, server }) => {
  const window = await newWindow()
  await window.goto(`${server.url}/app/signup`)
  await window.fill('Email', MARA.email)
  await window.fill(/^Password$/, MARA.password)
  await window.fill('Confirm Password', MARA.password)
  await window.click('button', 'Create Account')
  await window.see('text', 'Account Created!')
  const link = await newestLink(server, MARA)
  // The page leads to Sign In by itself, and a navigation during that would be cancelled.
  await expect.poll(() => window.evaluate(() => location.pathname)).toBe('/app')
  await window.goto(link)
  await window.click('button', 'Confirm')
  await window.see('dialog', 'Welcome to deeb!')
  await window.press('Escape', 'Escape', 'Escape', 'Escape')
  await window.fill('Username', MARA.username)
  await window.press('Enter')
  await window.see('dialog', 'Set Your Daily Goals')
  await window.click('button', 'Skip (1h daily)')
  await window.see('heading', 'Hi mara')
  await hasNoToast(window)

  await switchDeeb(window, 'on')
  const colors = () =>
    window.evaluate(() => [
      getComputedStyle(document.documentElement).colorScheme,
      getComputedStyle(document.documentElement).backgroundColor,
      document.querySelector('meta[name=theme-color]')?.getAttribute('content'),
    ])
  await expect.poll(colors).toEqual(['dark', 'rgb(0, 0, 0)', '#000000'])
  await server.travel(25)
  await window.reload()
  await expectSwitch(window, 'on')
  await window.see('timer', /./)
  await window.see('img', /^0 hours 25 minutes of 1 hours? 0 minutes today/)
  await switchDeeb(window, 'off')
  await expect.poll(colors).not.toContain('dark')
  await window.see('img', /^0 hours 25 minutes/)
})
