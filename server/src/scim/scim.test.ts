import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import SCIMMY from 'scimmy'
import { beforeAll, describe, expect, vi } from 'vitest'
import { statement } from '../db/db.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { addDomain } from '../testing/company.ts'
import { type Directory, ENTERPRISE, openDirectory, PATCH_OP, type Resource, USER } from '../testing/directory.ts'
import { test as base } from '../testing/test.ts'
import { until } from '../testing/until.ts'
import { scimRoutes } from './routes.ts'
import { removeScimTokens } from './token.ts'

const test = base.extend(
  'ask',
  ({ app }) =>
    (authorization?: string, remoteAddress = '127.0.0.1') =>
      app.inject({ url: '/scim/v2/Users', remoteAddress, ...(authorization && { headers: { authorization } }) }),
)

let directory: Directory
let number = 0
beforeAll(async () => {
  SCIMMY.Schemas.User.extend(SCIMMY.Schemas.EnterpriseUser as never)
})
// Each test has a directory of its own.
test.beforeEach(async ({ app, clock }) => {
  number += 1
  directory = await openDirectory(app, `scim${number}.example`)
  clock.advance({ minutes: 5 })
})

const at = (name: string) => `${name}@${directory.domain}`
const find = (filter: string) => directory.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
const idsOf = ({ body }: Awaited<ReturnType<typeof find>>) => body.Resources.map(({ id }) => id)

/** Reads a resource with an independent implementation, which throws if a member has the wrong type. */
const readByScimmy = (resource: Resource) => JSON.parse(JSON.stringify(new SCIMMY.Schemas.User(resource, 'out')))

describe('the documented requests of Entra', () => {
  /** Entra's user as its documentation has it. */
  const entraUser = () => ({
    schemas: [USER, ENTERPRISE],
    externalId: randomUUID(),
    userName: at('mara.lind'),
    active: true,
    displayName: 'Mara Lind',
    emails: [{ primary: true, type: 'work', value: at('mara.lind') }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Mara Lind', familyName: 'Lind', givenName: 'Mara' },
    roles: [],
    [ENTERPRISE]: { employeeNumber: '701984', department: 'Research', manager: { value: '26118915' } },
  })

  test('the connection test and the first provisioning', async () => {
    const missing = await find(`userName eq "${randomUUID()}"`)
    expect([missing.status, missing.body.totalResults, missing.body.Resources]).toEqual([200, 0, []])
    expect(missing.headers['content-type']).toBe('application/scim+json; charset=utf-8')
    expect(
      (await directory.send('GET', '/Groups?excludedAttributes=members&filter=displayName eq "x"')).body,
    ).toMatchObject({
      totalResults: 0,
      Resources: [],
    })
    const user = entraUser()
    const created = await directory.send('POST', '/Users', user, {
      'content-type': 'application/scim+json; charset=utf-8',
    })
    expect(created.status).toBe(201)
    expect(created.headers.location).toBe(`http://localhost:3000/scim/v2/Users/${created.body.id}`)
    expect(created.body).toMatchObject({
      ...{ schemas: user.schemas, externalId: user.externalId, userName: user.userName, active: true },
      ...{ displayName: 'Mara Lind', name: { familyName: 'Lind', givenName: 'Mara' }, emails: user.emails },
      [ENTERPRISE]: { department: 'Research' },
    })
    expect(readByScimmy(created.body)).toMatchObject(created.body)
    for (const filter of [
      `userName eq "${at('MARA.lind')}"`,
      `userName eq ${at('mara.lind')}`,
      `externalId eq "${user.externalId}"`,
      `emails[type eq "work"].value eq "${at('mara.lind')}"`,
    ]) {
      expect(idsOf(await find(filter))).toEqual([created.body.id])
    }
    expect((await directory.send('GET', `/Users/${created.body.id}`)).body).toEqual(created.body)
  })

  test.each([
    ['without aadOptscim062020', 'Replace', 'Add', 'False', 'True'],
    ['with aadOptscim062020', 'replace', 'add', false, true],
  ])('changes %s', async (_, replace, add, off, on) => {
    const { body: user } = await directory.send('POST', '/Users', entraUser())
    const changed = await directory.patch(
      user.id,
      { op: replace, path: 'displayName', value: 'Mara Lund' },
      { op: replace, path: 'name.familyName', value: 'Lund' },
      { op: add, path: 'name.honorificPrefix', value: 'Dr' },
      { op: replace, path: 'emails[type eq "work"].value', value: at('mara.lund') },
      { op: replace, path: 'emails[type eq "other"].value', value: 'mara@elsewhere.example' },
      { op: add, path: 'roles[primary eq "True"].value', value: 'Reader' },
      { op: add, path: `${ENTERPRISE}:manager`, value: [{ $ref: 'http://x/y', value: 'x' }] },
      { op: add, path: `${ENTERPRISE}:department`, value: 'Sales' },
    )
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      ...{ displayName: 'Mara Lund', name: { givenName: 'Mara', familyName: 'Lund' } },
      emails: [{ value: at('mara.lund'), type: 'work', primary: true }],
      [ENTERPRISE]: { department: 'Sales' },
    })
    const many = {
      ...{ displayName: 'M', 'name.givenName': 'N', [`${ENTERPRISE}:department`]: 'Law' },
      [`${ENTERPRISE}:employeeNumber`]: '7',
    }
    expect((await directory.patch(user.id, { op: replace, value: many })).body).toMatchObject({
      ...{ displayName: 'M', name: { givenName: 'N', familyName: 'Lund' }, [ENTERPRISE]: { department: 'Law' } },
    })
    const disabled = await directory.patch(user.id, { op: replace, path: 'active', value: off })
    expect([disabled.status, disabled.body.active]).toEqual([200, false])
    expect((await find(`userName eq "${at('mara.lind')}"`)).body.Resources[0]?.active).toBe(false)
    expect((await directory.patch(user.id, { op: replace, value: { active: on } })).body.active).toBe(true)
    await directory.patch(user.id, { op: 'Remove', path: `${ENTERPRISE}:department` })
    expect((await directory.send('GET', `/Users/${user.id}`)).body[ENTERPRISE]).toBeUndefined()
    expect((await directory.send('DELETE', `/Users/${user.id}`)).status).toBe(204)
    expect((await directory.send('GET', `/Users/${user.id}`)).status).toBe(404)
  })
})

