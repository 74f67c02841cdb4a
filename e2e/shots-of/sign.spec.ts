import { expect } from '@playwright/test'
import { becomeUser, MARA, test } from '../test.ts'

/* The page of a sign on displays from the smallest to the largest. */
const SIZES = [
  [320, 240],
  [800, 480],
  [1024, 600],
  [3840, 2160],
] as const

test('sign', async ({ page, newDevice, server }) => {
  const call = await becomeUser(page, server, MARA)
  await call('POST', '/api/signs', { label: 'Office', showsName: true, showsUntil: true })
  const { circleId } = await call('POST', '/api/circles', { name: 'Backend' })
  const circle = await call('POST', '/api/signs', { label: 'Kitchen', circleId })
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`${server.url}/app/settings/sign`)
    await expect(page.getByText('Kitchen: 0 members on it')).toBeVisible()
    await page.screenshot({ path: `shots/settings-sign-${width}.png`, fullPage: true })
    await page.getByRole('button', { name: 'Change' }).click()
    await page.screenshot({ path: `shots/settings-sign-agree-${width}.png` })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Make a sign', exact: true }).click()
    await page.getByLabel('Where it hangs').fill('Room 4')
    await page.screenshot({ path: `shots/settings-sign-new-${width}.png` })
    await page.getByRole('button', { name: 'Make sign' }).click()
    await page.getByText(/\/sign#/).waitFor()
    await page.screenshot({ path: `shots/settings-sign-link-${width}.png` })
  }
  await call('PUT', '/api/signs/agreement', { id: circle.id, agreement: 'name' })
  const { token } = await call('POST', '/api/signs', { label: 'Named', showsName: true, showsUntil: true })
  const display = await newDevice()
  const shoot = async (name: string) => {
    for (const [width, height] of SIZES) {
      await display.setViewportSize({ width, height })
      await display.screenshot({ path: `shots/sign-${name}-${width}x${height}.png` })
    }
  }
  await display.clock.install()
  await display.goto(`${server.url}/sign#${token}`)
  await expect(display.getByRole('status')).toHaveText('free')
  await shoot('free')
  await call('POST', '/api/focus/start', {
    sessionId: '01980000-0000-7000-8000-000000000001',
    timeZone: 'Europe/Berlin',
    targetMinutes: 50,
  })
  await expect(display.getByRole('status')).toHaveText('in deeb mode')
  await shoot('deep')
  const team = await newDevice()
  await team.setViewportSize({ width: 800, height: 480 })
  await team.goto(`${server.url}/sign#${circle.token}`)
  await expect(team.getByRole('status')).toHaveText('1 of 1 in deeb mode')
  await team.screenshot({ path: 'shots/sign-circle-800x480.png' })
  await server.stop()
  await display.clock.fastForward(60_000)
  await expect(display.getByRole('status')).toHaveText('no connection')
  await shoot('unknown')
})
