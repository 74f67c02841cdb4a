import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { SETTINGS } from './settings-table.ts'

test('readConfig reads every setting of the table and no other variable', () => {
  const read = new Set<string>()
  readConfig(new Proxy({}, { get: (_env, name) => void read.add(String(name)) }))
  expect([...read].sort()).toEqual(Object.keys(SETTINGS).sort())
})

test.each([
  ['https://demo.example.com', 'https://demo.example.com/'],
  ['https://example.com/look?from="deeb"', 'https://example.com/look?from=%22deeb%22'],
  ['http://localhost:3001/demo', 'http://localhost:3001/demo'],
  ['', null],
])('DEMO_URL: %j is %j', (text, demoUrl) => expect(readConfig({ DEMO_URL: text }).demoUrl).toBe(demoUrl))

test.each([
  'http://demo.example.com',
  'https://ann:secret@demo.example.com',
  'javascript:alert(1)',
  '//demo',
  'https://',
])('DEMO_URL: %j stops the start with a sentence that does not repeat it', (text) =>
  expect(() => readConfig({ DEMO_URL: text })).toThrow(/^DEMO_URL must (?!.*(secret|alert)).*\.$/),
)

test('SIGN_UP is on or off, and on by default', () => {
  const read = (SIGN_UP?: string) => readConfig({ SIGN_UP }).isSignUpOn
  expect([read(), read(''), read('on'), read('off')]).toEqual([true, true, true, false])
  for (const wrong of ['false', 'OFF', '0']) expect(() => read(wrong)).toThrow('SIGN_UP must be on or off')
})

test('PUSH is on, off or local, and on by default', () => {
  const read = (PUSH?: string) => readConfig({ PUSH }).push
  expect([read(), read(''), read('off'), read('local')]).toEqual(['on', 'on', 'off', 'local'])
  expect(() => read('yes')).toThrow('PUSH must be on, off, local, not "yes".')
})

test('WEBHOOK_ALLOW is ranges of addresses, and none by default', () => {
  const read = (WEBHOOK_ALLOW?: string) => readConfig({ WEBHOOK_ALLOW }).webhookAllow
  expect([read(), read(''), read('10.0.0.0/8, fd00::/8')]).toEqual([[], [], ['10.0.0.0/8', 'fd00::/8']])
  for (const wrong of ['10.0.0.0', '10.0.0.0/33', '10/8', 'intranet', '0x0a000000/8'])
    expect(() => read(wrong)).toThrow(`not "${wrong}".`)
})

test('CIRCLE_SIZE is from 0 to 150, and 50 by default', () => {
  const read = (CIRCLE_SIZE?: string) => readConfig({ CIRCLE_SIZE }).circleSize
  expect([read(), read(''), read('0'), read('150')]).toEqual([50, 50, 0, 150])
  for (const wrong of ['151', '-1', '1.5', 'many']) expect(() => read(wrong)).toThrow(/^CIRCLE_SIZE must /)
})

test('SESSIONS_KEPT_MONTHS is from 2 to 120, and none by default', () => {
  const read = (SESSIONS_KEPT_MONTHS?: string) => readConfig({ SESSIONS_KEPT_MONTHS }).sessionsKeptMonths
  expect([read(), read(''), read('2'), read('120')]).toEqual([null, null, 2, 120])
  for (const wrong of ['1', '0', '121', '2.5', 'forever'])
    expect(() => read(wrong)).toThrow(/^SESSIONS_KEPT_MONTHS must /)
})

test('COMPANY_REPORT, REPORT_BLUR and REPORT_GOALS: on, 4 to 50 people, on', () => {
  const read = (env: Parameters<typeof readConfig>[0]) => readConfig(env).report
  expect(read({})).toEqual({ isOn: true, blur: 4, hasGoals: true })
  const other = { COMPANY_REPORT: 'off', REPORT_BLUR: '50', REPORT_GOALS: 'off' }
  expect(read(other)).toEqual({ isOn: false, blur: 50, hasGoals: false })
  for (const wrong of ['3', '51', '4.5', '-4']) expect(() => read({ REPORT_BLUR: wrong })).toThrow(/^REPORT_BLUR must /)
  expect(() => read({ COMPANY_REPORT: 'no' })).toThrow('COMPANY_REPORT must be on or off')
  expect(() => read({ REPORT_GOALS: 'no' })).toThrow('REPORT_GOALS must be on or off')
})