test('the documented requests of Okta', async ({ app }) => {
  expect((await find(`userName eq "${at('ann')}"`)).body.Resources).toEqual([])
  expect((await directory.send('GET', '/Users?startIndex=1&count=100')).body.Resources).toEqual([])
  const user = {
    schemas: [USER],
    userName: at('ann'),
    name: { givenName: 'Ann', familyName: 'Berg' },
    emails: [{ primary: true, value: at('ann'), type: 'work' }],
    displayName: 'Ann Berg',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const { body: created, status } = await directory.send('POST', '/Users', user)
  expect(status).toBe(201)
  expect(JSON.stringify(created)).not.toContain('1mz050nq')
  expect(
    JSON.stringify(await app.db.query({ name: 'test.scim-rows', text: 'select * from auth.scim_users', names: [] })),
  ).not.toContain('1mz050nq')
  // Okta reads the person, then sends all of it.
  const { body: read } = await directory.send('GET', `/Users/${created.id}`)
  const replaced = await directory.send('PUT', `/Users/${created.id}`, {
    ...read,
    displayName: 'Ann B',
    meta: undefined,
  })
  expect([replaced.status, replaced.body.displayName, replaced.body.externalId]).toEqual([
    200,
    'Ann B',
    user.externalId,
  ])
  const off = await directory.send('PUT', `/Users/${created.id}`, { ...read, active: false })
  expect([off.status, off.body.active]).toEqual([200, false])
  // Without `active` it stays.
  const { active: _, ...rest } = read
  expect((await directory.send('PUT', `/Users/${created.id}`, rest)).body.active).toBe(false)
  const on = await directory.patch(created.id, { op: 'replace', value: { active: true } })
  expect(on.body.active).toBe(true)
})

test('a PUT drops what it does not name', async () => {
  const user = await directory.add(at('ann'), {
    displayName: 'Ann',
    externalId: 'x',
    [ENTERPRISE]: { department: 'Law' },
  })
  const { body } = await directory.send('PUT', `/Users/${user.id}`, { schemas: [USER], userName: 'ann' })
  expect(body).toMatchObject({ userName: 'ann', active: true })
  for (const name of ['displayName', 'externalId', 'emails', ENTERPRISE]) expect(body[name]).toBeUndefined()
})

test('a list has pages in the order of creation', async ({ clock }) => {
  const ids: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    clock.advance({ seconds: 1 })
    ids.push((await directory.add(at(name))).id)
  }
  const page = async (query: string) => {
    const { body, status } = await directory.send('GET', `/Users?${query}`)
    return [status, body.totalResults, body.startIndex, body.itemsPerPage, idsOf({ body } as never)]
  }
  expect(await page('')).toEqual([200, 5, 1, 5, ids])
  expect(await page('startIndex=2&count=2')).toEqual([200, 5, 2, 2, ids.slice(1, 3)])
  expect(await page('startIndex=0&count=0')).toEqual([200, 5, 1, 0, []])
  expect(await page('startIndex=-4&count=-1')).toEqual([200, 5, 1, 0, []])
  expect(await page('startIndex=9&count=9999')).toEqual([200, 5, 9, 0, []])
  const { body } = await directory.send('GET', '/Users')
  const { totalResults, Resources } = new SCIMMY.Messages.ListResponse(body as never)
  expect([totalResults, Resources.length]).toEqual([5, 5])
  expect((await directory.send('GET', '/Users?count=x')).body.scimType).toBe('invalidValue')
  expect((await directory.send('GET', '/Users?filter=a&filter=b')).body.scimType).toBe('invalidFilter')
})

