import { randomBytes, randomUUID } from 'node:crypto'
import { deleteAccount, updateUsername } from '@deeb/core/account/api'
import { changeCircleLink, hidePerson, leaveCircle, readCircles } from '@deeb/core/circles/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { createInvitation, readInvitation } from '@deeb/core/invitations/api'
import { describe, expect } from 'vitest'
import { blockUser } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { makeCircle } from '../testing/circles.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { withoutLimits } from '../testing/without-limits.ts'
import { roughly } from './roughly.ts'

const test = base
  .extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })
  .extend('office', async ({ app }) => {
    const domain = `${randomUUID().slice(0, 8)}.example`
    const mara = await makeUser(app, { email: `mara.lind@${domain}` })
    const colleagues = (count: number) =>
      Promise.all(Array.from({ length: count }, () => makeUser(app, { email: `${randomUUID()}@${domain}` })))
    /** The signature of the company's link. */
    const invite = async (user: MadeUser) => (await app.call(createInvitation, {}, user)).body.signature
    async function read(invite: string) {
      const answer = await app.inject({ method: 'POST', url: readInvitation.path, payload: { invite } })
      return { status: answer.statusCode, body: answer.json<OutputOf<typeof readInvitation>>() }
    }
    /** The fragment of a circle's link that this member sends. */
    async function linkOf(user: MadeUser): Promise<string> {
      const { circles } = (await app.call(readCircles, {}, user)).body
      return `${circles[0]?.invite}${circles[0]?.signature}`
    }
    function move(user: MadeUser, domain: string) {
      const moved = { userId: user.userId, email: `${randomUUID()}@${domain}` }
      const policy = { freeMailDomains: new Set<string>(), companyDomains: null }
      return app.db.transaction((db) => moveProfile(db, moved, policy, app.clock.now()))
    }
    return { domain, mara, colleagues, invite, read, linkOf, move }
  })

const deactivate = statement('test.deactivate', 'update auth.users set deactivated_at = now() where id = :userId')
const random = (bytes: number) => randomBytes(bytes).toString('base64url')

