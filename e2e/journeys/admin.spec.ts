import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { admin } from '../admin.ts'
import { becomeUser, comeBack, deebSwitch, fillSignUp, MARA, switchDeeb, test } from '../test.ts'

test.use({ setting: { isAlone: true } })

test('the administrator confirms a user without email, and signs out devices', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/app/signup`)
  await fillSignUp(page, MARA)
  await expect(page.getByText('Account Created!')).toBeVisible()

  // The running server carries it out.
  const confirmed = await admin(server, 'user', 'confirm', MARA.email)
  await page.goto(/http\S+/.exec(confirmed.text)?.[0] ?? '')
  await page.getByLabel('New password').fill('brisk-lantern-93')
  await page.getByLabel('Confirm password').fill('brisk-lantern-93')
  await page.getByRole('button', { name: 'Update password' }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()

  await server.stop()
  const reset = await admin(server, 'user', 'reset', MARA.email)
  expect(reset.text).toContain(`${server.url}/app/reset-password#token_hash=`)
  expect((await admin(server, 'user', 'sign-out', MARA.email)).text).toContain('on 1 device.')
  await server.start()
  await comeBack(page)
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible({ timeout: 30_000 })
})

test('totals check compares the totals with the sessions', { tag: '@heavy' }, async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await server.travel(45)
  await switchDeeb(page, 'off')
  await page.reload()
  await expect(deebSwitch(page)).not.toBeChecked()
  await server.stop()
  expect(await admin(server, 'totals', 'check')).toEqual({
    ok: true,
    text: 'All totals match the sessions.\n',
  })
  expect((await admin(server, 'totals')).text).toContain('"totals" is not complete')
})

test('a backup of a running server is restored with correct totals', { tag: '@heavy' }, async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await switchDeeb(page, 'on')
  await server.travel(45)
  await switchDeeb(page, 'off')
  const folder = await mkdtemp(join(tmpdir(), 'deeb-backup-'))
  try {
    const file = join(folder, 'deeb.backup')
    expect((await admin(server, 'backup', file)).text).toContain(`Wrote ${file}.`)
    expect((await stat(file)).mode & 0o077).toBe(0)

    const empty = { env: { ...server.env, DATA_DIR: join(folder, 'data') } }
    expect((await admin(empty, 'restore', file)).text).toMatch(
      /^Restored \d+ rows of \d+ tables; all checksums match\.\n$/,
    )
    expect((await admin(empty, 'totals', 'check')).text).toBe('All totals match the sessions.\n')
    const again = await admin(empty, 'restore', file)
    expect([again.ok, again.text]).toEqual([false, expect.stringContaining('empty')])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