describe('the discovery of what the server supports', () => {
  test('is complete', async () => {
    const { body: config } = await directory.send('GET', '/ServiceProviderConfig')
    expect(config).toMatchObject({ patch: { supported: true }, filter: { supported: true, maxResults: 200 } })
    const { body: types } = await directory.send('GET', '/ResourceTypes')
    expect(types.Resources).toEqual([(await directory.send('GET', '/ResourceTypes/User')).body])
    const { body: schemas } = await directory.send('GET', '/Schemas')
    expect(schemas.Resources.map(({ id }) => id)).toEqual([USER, ENTERPRISE])
    for (const schema of schemas.Resources) {
      expect((await directory.send('GET', `/Schemas/${schema.id}`)).body).toEqual(schema)
    }
  })

  test.each<['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string, number]>([
    ['GET', '/Groups/1', 404],
    ['POST', '/Groups', 501],
    ['PATCH', '/Groups/1', 501],
    ['POST', '/Bulk', 501],
    ['GET', '/Me', 501],
    ['GET', '/Schemas/x', 404],
    ['GET', '/nothing', 404],
    ['GET', '/Users/1', 404],
    ['DELETE', `/Users/${randomUUID()}`, 404],
  ])('%s %s', async (method, path, status) => {
    const answer = await directory.send(method, path, method === 'POST' ? {} : undefined)
    expect([answer.status, answer.body.status]).toEqual([status, String(status)])
  })
})

