import { expect } from '@playwright/test'
import {
  becomeUser,
  comeBack,
  deebSwitch,
  expectClean,
  expectNoSidewaysScroll,
  MARA,
  type Person,
  test,
} from '../test.ts'

/** Half an hour before the quiet time of a Tuesday. */
const STARTS_AT = '2026-12-01T08:30:00.000Z'
const colleague = (username: string): Person => ({ ...MARA, email: `${username}@fjordlab.example`, username })

test.use({ startsAt: STARTS_AT, timezoneId: 'UTC' })

test('a quiet time switches members on who wished it, and a colleague who is allowed gets through it', {
  tag: '@heavy',
}, async ({ page: mara, newDevice, server }) => {
  const [ben, cleo] = [await newDevice(), await newDevice()]
  for (const device of [ben, cleo]) await device.clock.install({ time: STARTS_AT })
  const asMara = await becomeUser(mara, server, MARA)
  const asBen = await becomeUser(ben, server, colleague('ben'))
  const asCleo = await becomeUser(cleo, server, colleague('cleo'))
  const { invite } = await asMara('POST', '/api/circles', { name: 'Backend' })
  for (const call of [asBen, asCleo]) await call('POST', '/api/circles/join', { invite })

  await test.step('the keeper sets it, a member takes part', async () => {
    await mara.goto(`${server.url}/app/circles`)
    await mara.getByRole('button', { name: 'Set quiet times' }).click()
    await expectClean(mara)
    await expectNoSidewaysScroll(mara)
    await mara.getByRole('button', { name: 'Save' }).click()
    await expect(mara.getByText('Tu, Th, 9:00 to 11:00').or(mara.getByText('Tu, Th, 09:00 to 11:00'))).toBeVisible()
    await ben.goto(`${server.url}/app/circles`)
    await ben.getByRole('switch', { name: 'Take part' }).click()
    await ben.getByRole('switch', { name: 'Switch on by itself' }).click()
    await expect(ben.getByRole('switch', { name: 'Switch on by itself' })).toBeChecked()
    await expectClean(ben)
  })

  await test.step('and lets the circle interrupt', async () => {
    await ben.goto(`${server.url}/app/settings/show`)
    await ben.getByRole('button', { name: /^It can't wait/ }).click()
    const saved = ben.waitForResponse('**/api/team/knocks/allow')
    await ben.getByRole('switch', { name: 'Backend' }).click()
    expect((await saved).ok()).toBe(true)
    await expect(ben.getByRole('switch', { name: 'Backend' })).toBeChecked()
    await expectClean(ben)
  })

  await test.step('at the start: on by itself, and seen by the team', async () => {
    await ben.goto(`${server.url}/app/home`)
    await expect(deebSwitch(ben)).toBeEnabled()
    const devices = [mara, ben, cleo]
    /** Moves all clocks to a time, whatever the steps before have taken: a start that is 2 minutes old is left to its user. */
    async function travelTo(time: string): Promise<void> {
      const ms = Math.max(0, Date.parse(`2026-12-01T${time}Z`) - (await ben.evaluate(() => Date.now())))
      await server.travel(ms / 60_000, () => Promise.all(devices.map((device) => device.clock.fastForward(ms))))
    }
    await travelTo('08:59:00')
    await ben.keyboard.press('Shift')
    await travelTo('09:00:10')
    for (const device of devices) await comeBack(device)
    await expect(deebSwitch(ben)).toBeChecked()
    await cleo.goto(`${server.url}/app/team`)
    await expect(cleo.getByText(/^Quiet time of Backend until/)).toBeVisible()
    await expect(cleo.getByRole('button', { name: /^ben ben@.*In deeb mode/ })).toBeVisible()
  })

  await test.step('a knock and its answer', async () => {
    await cleo.getByRole('button', { name: /^ben ben@/ }).click()
    await cleo.getByRole('button', { name: "It can't wait" }).click()
    await cleo.getByRole('button', { name: /^Interrupt ben/ }).click()
    await expect(cleo.getByRole('dialog').getByText('not seen yet')).toBeVisible()
    await expectClean(cleo)
    await expect(ben.getByRole('alert')).toContainText("it can't wait")
    await expectClean(ben)
    await expectNoSidewaysScroll(ben)
    await ben.getByRole('button', { name: 'In 10 minutes' }).click()
    await expect(cleo.getByText(/: in 10 minutes$/)).toBeVisible()
    await expect(ben.getByRole('button', { name: /1 interruption/ })).toBeVisible()
  })
})
