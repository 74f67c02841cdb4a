import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { CompanyConfig } from '../../config/company-config.ts'
import { deriveKeys } from '../../config/keys.ts'
import { statement } from '../../db/db.ts'
import { KEY, refusalOf } from '../../testing/company-app.ts'
import { signIn } from '../../testing/factors.ts'
import { CLIENT } from '../../testing/identity-provider.ts'
import { makeUser } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { applyCompanySettings, type Company, readCompanies, removeCompany } from './configure.ts'
import { findProvider, openSecret, sealSecret } from './provider.ts'

const test = base.extend('service', { scope: 'file' }, ({ sso }) => {
  const settings = (changed: Partial<CompanyConfig> = {}): CompanyConfig => ({
    issuer: sso.provider.issuer,
    clientId: 'from-settings',
    clientSecret: CLIENT.secret,
    domains: ['acme.example', 'acme.test'],
    name: 'Acme',
    onlySso: false,
    trustsEmail: false,
    ...changed,
  })
  function apply(company: CompanyConfig | null): Promise<string[]> {
    return applyCompanySettings(sso.auth, company, sso.auth.now())
  }
  async function fromSettings(): Promise<Company[]> {
    return (await readCompanies(sso.auth.db)).filter(({ isFromSettings }) => isFromSettings)
  }
  const readSettings = async () => (await sso.app.inject({ url: '/auth/v1/settings' })).json()
  return { settings, apply, fromSettings, readSettings }
})