describe('an error', () => {
  test('a user name is unique in any letter case, within the company only', async ({ app }) => {
    const ann = await directory.add(at('ann'))
    const bea = await directory.add(at('bea'))
    const again = await directory.send('POST', '/Users', { schemas: [USER], userName: at('ANN') })
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness'])
    const taken = await directory.patch(bea.id, { op: 'replace', path: 'userName', value: at('ANN') })
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness'])
    expect((await directory.patch(ann.id, { op: 'replace', path: 'userName', value: at('Ann') })).status).toBe(200)
    const other = await openDirectory(app, `other-${directory.domain}`)
    await other.add(at('ann'))
  })

  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'invalidSyntax'],
    ['no body', undefined, 'invalidSyntax'],
    ['a list', [], 'invalidSyntax'],
    ['no user name', {}, 'invalidValue'],
    ['an empty user name', { userName: ' ' }, 'invalidValue'],
    ['a user name that is no text', { userName: 7 }, 'invalidValue'],
    ['a long user name', { userName: 'x'.repeat(257) }, 'invalidValue'],
    ['a control character', { userName: 'a\u0000b' }, 'invalidValue'],
    ['a lone surrogate', { userName: 'a\ud800b' }, 'invalidValue'],
    ['threat 67: an odd active', { userName: 'x', active: 'no' }, 'invalidValue'],
    ['threat 67: a number as active', { userName: 'x', active: 0 }, 'invalidValue'],
  ])('%s', async (_, payload, scimType) => {
    const answer = await directory.send('POST', '/Users', payload)
    expect([answer.status, answer.body.scimType]).toEqual([400, scimType])
    expect(answer.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error'])
  })

  test.each<[string, unknown, string]>([
    ['no operations', {}, 'invalidSyntax'],
    ['an empty list', { Operations: [] }, 'invalidSyntax'],
    [
      'threat 68: too many operations',
      { Operations: Array.from({ length: 101 }, () => ({ op: 'remove', path: 'displayName' })) },
      'invalidSyntax',
    ],
    ['an operation that is no object', { Operations: ['x'] }, 'invalidSyntax'],
    ['an unknown operation', { Operations: [{ op: 'move', path: 'displayName' }] }, 'invalidSyntax'],
    ['a removal without a path', { Operations: [{ op: 'remove' }] }, 'noTarget'],
    ['no object without a path', { Operations: [{ op: 'add', value: 'x' }] }, 'invalidValue'],
    ['a path that is no text', { Operations: [{ op: 'add', path: 7, value: 'x' }] }, 'invalidPath'],
    [
      'threat 68: a path with SQL',
      { Operations: [{ op: 'add', path: "displayName'; --", value: 'x' }] },
      'invalidPath',
    ],
    ['an unfinished filter', { Operations: [{ op: 'add', path: 'emails[type eq "work"', value: 'x' }] }, 'invalidPath'],
    ['another id', { Operations: [{ op: 'replace', path: 'id', value: 'x' }] }, 'mutability'],
    ['no user name', { Operations: [{ op: 'remove', path: 'userName' }] }, 'mutability'],
    ['threat 67: an odd active', { Operations: [{ op: 'replace', path: 'active', value: 'off' }] }, 'invalidValue'],
    ['threat 67: a list as active', { Operations: [{ op: 'replace', path: 'active', value: [] }] }, 'invalidValue'],
    [
      'an unreadable selector',
      { Operations: [{ op: 'replace', path: 'emails[type ne "home"].value', value: 'x@y.example' }] },
      'invalidPath',
    ],
    [
      'another unreadable selector',
      {
        Operations: [{ op: 'replace', path: 'emails[primary eq true or type eq "work"].value', value: 'x@y.example' }],
      },
      'invalidPath',
    ],
  ])('of a PATCH: %s, and nothing changes', async (_, payload, scimType) => {
    const user = await directory.add(at('ann'))
    const answer = await directory.send('PATCH', `/Users/${user.id}`, payload)
    expect([answer.status, answer.body.scimType]).toEqual([400, scimType])
    expect((await directory.send('GET', `/Users/${user.id}`)).body).toEqual(user)
  })

  test('the first operations of a PATCH with a wrong one change nothing', async () => {
    const user = await directory.add(at('ann'))
    const answer = await directory.patch(
      user.id,
      { op: 'replace', path: 'displayName', value: 'x' },
      { op: 'replace', path: 'active', value: 'off' },
    )
    expect(answer.status).toBe(400)
    expect((await directory.send('GET', `/Users/${user.id}`)).body).toEqual(user)
  })

  test('threat 68: a huge body, another type', async () => {
    const huge = await directory.send('POST', '/Users', { userName: 'x', more: 'x'.repeat(65_536) })
    expect(huge.status).toBe(413)
    const plain = await directory.send('POST', '/Users', 'x', { 'content-type': 'text/plain' })
    expect(plain.status).toBe(415)
  })
})

