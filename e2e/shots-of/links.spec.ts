import { expect } from '@playwright/test'
import { becomeUser, fillSignUp, hold, MARA, newestLink, type Person, test } from '../test.ts'
import { shot } from './shot.ts'

const NOA: Person = { email: 'noa.berg@fjordlab.example', password: 'slow-heron-77', username: 'noa' }
const NEXT = 'mara.lindstroem-hallgrimsson@subsidiary.acme.example'

test('the page of a link in each state', async ({ page, newDevice, server }, { project }) => {
  const shoot = (of: typeof page, name: string) => shot(of, `${project.name}-link-${name}`)
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/settings/sign-in`)
  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByLabel('New email').fill(NEXT)
  await dialog.getByLabel('Current password').fill(MARA.password)
  await dialog.getByRole('button', { name: 'Change email' }).click()
  const change = await newestLink(server, { ...MARA, email: NEXT })
  const device = await newDevice()
  await device.setViewportSize(page.viewportSize() ?? { width: 390, height: 844 })
  await device.goto(`${server.url}/app/forgot-password`)
  await device.getByLabel('Email').fill(MARA.email)
  await device.getByRole('button', { name: 'Send reset link' }).click()
  await expect.poll(() => newestLink(server, MARA)).toContain('/app/reset-password')
  const recovery = await newestLink(server, MARA)
  await device.goto(`${server.url}/app/signup`)
  await fillSignUp(device, { ...NOA, email: 'joe@fjordlab.example' })
  const signUp = await newestLink(server, { ...NOA, email: 'joe@fjordlab.example' })

  await page.goto(change)
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible()
  await shoot(page, 'change-own')

  for (const [name, link] of Object.entries({ change, recovery, 'sign-up': signUp })) {
    await device.goto(link)
    await expect(device.getByRole('button', { name: /^(Confirm|Update password)$/ })).toBeVisible()
    await shoot(device, name)
  }
  await device.goto(change)
  await device.getByLabel('Password').fill('wrong')
  await device.getByRole('button', { name: 'Confirm' }).click()
  await expect(device.getByText('This is not the password of this account.')).toBeVisible()
  await shoot(device, 'change-wrong-password')
  await device.reload()
  await expect(device.getByText('Open the link in your email again.')).toBeVisible()
  await shoot(device, 'none')
  for (const type of ['signup', 'email_change']) {
    await device.goto(`${server.url}/app`)
    await device.goto(`${server.url}/app/confirm#token_hash=x&type=${type}`)
    await expect(device.getByText('This link has expired')).toBeVisible()
    await shoot(device, `dead-${type}`)
  }
  const { release } = await hold(device, '**/api/account/link')
  await device.goto(signUp)
  await expect(device.getByText('Loading...')).toBeVisible()
  await shoot(device, 'slow')
  release()
  await device.unrouteAll({ behavior: 'wait' })
  await device.route('**/api/account/link', (route) => route.abort())
  await device.goto(recovery)
  await expect(device.getByText('deeb cannot be reached')).toBeVisible()
  await shoot(device, 'unreachable')
  await device.unroute('**/api/account/link')

  await becomeUser(device, server, NOA)
  for (const [name, link] of Object.entries({ change, recovery, 'sign-up': signUp })) {
    await device.goto(link)
    await expect(device.getByText('You are signed in here as')).toBeVisible()
    await shoot(device, `${name}-somebody-else`)
  }
})