describe('the link of a company', () => {
  test('names who sent it, the domain, and no number for a few people', async ({ office }) => {
    const signature = await office.invite(office.mara)
    expect(signature).toMatch(/^[\w-]{48}$/)
    const { status, body } = await office.read(`#${signature}`)
    expect([status, body]).toEqual([200, { inviter: 'Mara', circle: null, domain: office.domain, people: null }])
  })

  test('names the username of somebody without a first name, and nobody without either', async ({ app, office }) => {
    const [cleo] = (await office.colleagues(1)) as [MadeUser]
    const signature = await office.invite(cleo)
    expect((await office.read(signature)).body.inviter).toBeNull()
    const username = random(12)
    await app.call(updateUsername, { username }, cleo)
    expect((await office.read(signature)).body.inviter).toBe(username)
  })

  test('says about how many, without accounts that are switched off', async ({ app, office }) => {
    const [first, ...others] = (await office.colleagues(29)) as [MadeUser, ...MadeUser[]]
    const signature = await office.invite(first)
    expect([20]).toContain((await office.read(signature)).body.people)
    for (const { userId } of others) await app.db.query(deactivate, { userId })
    expect((await office.read(signature)).body.people).toBeNull()
  })

  test('ends after 30 days', async ({ app, office }) => {
    const signature = await office.invite(office.mara)
    app.clock.advance({ seconds: 30 * 24 * 3600 - 1 })
    expect((await office.read(signature)).status).toBe(200)
    app.clock.advance({ seconds: 24 * 3600 + 1 })
    expect((await office.read(signature)).status).toBe(404)
  })

  test('threat 270: ends when its sender leaves the company, is switched off or deletes the account', async ({
    app,
    office,
  }) => {
    const [mover, off, blocked, gone] = (await office.colleagues(4)) as [MadeUser, MadeUser, MadeUser, MadeUser]
    const signatures = await Promise.all([mover, off, blocked, gone].map(office.invite))
    await office.move(mover, 'elsewhere.example')
    await app.db.query(deactivate, { userId: off.userId })
    await blockUser(app.db, blocked.email, app.clock.now())
    await app.call(deleteAccount, { password: PASSWORD }, gone)
    for (const signature of signatures) expect((await office.read(signature)).status).toBe(404)
    // The link does not invite to the other company either, but works again after a return.
    await office.move(mover, office.domain)
    expect((await office.read(signatures[0] ?? '')).body.domain).toBe(office.domain)
  })

  test('is refused without a company', async ({ app }) => {
    const solo = await makeUser(app, { email: `${randomUUID()}@gmail.com` })
    expect(await app.call(createInvitation, {}, solo)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('the link of a circle', () => {
  test('names the member who sent it, by whom it cannot be changed', async ({ app, office }) => {
    const [jonas] = (await office.colleagues(1)) as [MadeUser]
    const { invite } = await makeCircle(app, [office.mara, jonas])
    const expected = { inviter: 'Mara', circle: 'Backend', domain: office.domain, people: null }
    expect((await office.read(await office.linkOf(office.mara))).body).toEqual(expected)
    // Without a signature, or with one of the company or of another circle, it names nobody.
    const second = await makeCircle(app, [office.mara], 'Choir')
    const { circles } = (await app.call(readCircles, {}, office.mara)).body
    const ofOther = circles.find(({ id }) => id === second.circleId)?.signature ?? ''
    for (const signature of ['', await office.invite(office.mara), ofOther, random(36)]) {
      expect((await office.read(invite + signature)).body).toEqual({ ...expected, inviter: null })
    }
    // A signature for a circle invites to no company.
    expect((await office.read(ofOther)).status).toBe(404)
  })

  test('threat 271: shows neither that a member hides nor that one leaves', async ({ app, office }) => {
    const [ben, eve] = (await office.colleagues(2)) as [MadeUser, MadeUser]
    await makeCircle(app, [office.mara, ben, eve])
    const link = await office.linkOf(office.mara)
    const before = (await office.read(link)).body
    await app.call(hidePerson, { userId: ben.userId, isHidden: true }, office.mara)
    expect((await office.read(link)).body).toEqual(before)
    const circleId = (await app.call(readCircles, {}, office.mara)).body.circles[0]?.id ?? ''
    await app.call(leaveCircle, { circleId }, office.mara)
    expect((await office.read(link)).body).toEqual(before)
  })

  test('ends when the keeper replaces it', async ({ app, office }) => {
    const { circleId } = await makeCircle(app, [office.mara])
    const link = await office.linkOf(office.mara)
    await app.call(changeCircleLink, { circleId, isOpen: true }, office.mara)
    expect((await office.read(link)).status).toBe(404)
    expect((await office.read(await office.linkOf(office.mara))).status).toBe(200)
  })
})

test('threat 272: wrong, old and ended links have the same answer, which no cache keeps', async ({ app, office }) => {
  const { circleId, invite } = await makeCircle(app, [office.mara])
  await app.call(changeCircleLink, { circleId, isOpen: false }, office.mara)
  const forged = Buffer.from(await office.invite(office.mara), 'base64url')
  forged[35] = (forged[35] ?? 0) ^ 1
  const links = [
    ...[invite, forged.toString('base64url'), random(16), random(36), random(52)],
    ...['', '#', 'x', `${invite}x`, 'A'.repeat(48), '-'.repeat(70), '💥'.repeat(20)],
  ]
  const answers = await Promise.all(
    links.map((invite) => app.inject({ method: 'POST', url: readInvitation.path, payload: { invite } })),
  )
  const shown = answers.map(({ statusCode, headers, body }) => {
    return [statusCode, headers['cache-control'], { ...JSON.parse(body), requestId: undefined }]
  })
  for (const answer of shown) expect(answer).toEqual(shown[0])
  expect(shown[0]?.slice(0, 2)).toEqual([404, 'no-store'])
})

describe('roughly', () => {
  const key = Buffer.alloc(32, 1)
  const subjects = Array.from({ length: 200 }, (_, n) => `circle ${n}`)

  test('never shows a few people, shows a step that others exceed, and the same one each time', () => {
    for (const subject of subjects) {
      for (const count of [0, 1, 2, 3, 4, 5]) expect(roughly(count, key, subject)).toBeNull()
      expect(roughly(300, key, subject)).toBe(200)
      for (let count = 7; count < 100; count++) {
        const shown = roughly(count, key, subject) ?? 0
        expect([count, shown, shown < count && count < 4 * shown]).toEqual([count, shown, true])
        expect(roughly(count, key, subject)).toBe(shown)
      }
    }
  })

  test('no number of people tells where the next step begins', () => {
    for (const count of [6, 12, 24, 60]) {
      expect(new Set(subjects.map((subject) => roughly(count, key, subject))).size).toBe(2)
    }
  })
})