describe('an attribute of a PATCH', () => {
  test.each<[string, object, object]>([
    ['names in any letter case', { op: 'ADD', path: 'DISPLAYNAME', value: 'x' }, { displayName: 'x' }],
    ['with the address of its schema', { op: 'add', path: `${USER}:displayName`, value: 'x' }, { displayName: 'x' }],
    ['as a list with a value', { op: 'add', path: 'displayName', value: [{ value: 'x' }] }, { displayName: 'x' }],
    [
      'an object of the extension',
      { op: 'add', value: { [ENTERPRISE]: { department: 'x' } } },
      { [ENTERPRISE]: { department: 'x' } },
    ],
    [
      'an added name keeps the other one',
      { op: 'add', path: 'name', value: { givenName: 'x' } },
      { name: { givenName: 'x', familyName: 'B' } },
    ],
    [
      'a replaced name loses the other one',
      { op: 'replace', path: 'name', value: { givenName: 'x' } },
      { name: { givenName: 'x' } },
    ],
    ['a removed name', { op: 'remove', path: 'name' }, { name: undefined }],
    ['null removes a text', { op: 'replace', path: 'displayName', value: null }, { displayName: undefined }],
    ['the same id', { op: 'replace', value: { id: 'OWN', displayName: 'x' } }, { displayName: 'x' }],
    [
      'another address keeps that of work',
      { op: 'add', path: 'emails[type eq "home"]', value: { value: 'a@b.example' } },
      {},
    ],
    [
      'a list of addresses',
      {
        op: 'replace',
        path: 'emails',
        value: [
          { value: 'h@DOMAIN', type: 'home' },
          { value: 'W@DOMAIN', type: 'Work' },
        ],
      },
      { emails: [{ value: 'w@DOMAIN', type: 'work', primary: true }] },
    ],
    ['an added empty list', { op: 'add', path: 'emails', value: [] }, {}],
    ['removed addresses', { op: 'remove', path: 'emails' }, {}],
    ['a text that is no address', { op: 'replace', path: 'emails.value', value: 'x' }, {}],
    ['an address elsewhere', { op: 'replace', path: 'emails.value', value: 'ann@b.example' }, {}],
    ...[
      'primary eq true and type eq "work"',
      'type eq work and primary eq "True"',
      'value eq "ANN@DOMAIN"',
      'display eq "Ann"',
    ].map((selector): [string, object, object] => [
      `the address that ${selector} selects`,
      { op: 'replace', path: `emails[${selector}].value`, value: 'b@DOMAIN' },
      { emails: [{ value: 'b@DOMAIN', type: 'work', primary: true }] },
    ]),
    ['no text as a name', { op: 'replace', path: 'displayName', value: { a: 1 } }, { displayName: undefined }],
    [
      'a name with a tab, too long',
      { op: 'replace', path: 'displayName', value: `A\tB${'x'.repeat(300)}` },
      { displayName: `A B${'x'.repeat(97)}` },
    ],
    ['the type of an address', { op: 'replace', path: 'emails[type eq "work"].type', value: 'home' }, {}],
    ['unknown ones', { op: 'add', path: 'urn:acme:1.0:User:shoe', value: 'x' }, {}],
    ['a password', { op: 'replace', path: 'password', value: 'x' }, {}],
  ])('%s', async (_, operation, expected) => {
    const user = await directory.add(at('ann'), { displayName: 'A', name: { givenName: 'A', familyName: 'B' } })
    const filled = (value: object) =>
      JSON.parse(JSON.stringify(value).replace('OWN', user.id).replaceAll('DOMAIN', directory.domain))
    const { body, status } = await directory.patch(user.id, filled(operation))
    const { meta, ...rest } = { ...user, ...expected }
    expect(status).toBe(200)
    expect(body).toMatchObject(filled({ ...rest, schemas: undefined }))
    for (const [name, value] of Object.entries(expected)) if (value === undefined) expect(body[name]).toBeUndefined()
    // An independent implementation accepts what was stored.
    expect(readByScimmy(body)).toMatchObject(body)
  })

  test('is applied as an independent implementation applies it', async () => {
    const user = await directory.add(at('ann'), { displayName: 'A', name: { givenName: 'A', familyName: 'B' } })
    const Operations = [
      { op: 'replace', path: 'displayName', value: 'x' },
      { op: 'replace', path: 'name.familyName', value: 'y' },
      { op: 'remove', path: 'name.givenName' },
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'emails[type eq "work"].value', value: at('z') },
      { op: 'add', path: `${ENTERPRISE}:department`, value: 'Law' },
    ]
    const { body } = await directory.patch(user.id, ...Operations)
    const model = new SCIMMY.Messages.PatchOp({ schemas: [PATCH_OP], Operations } as never)
    const applied = await model.apply(
      new SCIMMY.Schemas.User(user as never),
      (async (changed: unknown) => changed) as never,
    )
    const { meta, schemas, ...expected } = JSON.parse(JSON.stringify(applied))
    expect(body).toMatchObject(expected)
  })
})

