import { expect } from '@playwright/test'
import type { WebKitWindow } from '../engines/webkit.ts'
import { MARA } from '../test.ts'
import { becomeUser, switchDeeb, test } from './test.ts'

test('the bars of the week are as high as their days', async ({ newWindow, playwright, server }) => {
  const window = await newWindow()
  await becomeUser(window, playwright, server, MARA)
  await switchDeeb(window, 'on')
  await server.travel(30)
  await switchDeeb(window, 'off')
  await window.click('button', /^Profile/)
  await window.see('list', 'This week')
  // WebKit gives the empty marker of a list item a line of its own.
  const heights = await window.evaluate(() =>
    [...document.querySelectorAll('.week-day')].map((day) => [
      day.getBoundingClientRect().height,
      day.firstElementChild?.getBoundingClientRect().height,
    ]),
  )
  expect(heights).toHaveLength(7)
  for (const [day, bar] of heights) expect(day).toBe(bar)
})

test('the wheels of a goal turn by keys, mouse wheel, drag and click, and follow no other scroll', async ({
  newWindow,
  playwright,
  server,
}) => {
  const window = await newWindow()
  await becomeUser(window, playwright, server, MARA)
  await window.goto(`${server.url}/app/goal-settings`)
  await window.click('button', /^We ?1h 0m/)
  await window.see('listbox', 'Hours')
  await window.evaluateOn('listbox', 'Hours', (wheel) => wheel.focus())
  await window.press('ArrowDown')
  await expectHours(window, '2')
  await window.press('PageDown')
  await expectHours(window, '7')
  await window.press('1', '2')
  await expectHours(window, '12')
  await window.press('Home')
  await expectHours(window, '0')

  const { x, y, width, height } = (await window.box('listbox', 'Hours')) ?? { x: 0, y: 0, width: 0, height: 0 }
  const middle = [x + width / 2, y + height / 2] as const
  await window.turnWheel(...middle, 100)
  await expect.poll(() => hours(window)).not.toBe('0')
  await window.press('Home')
  await expectHours(window, '0')
  await window.drag(...middle, -80)
  await expect.poll(() => hours(window)).not.toBe('0')
  await window.press('4')
  await expectHours(window, '4')

  // WebKitGTK 2.50 does not send `scrollend`.
  const top = (to?: number): Promise<number> =>
    window.evaluateOn(
      'listbox',
      'Hours',
      (wheel, to) => {
        if (to !== null) wheel.scrollTop = to
        return wheel.scrollTop
      },
      to ?? null,
    )
  // The fourth row of 40 pixels.
  await expect.poll(() => top()).toBe(160)
  await top(460)
  await expect.poll(() => top()).toBe(160)
  await expectHours(window, '4')

  await window.click('button', /^Save/)
  await window.see('text', 'Goals saved!')
  await window.goto(`${server.url}/app/goal-settings`)
  await window.see('button', /^We ?4h/)
})

const hours = (window: WebKitWindow): Promise<string> =>
  window.evaluateOn('listbox', 'Hours', (wheel) => wheel.querySelector('[aria-selected=true]')?.textContent)

const expectHours = (window: WebKitWindow, value: string) =>
  expect.poll(() => hours(window)).toMatch(new RegExp(`^${value}\\b`))