const COMPANY = {
  OIDC_ISSUER: 'https://login.microsoftonline.com/6c3b0b6e-0000-4000-8000-000000000000/v2.0',
  OIDC_CLIENT_ID: 'deeb',
  OIDC_CLIENT_SECRET: 'a client secret',
  OIDC_DOMAINS: 'Acme.example, acme.test',
}

test('OIDC_*: the company, with its defaults', () => {
  const domains = ['acme.example', 'acme.test']
  const defaults = { name: 'acme.example', onlySso: false, trustsEmail: false }
  expect(readConfig(COMPANY).company).toEqual({
    ...{ issuer: COMPANY.OIDC_ISSUER, clientId: 'deeb', clientSecret: 'a client secret', domains },
    ...defaults,
  })
  const more = {
    OIDC_NAME: 'Acme',
    OIDC_ONLY: 'yes',
    OIDC_TRUST_EMAIL: 'yes',
    COMPANY_DOMAINS: 'acme.test acme.example',
  }
  expect(readConfig({ ...COMPANY, ...more }).company).toMatchObject({ name: 'Acme', onlySso: true, trustsEmail: true })
  expect(readConfig({}).company).toBeNull()
})

test.each<[Record<string, string>, string]>([
  [{ OIDC_CLIENT_SECRET: '' }, 'Set OIDC_CLIENT_SECRET too, or remove OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_DOMAINS.'],
  [{ OIDC_ISSUER: '' }, 'Set OIDC_ISSUER too, or remove '],
  [{ OIDC_ISSUER: 'login.example.com' }, 'OIDC_ISSUER must be a URL'],
  [{ OIDC_ISSUER: 'http://login.example.com' }, 'OIDC_ISSUER must begin with https://'],
  [{ OIDC_ISSUER: 'http://169.254.169.254/latest' }, 'OIDC_ISSUER must begin with https://'],
  [{ OIDC_ISSUER: 'file:///etc/passwd' }, 'OIDC_ISSUER must begin with https://'],
  [{ OIDC_ISSUER: 'https://ann:secret@login.example.com' }, 'OIDC_ISSUER must begin with https://'],
  [{ OIDC_ISSUER: 'https://login.example.com/?x=1' }, 'OIDC_ISSUER must begin with https://'],
  ...['common', 'organizations', 'consumers', '9188040d-6c67-4c5b-b112-36a304b66dad'].map(
    (tenant): [Record<string, string>, string] => [
      { OIDC_ISSUER: `https://login.microsoftonline.com/${tenant}/v2.0` },
      'OIDC_ISSUER must name the tenant of one company',
    ],
  ),
  [{ OIDC_DOMAINS: ' , ' }, 'OIDC_DOMAINS must be a list of domains'],
  [{ OIDC_DOMAINS: 'https://acme.example' }, 'OIDC_DOMAINS must be a list of domains'],
  [{ COMPANY_DOMAINS: 'acme.example' }, 'OIDC_DOMAINS: acme.test must be in COMPANY_DOMAINS too.'],
  [{ OIDC_ONLY: 'true' }, 'OIDC_ONLY must be yes or no'],
  [{ OIDC_TRUST_EMAIL: 'on' }, 'OIDC_TRUST_EMAIL must be yes or no'],
  [{ OIDC_NAME: 'x'.repeat(65) }, 'OIDC_NAME must have 1 to 64 characters.'],
])('threat 72: OIDC_* that cannot work, such as %j, stop the start with a sentence', (changed, message) => {
  expect(() => readConfig({ ...COMPANY, ...changed })).toThrow(message)
  expect(() => readConfig({ ...COMPANY, ...changed })).not.toThrow(/secret(?!s)\b.*@|a client secret/)
})
