import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CompanyConfig } from '../../config/company-config.ts'
import { deriveKeys } from '../../config/keys.ts'
import { statement } from '../../db/db.ts'
import { type CompanyBed, KEY, openCompanyBed, refusalOf } from '../../testing/company-bed.ts'
import { signIn } from '../../testing/factors.ts'
import { CLIENT } from '../../testing/identity-provider.ts'
import { makeUser } from '../../testing/make.ts'
import { applyCompanySettings, type Company, readCompanies, removeCompany } from './configure.ts'
import { findProvider, openSecret, sealSecret } from './provider.ts'

let bed: CompanyBed
beforeAll(async () => {
  bed = await openCompanyBed()
})
afterAll(() => bed.close())

const settings = (changed: Partial<CompanyConfig> = {}): CompanyConfig => ({
  issuer: bed.provider.issuer,
  clientId: 'from-settings',
  clientSecret: CLIENT.secret,
  domains: ['acme.example', 'acme.test'],
  name: 'Acme',
  onlySso: false,
  trustsEmail: false,
  ...changed,
})

function apply(company: CompanyConfig | null): Promise<string[]> {
  return applyCompanySettings(bed.auth, company, bed.auth.now())
}

async function fromSettings(): Promise<Company[]> {
  return (await readCompanies(bed.auth.db)).filter(({ isFromSettings }) => isFromSettings)
}

const readSettings = async () => (await bed.app.inject({ url: '/auth/v1/settings' })).json()

describe('the company of the settings', () => {
  test('is a row of the database, which a start with other settings changes', async () => {
    await Promise.all([apply(settings()), apply(settings())])
    const [first, ...more] = await fromSettings()
    expect([first, more]).toMatchObject([
      {
        key: 'acme.example',
        name: 'Acme',
        isDisabled: false,
        domains: [{ domain: 'acme.example' }, { domain: 'acme.test' }],
      },
      [],
    ])
    expect((await readSettings()).sso).toEqual({ name: 'Acme', domain: 'acme.example', only: false })
    await apply(settings({ name: 'Acme Ltd', domains: ['acme.test'], trustsEmail: true }))
    expect(await fromSettings()).toMatchObject([
      { id: first?.id, key: 'acme.test', name: 'Acme Ltd', trustsEmail: true, domains: [{ domain: 'acme.test' }] },
    ])
    await apply(settings())
  })

  test('stays as it is when nothing changed, so that clients are kept', async () => {
    const before = await findProvider(bed.auth.db, { key: 'acme.example' })
    await apply(settings())
    expect(await findProvider(bed.auth.db, { key: 'acme.example' })).toEqual(before)
    await apply(settings({ clientSecret: 'another secret' }))
    const after = await findProvider(bed.auth.db, { key: 'acme.example' })
    expect(after?.updatedAt).not.toEqual(before?.updatedAt)
    if (!after) throw new Error('There is no provider.')
    expect(await openSecret(bed.auth.db, bed.auth.keys, after)).toBe('another secret')
    await apply(settings())
  })

  test('signs out those who signed in another way, once, when it becomes the only way', async () => {
    const { email } = await makeUser(bed, { email: `${randomUUID()}@acme.example` })
    const device = await signIn(bed, email)
    expect(await apply(settings({ onlySso: true }))).toHaveLength(2)
    expect(refusalOf(await device.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    await expect(signIn(bed, email)).rejects.toMatchObject({ code: 'user_sso_managed' })
    expect(await apply(settings({ onlySso: true }))).toEqual([])
    expect((await readSettings()).sso).toMatchObject({ only: true })
    await apply(settings())
  })

  test('is the only way again after a start without it, for those too who signed in another way since then', async () => {
    const { email } = await makeUser(bed, { email: `${randomUUID()}@acme.example` })
    await apply(settings({ onlySso: true }))
    await apply(null)
    const device = await signIn(bed, email)
    expect(await apply(settings({ onlySso: true }))).toHaveLength(1)
    expect(refusalOf(await device.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    await apply(settings())
  })

  test('is switched off without the settings, and its sessions end; later it is the same again', async () => {
    const [{ id } = { id: '' }] = await fromSettings()
    const { userId } = await makeUser(bed)
    const open = statement(
      'test.company-session-of',
      `insert into auth.sessions (id, user_id, amr, created_at, refreshed_at, not_after, sso_provider_id)
      values (gen_random_uuid(), :userId, '[]', now(), now(), now() + interval '1 day', :id)`,
    )
    await bed.auth.db.query(open, { userId, id })
    expect(await apply(null)).toHaveLength(1)
    expect(await apply(null)).toEqual([])
    expect(await readSettings()).toMatchObject({ sso: null, sso_enabled: true })
    expect(refusalOf(await bed.begin(bed.newTab(), { domain: 'acme.example' }))).toEqual([
      404,
      'sso_provider_not_found',
    ])
    await apply(settings())
    expect(await fromSettings()).toMatchObject([{ id, isDisabled: false }])
  })

  test('threat 57: is another row with another issuer, which takes key and domains', async () => {
    const [{ id } = { id: '' }] = await fromSettings()
    await apply(settings({ issuer: 'https://login.other.example' }))
    const [old, current] = await fromSettings()
    expect([old, current]).toMatchObject([
      { id, key: id, isDisabled: true, domains: [] },
      { key: 'acme.example', isDisabled: false, domains: [{ domain: 'acme.example' }, { domain: 'acme.test' }] },
    ])
    await removeCompany(bed.auth.db, current?.id ?? '', bed.auth.now())
    await apply(settings())
    expect(await fromSettings()).toMatchObject([{ id, key: 'acme.example', isDisabled: false }])
  })

  test.each<[string, Partial<CompanyConfig>, string]>([
    [
      'a domain of free email',
      { domains: ['acme.example', 'gmail.com'] },
      'OIDC_DOMAINS: gmail.com is a domain of free email',
    ],
    ['a domain of the admin command', { domains: ['acme.example', KEY] }, `${KEY} belongs to the company "${KEY}"`],
    ['its client', { clientId: CLIENT.id }, 'The identity provider of OIDC_ISSUER belongs to the company'],
  ])('takes %s from nobody, and does not start', async (_, changed, message) => {
    await expect(apply(settings(changed))).rejects.toThrow(message)
    expect(await fromSettings()).toMatchObject([{ isDisabled: false }])
  })
})

test('threat 71: a client secret survives a rotation of the server secret, and is encrypted again', async () => {
  const [oldSecret, secret] = [randomBytes(32), randomBytes(32)]
  const [before, during, after] = await Promise.all([
    deriveKeys(oldSecret),
    deriveKeys(secret, oldSecret),
    deriveKeys(secret),
  ])
  const { db } = bed.auth
  const seal = statement('test.seal-secret', 'update auth.sso_providers set client_secret = :sealed where id = :id')
  const open = async (keys: typeof after) => {
    const provider = await findProvider(db, { id: bed.providerId })
    return provider && openSecret(db, keys, provider)
  }
  await db.query(seal, { id: bed.providerId, sealed: sealSecret(before, bed.providerId, CLIENT.secret) })
  await expect(open(after)).rejects.toThrow('cannot be decrypted')
  expect(await open(during)).toBe(CLIENT.secret)
  expect(await open(after)).toBe(CLIENT.secret)
})