describe('threat 69: the token of a directory', () => {
  test('is the only way in, and is refused in the shape of SCIM', async ({ app, ask }) => {
    for (const authorization of [
      undefined,
      'Bearer',
      'Bearer x',
      `Bearer ${directory.token}x`,
      `Basic ${directory.token}`,
    ]) {
      const answer = await ask(authorization)
      expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(answer.json()).toMatchObject({ status: '401', detail: 'The token is not valid.' })
    }
    for (const url of ['/scim/v2/ServiceProviderConfig', '/scim/v2/Bulk', '/scim/v2/nothing', '/scim/v2/']) {
      expect((await app.inject({ url })).statusCode).toBe(401)
    }
  })

  test('is stored as a hash', async ({ app }) => {
    const rows = await app.db.query({
      name: 'test.scim-tokens',
      text: 'select to_jsonb(t)::text as row from auth.scim_tokens as t',
      names: [],
    })
    for (const secret of [directory.token, directory.token.slice(10)])
      expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('threat 112: wrong ones are limited per network before the database is asked, and never delay one that was right', async ({
    app,
    clock,
    ask,
  }) => {
    const wrong = `Bearer deeb_scim_${'x'.repeat(43)}`
    const right = `Bearer ${directory.token}`
    // Right ones cost nothing.
    for (let n = 0; n < 35; n++) expect((await ask(right, '192.0.2.9')).statusCode).toBe(200)
    const statuses: number[] = []
    for (let n = 0; n < 40; n++) statuses.push((await ask(wrong, '192.0.2.9')).statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
    const spy = vi.spyOn(app.db, 'query')
    expect((await ask(wrong, '192.0.2.9')).statusCode).toBe(429)
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
    expect((await ask(right, '192.0.2.9')).statusCode).toBe(200)
    clock.advance({ minutes: 5 })
  })

  test('threat 114: after a restart, neither wrong tokens from its network nor its own concurrent requests delay a directory', async ({
    app,
    clock,
    ask,
  }) => {
    const wrong = `Bearer deeb_scim_${'y'.repeat(43)}`
    for (let n = 0; n < 31; n++) await ask(wrong, '192.0.2.11')
    const restarted = Fastify()
    restarted.register((scope) => scimRoutes(scope, app.auth), { prefix: '/scim/v2' })
    const request = {
      url: '/scim/v2/Users',
      headers: { authorization: `Bearer ${directory.token}` },
      remoteAddress: '192.0.2.11',
    }
    const answers = await Promise.all(Array.from({ length: 40 }, () => restarted.inject(request)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
    await restarted.close()
    clock.advance({ minutes: 5 })
  })

  test('threat 112: one that was right and ended counts like any wrong one', async ({ app, clock, ask }) => {
    const right = `Bearer ${directory.token}`
    expect((await ask(right, '192.0.2.10')).statusCode).toBe(200)
    await removeScimTokens(app.db, directory.domain, clock.now())
    for (let n = 0; n < 31; n++) expect((await ask(right, '192.0.2.10')).statusCode).toBe(401)
    expect((await ask(right, '192.0.2.10')).statusCode).toBe(429)
    clock.advance({ minutes: 5 })
  })

  test('a directory has a limit of its own', async ({ app, clock }) => {
    const rule = LIMITS.scim
    for (let n = 10; n < rule.burst; n++) app.auth.limitStore.take(rule, directory.providerId, clock.now())
    const answers = await Promise.all(Array.from({ length: 20 }, () => directory.send('GET', '/ResourceTypes/User')))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toBe('1')
    const other = await openDirectory(app, `other-${directory.domain}`)
    expect((await other.send('GET', '/Users')).status).toBe(200)
  })
})

describe('threat 102: a directory', () => {
  test('has at most two running changes and 500 waiting ones', async ({ app }) => {
    const nothing = () => directory.send('DELETE', `/Users/${randomUUID()}`)
    // The token is known from now on.
    expect((await nothing()).status).toBe(404)
    const { transaction } = app.db
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const spy = vi.spyOn(app.db, 'transaction').mockImplementation(async (work) => {
      await gate
      return transaction(work)
    })
    const answers = Array.from({ length: 520 }, nothing)
    const statuses: number[] = []
    for (const answer of answers) void answer.then(({ status }) => statuses.push(status))
    await until(() => statuses.length === 18)
    expect(spy).toHaveBeenCalledTimes(2)
    release()
    await Promise.all(answers)
    spy.mockRestore()
    expect(statuses.filter((status) => status === 503)).toHaveLength(18)
    expect((await nothing()).status).toBe(404)
  })

  test('keeps at most 100,000 people', async ({ app }) => {
    const fill = statement(
      'test.fill-directory',
      `insert into auth.scim_users (id, provider_id, user_name, active, created_at, updated_at)
      select gen_random_uuid(), :providerId, 'person ' || n, true, now(), now() from generate_series(1, 99999) as n`,
    )
    await app.db.query(fill, { providerId: directory.providerId })
    await directory.add(at('ann'))
    const refused = await directory.send('POST', '/Users', { userName: at('bea') })
    expect([refused.status, refused.body.detail]).toEqual([403, 'This directory has too many people.'])
    expect(idsOf(await find(`userName eq "${at('ANN')}"`))).toHaveLength(1)
  })
})

test('the domains of a company can change without its directory', async ({ app }) => {
  await addDomain(app.db, `second-${directory.domain}`, directory.providerId)
  await directory.add(`ann@second-${directory.domain}`)
  expect((await find('active eq True and userName eq "nobody"')).body.totalResults).toBe(0)
  expect((await find('active eq true')).body.totalResults).toBe(1)
})
