import { expect, test } from 'vitest'
import { SETTINGS } from '../config/settings-table.ts'
import { settingsInUse } from './settings.ts'

const rowOf = (env: Record<string, string>, name: string) =>
  settingsInUse(env).find((line) => line.startsWith(`| \`${name}\` |`))

test('every setting has a row with its value, or with what holds without it', () => {
  expect(settingsInUse({})).toHaveLength(Object.keys(SETTINGS).length + 2)
  expect(rowOf({ CIRCLE_SIZE: '15' }, 'CIRCLE_SIZE')).toBe('| `CIRCLE_SIZE` | `15` | yes |')
  expect(rowOf({ CIRCLE_SIZE: '' }, 'CIRCLE_SIZE')).toBe('| `CIRCLE_SIZE` | `50`, by default | yes |')
  expect(rowOf({}, 'SESSIONS_KEPT_MONTHS')).toBe(
    '| `SESSIONS_KEPT_MONTHS` | not set: focus sessions are kept as long as the account | yes |',
  )
  expect(rowOf({ PORT: '80' }, 'PORT')).toBe('| `PORT` | `80` |  |')
})

test('threat 149: no password, key or token is printed', () => {
  const secrets = {
    DATABASE_URL: 'postgresql://deeb:hunter2@db/deeb',
    SMTP_URL: 'smtp://deeb:hunter2@mail.example.com:587',
    DEEB_SECRET: 'hunter2',
    DEEB_SECRET_OLD: 'hunter2',
    OIDC_CLIENT_SECRET: 'hunter2',
    METRICS_TOKEN: 'hunter2',
    SLACK_CLIENT_SECRET: 'hunter2',
    MICROSOFT_CLIENT_SECRET: 'hunter2',
    GOOGLE_CLIENT_SECRET: 'hunter2',
  }
  for (const name of Object.keys(secrets)) expect(rowOf(secrets, name)).toBe(`| \`${name}\` | set |  |`)
  expect(settingsInUse(secrets).join('\n')).not.toContain('hunter2')
  // A new setting with such a name has to say so.
  const named = Object.keys(SETTINGS).filter((name) => /SECRET|TOKEN|PASSWORD$|KEY$|(DATABASE|SMTP)_URL/.test(name))
  expect(named.sort()).toEqual(Object.keys(secrets).sort())
})

test('a value cannot add a cell or a row to the table', () => {
  const row = rowOf({ OIDC_NAME: 'A|B`C\n| `CIRCLE_SIZE` | `5` |' }, 'OIDC_NAME')
  expect(row).toBe("| `OIDC_NAME` | `A\\|B'C \\| 'CIRCLE_SIZE' \\| '5' \\|` |  |")
})
