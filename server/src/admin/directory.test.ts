import { expect } from 'vitest'
import { openDirectory } from '../testing/directory.ts'
import { test as base } from '../testing/test.ts'
import { printScimToken, switchScimOff } from './directory.ts'

const test = base
  .extend('settings', { scope: 'file' }, { PUBLIC_URL: 'https://deeb.example' })
  .extend('ask', ({ app }) => async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await app.inject({ url: '/scim/v2/Users', headers })).statusCode
  })

test('threat 69: a new token of a directory is printed once, and older ones work for 7 more days', async ({
  app,
  ask,
}) => {
  const { db, auth, clock } = app
  const { domain, token: first } = await openDirectory(app, 'fjordlab.example')
  clock.advance({ hours: 1 })
  const lines = await printScimToken(db, domain, auth.config, clock.now())
  expect(lines[1]).toBe('Address: https://deeb.example/scim/v2')
  const [, second = ''] = /^Token: +(deeb_scim_[\w-]{43})$/.exec(lines[2] ?? '') ?? []
  expect([await ask(first), await ask(second)]).toEqual([200, 200])
  clock.advance({ hours: 6 * 24 })
  // A third one does not give the first more time.
  await printScimToken(db, domain, auth.config, clock.now())
  clock.advance({ hours: 23 })
  expect(await ask(first)).toBe(200)
  clock.advance({ hours: 2 })
  expect([await ask(first), await ask(second)]).toEqual([401, 200])
})

test('scim-off removes all tokens of one directory', async ({ app, ask }) => {
  const { db, clock } = app
  const [one, other] = [await openDirectory(app, 'one.example'), await openDirectory(app, 'other.example')]
  expect(await switchScimOff(db, 'one.example', clock.now())).toEqual([
    'Removed 1 token of one.example. Its directory can no longer change anything.',
  ])
  expect([await ask(one.token), await ask(other.token)]).toEqual([401, 200])
})

test('a company that does not exist is named', async ({ app }) => {
  const { db, auth, clock } = app
  await expect(printScimToken(db, 'x.example', auth.config, clock.now())).rejects.toThrow(
    'There is no company x.example.',
  )
  await expect(switchScimOff(db, 'x.example', clock.now())).rejects.toThrow('There is no company x.example.')
})