describe('the company of the settings', () => {
  test('is a row of the database, which a start with other settings changes', async ({ service }) => {
    await Promise.all([service.apply(service.settings()), service.apply(service.settings())])
    const [first, ...more] = await service.fromSettings()
    expect([first, more]).toMatchObject([
      {
        key: 'acme.example',
        name: 'Acme',
        isDisabled: false,
        domains: [{ domain: 'acme.example' }, { domain: 'acme.test' }],
      },
      [],
    ])
    expect((await service.readSettings()).sso).toEqual({ name: 'Acme', domain: 'acme.example', only: false })
    await service.apply(service.settings({ name: 'Acme Ltd', domains: ['acme.test'], trustsEmail: true }))
    expect(await service.fromSettings()).toMatchObject([
      { id: first?.id, key: 'acme.test', name: 'Acme Ltd', trustsEmail: true, domains: [{ domain: 'acme.test' }] },
    ])
    await service.apply(service.settings())
  })

  test('stays as it is when nothing changed, so that clients are kept', async ({ sso, service }) => {
    const before = await findProvider(sso.auth.db, { key: 'acme.example' })
    await service.apply(service.settings())
    expect(await findProvider(sso.auth.db, { key: 'acme.example' })).toEqual(before)
    await service.apply(service.settings({ clientSecret: 'another secret' }))
    const after = await findProvider(sso.auth.db, { key: 'acme.example' })
    expect(after?.updatedAt).not.toEqual(before?.updatedAt)
    if (!after) throw new Error('There is no provider.')
    expect(await openSecret(sso.auth.db, sso.auth.keys, after)).toBe('another secret')
    await service.apply(service.settings())
  })

  test('signs out those who signed in another way, once, when it becomes the only way', async ({ sso, service }) => {
    const { email } = await makeUser(sso, { email: `${randomUUID()}@acme.example` })
    const device = await signIn(sso, email)
    expect(await service.apply(service.settings({ onlySso: true }))).toHaveLength(2)
    expect(refusalOf(await device.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    await expect(signIn(sso, email)).rejects.toMatchObject({ code: 'user_sso_managed' })
    expect(await service.apply(service.settings({ onlySso: true }))).toEqual([])
    expect((await service.readSettings()).sso).toMatchObject({ only: true })
    await service.apply(service.settings())
  })

  test('signs out, after a start without it, those who signed in another way since then', async ({ sso, service }) => {
    const { email } = await makeUser(sso, { email: `${randomUUID()}@acme.example` })
    await service.apply(service.settings({ onlySso: true }))
    await service.apply(null)
    const device = await signIn(sso, email)
    expect(await service.apply(service.settings({ onlySso: true }))).toHaveLength(1)
    expect(refusalOf(await device.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    await service.apply(service.settings())
  })

  test('is switched off and its sessions end when the settings are missing; later it is the same again', async ({
    sso,
    service,
  }) => {
    const [{ id } = { id: '' }] = await service.fromSettings()
    const { userId } = await makeUser(sso)
    const open = statement(
      'test.company-session-of',
      `insert into auth.sessions (id, user_id, amr, created_at, refreshed_at, not_after, sso_provider_id)
      values (gen_random_uuid(), :userId, '[]', now(), now(), now() + interval '1 day', :id)`,
    )
    await sso.auth.db.query(open, { userId, id })
    expect(await service.apply(null)).toHaveLength(1)
    expect(await service.apply(null)).toEqual([])
    expect(await service.readSettings()).toMatchObject({ sso: null, sso_enabled: true })
    expect(refusalOf(await sso.begin(sso.newTab(), { domain: 'acme.example' }))).toEqual([
      404,
      'sso_provider_not_found',
    ])
    await service.apply(service.settings())
    expect(await service.fromSettings()).toMatchObject([{ id, isDisabled: false }])
  })

  test('threat 57: is another row with another issuer, which takes key and domains', async ({ sso, service }) => {
    const [{ id } = { id: '' }] = await service.fromSettings()
    await service.apply(service.settings({ issuer: 'https://login.other.example' }))
    const [old, current] = await service.fromSettings()
    expect([old, current]).toMatchObject([
      { id, key: id, isDisabled: true, domains: [] },
      { key: 'acme.example', isDisabled: false, domains: [{ domain: 'acme.example' }, { domain: 'acme.test' }] },
    ])
    await removeCompany(sso.auth.db, current?.id ?? '', sso.auth.now())
    await service.apply(service.settings())
    expect(await service.fromSettings()).toMatchObject([{ id, key: 'acme.example', isDisabled: false }])
  })

  test.for<[string, Partial<CompanyConfig>, string]>([
    [
      'a domain of free email',
      { domains: ['acme.example', 'gmail.com'] },
      'OIDC_DOMAINS: gmail.com is a domain of free email',
    ],
    ['a domain of the admin command', { domains: ['acme.example', KEY] }, `${KEY} belongs to the company "${KEY}"`],
    ['its client', { clientId: CLIENT.id }, 'The identity provider of OIDC_ISSUER belongs to the company'],
  ])('takes %s from nobody, and does not start', async ([_, changed, message], { service }) => {
    await expect(service.apply(service.settings(changed))).rejects.toThrow(message)
    expect(await service.fromSettings()).toMatchObject([{ isDisabled: false }])
  })
})

test('threat 71: a client secret survives a rotation of the server secret, and is encrypted again', async ({ sso }) => {
  const [oldSecret, secret] = [randomBytes(32), randomBytes(32)]
  const [before, during, after] = await Promise.all([
    deriveKeys(oldSecret),
    deriveKeys(secret, oldSecret),
    deriveKeys(secret),
  ])
  const { db } = sso.auth
  const seal = statement('test.seal-secret', 'update auth.sso_providers set client_secret = :sealed where id = :id')
  const open = async (keys: typeof after) => {
    const provider = await findProvider(db, { id: sso.providerId })
    return provider && openSecret(db, keys, provider)
  }
  await db.query(seal, { id: sso.providerId, sealed: sealSecret(before, sso.providerId, CLIENT.secret) })
  await expect(open(after)).rejects.toThrow('cannot be decrypted')
  expect(await open(during)).toBe(CLIENT.secret)
  expect(await open(after)).toBe(CLIENT.secret)
})
