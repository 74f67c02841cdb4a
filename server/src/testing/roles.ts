import { randomBytes, randomUUID } from 'node:crypto'
import { prove } from '@deeb/core/account/api'
import { allowKnocks } from '@deeb/core/alerts/knock-api'
import { createCalendarLink } from '@deeb/core/calendar/api'
import { createCase } from '@deeb/core/cases/api'
import { createCircle, hidePerson, joinCircle, leaveCircle } from '@deeb/core/circles/api'
import { startFocus } from '@deeb/core/focus/api'
import { SCOPES, type Scope } from '@deeb/core/scopes'
import { requestConnection } from '@deeb/core/team/api'
import { testWebhook } from '@deeb/core/webhooks/api'
import { v7 as uuidv7 } from 'uuid'
import { statement } from '../db/db.ts'
import { closeOpenSession } from '../focus/close-open.ts'
import { unsubscribeUrl } from '../reminders/unsubscribe-link.ts'
import { addCompany, connectIdentity } from './company.ts'
import { authSessionOf, type MadeUser, makeConnection, makePersonalToken, makeUser, PASSWORD } from './make.ts'
import { freshToken, type TestApp } from './test-app.ts'
import { addWebhook } from './webhooks.ts'

/**
 * The roles of a caller in relation to Ann, for the tests of authorization. Every caller knows the link of her circle. A newcomer
 * joined it less than 24 hours ago, a member is visible in it, and from a hidden one Ann hides. Her circle and a connection may knock at her. A former one has created it and left.
 */
export const ROLES = [
  'nobody',
  'unverified',
  'stranger',
  'colleague',
  'requester',
  'receiver',
  'connection',
  'former',
  'newcomer',
  'member',
  'hidden',
  'oneself',
] as const
export type Role = (typeof ROLES)[number]

/** Programs of Ann: the scopes of their personal access tokens. */
export const PROGRAMS = {
  withoutScope: [],
  mySwitch: ['switch'],
  myRead: ['read'],
  myTeam: ['team'],
  mySign: ['sign'],
} as const satisfies Record<string, readonly Scope[]>
export type Program = keyof typeof PROGRAMS

/** Ann's data that a call can name. */
export interface AnnsData {
  userId: string
  email: string
  openSessionId: string
  /** Ended by the server after 16 hours. */
  endedSessionId: string
  /** The id of a press of `interrupted?` in the open session. The ended session has ANNS_INTERRUPTIONS. */
  pressId: string
  factorId: string
  passkeyId: string
  /** Her account at the identity provider of her company. */
  identityId: string
  authSessionId: string
  tokenId: string
  /** The request or connection between Ann and the caller; without one, a request from another person to Ann. */
  requestId: string
  /** The same; without one, a connection of Ann with another person. */
  connectionId: string
  /** The circle that Ann keeps, and the secret of its link. */
  circleId: string
  invite: string
  /** The sign of that circle, to which Ann agreed. */
  signId: string
  /** A code of Ann for her case. */
  caseId: string
  caseCode: string
  /** Path and query of the link that stops emails to Ann. */
  unsubscribePath: string
  /** The path of the link of Ann's calendar. */
  calendarPath: string
  /** A webhook of Ann, and a message to it. */
  webhookId: string
  deliveryId: string
}

export interface Scene {
  ann: MadeUser
  data: AnnsData
  /** The access token of the caller, or null. */
  token: string | null
  /** The caller's own data; invented for a caller without an account. */
  caller: { userId: string; email: string }
}

/** The end of the timestamp at which Ann's open focus session started. No other timestamp has this second. */
export const ANNS_SECOND = ':17.000Z'

/** The count of interruptions of Ann's ended session. No other number of a response is the same. */
export const ANNS_INTERRUPTIONS = 83

/** Creates Ann with data of every kind, and a caller with this role. */
export async function setScene(testApp: TestApp, role: Role): Promise<Scene> {
  // A company of few people: all of them are suggested to each other.
  const company = `${randomUUID().slice(0, 8)}.example`
  const join = () => makeUser(testApp, { email: `${randomUUID()}@${company}` })
  const ann = await join()
  // While her sign-in is new: a factor asks for a recent one.
  const factorId = await enroll(testApp, ann)
  const calendarPath = new URL((await testApp.call(createCalendarLink, {}, ann)).body.url).pathname
  const { id: webhookId } = await addWebhook(testApp, ann, { url: 'https://hooks.example.com/' })
  const early = role === 'former' || role === 'member' || role === 'hidden' ? await join() : null
  const [first, second] = role === 'former' && early ? [early, ann] : [ann, early]
  const circle = (await testApp.call(createCircle, { name: 'Backend' }, first)).body
  testApp.clock.advance({ seconds: 1 })
  if (second) await testApp.call(joinCircle, circle, second)
  testApp.clock.advance({ hours: 24 })
  // Then Ann is the keeper: of those who are in the circle, she joined first.
  if (role === 'former') await testApp.call(leaveCircle, circle, first)
  const endedSessionId = await forgetSession(testApp, ann)
  const other = await join()
  const othersRequest = await ask(testApp, other, ann)
  const othersConnection = await makeConnection(testApp, await join(), ann)
  const passkeyId = await storePasskey(testApp, ann)
  const providerId = await addCompany(testApp.db, company)
  const identityId = await connectIdentity(testApp.db, { userId: ann.userId, providerId })
  await testApp.db.query(insertChat, { userId: ann.userId, now: testApp.clock.now() })
  const { id: tokenId } = await makePersonalToken(testApp, ann, SCOPES)
  const openSessionId = uuidv7()
  // A later minute, so that all timestamps of a scene are distinct.
  testApp.clock.advance({ minutes: 1 })
  testApp.clock.set(
    testApp.clock
      .now()
      .toISOString()
      .replace(/:\d\d\.\d{3}Z$/, ANNS_SECOND),
  )
  await testApp.call(startFocus, { sessionId: openSessionId, timeZone: 'UTC' }, ann)
  const pressId = randomUUID()
  await testApp.db.query(interrupt, { userId: ann.userId, openSessionId, endedSessionId, pressId })
  testApp.clock.advance({ seconds: 34 })
  // Within an hour, further reads change nothing.
  await testApp.app.inject(calendarPath)
  const { id: caseId, code: caseCode } = (await testApp.call(createCase, {}, ann)).body
  const { deliveryId } = (await testApp.call(testWebhook, { id: webhookId }, ann)).body
  const { token, caller, between } = await enter(testApp, role, ann, join, circle, early)
  await testApp.call(allowKnocks, { id: circle.circleId, isAllowed: true }, ann)
  if (role === 'connection') await testApp.call(allowKnocks, { id: between ?? '', isAllowed: true }, ann)
  const data = {
    ...{ userId: ann.userId, email: ann.email, openSessionId, endedSessionId, pressId, factorId },
    ...{ passkeyId, identityId, authSessionId: authSessionOf(ann), tokenId },
    requestId: between ?? othersRequest,
    connectionId: between ?? othersConnection,
    ...circle,
    signId: await storeSign(testApp, ann, circle.circleId),
    ...{ caseId, caseCode },
    unsubscribePath: unsubscribeUrl({ publicUrl: '' }, testApp.auth.keys, ann.userId),
    ...{ calendarPath, webhookId, deliveryId },
  }
  return { ann, data, token, caller }
}

const interrupt = statement(
  'test.interrupt',
  `with pressed as (
    insert into interruption_presses (user_id, id, session_id, counts) values (:userId, :pressId, :openSessionId, true)
  )
  update deeb_sessions set interruptions = case when id = :endedSessionId then ${ANNS_INTERRUPTIONS} else 1 end where user_id = :userId`,
)

const insertSign = statement(
  'test.insert-sign',
  `with sign as (
    insert into signs (id, user_id, circle_id, label, token_hash, shows_name, shows_until, created_at)
    values (:id, :userId::uuid, :circleId, 'Office', decode(repeat('0a', 16), 'hex') || decode(md5((:userId::uuid)::text), 'hex'), false, false, :now) returning *
  )
  insert into sign_agreements (sign_id, circle_id, user_id, shows_name, agreed_at)
  select id, circle_id, user_id, false, :now from sign`,
)

/** Stores the sign of the circle that Ann keeps. Her sign-in is too old to create it. */
async function storeSign(testApp: TestApp, ann: MadeUser, circleId: string): Promise<string> {
  const id = randomUUID()
  await testApp.db.query(insertSign, { id, userId: ann.userId, circleId, now: testApp.clock.now() })
  return id
}

async function forgetSession(testApp: TestApp, ann: MadeUser): Promise<string> {
  const sessionId = uuidv7()
  await testApp.call(startFocus, { sessionId, timeZone: 'UTC' }, ann)
  testApp.clock.advance({ hours: 17 })
  // Hers alone: other scenes have open sessions too.
  await closeOpenSession(testApp.db, ann.userId, testApp.clock.now())
  return sessionId
}

async function ask(testApp: TestApp, from: MadeUser, to: MadeUser): Promise<string> {
  return (await testApp.call(requestConnection, { userId: to.userId }, from)).body.connectionId
}

async function enroll(testApp: TestApp, ann: MadeUser): Promise<string> {
  const { app, auth, clock } = testApp
  const authorization = `Bearer ${await freshToken(auth, ann, clock.now())}`
  const payload = { factor_type: 'totp', friendly_name: 'Phone' }
  const answer = await app.inject({
    method: 'POST',
    url: '/auth/v1/factors',
    headers: { authorization },
    payload,
  })
  return answer.json().id
}

const insertChat = statement(
  'test.store-chat',
  `with link as (
    insert into status_links (id, user_id, system, workspace, account_id, credentials, changed_at, linked_at)
    values (gen_random_uuid(), :userId::uuid, 'slack', 'T1', :userId::uuid::text, '', :now, :now) returning id
  )
  insert into status_signals (link_id, part) select id, part from link cross join (values ('text'), ('dnd')) as parts (part)`,
)

const insertPasskey = statement(
  'test.store-passkey',
  `insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, sign_count, backup_eligible, backed_up,
    friendly_name, created_at, updated_at)
  values (:id, :userId, uuid_send(:id), '', 0, false, false, 'Laptop', :now, :now)`,
)

/** Stores a passkey that no authenticator has. */
async function storePasskey({ db, clock }: TestApp, { userId }: MadeUser): Promise<string> {
  const id = randomUUID()
  await db.query(insertPasskey, { id, userId, now: clock.now() })
  return id
}

async function enter(
  testApp: TestApp,
  role: Role,
  ann: MadeUser,
  join: () => Promise<MadeUser>,
  circle: { invite: string },
  early: MadeUser | null,
) {
  const known = async (person: MadeUser, between: string | null = null) => ({
    token: await freshToken(testApp.auth, person, testApp.clock.now()),
    caller: person,
    between,
  })
  if (role === 'nobody') return { token: null, caller: inventedCaller(), between: null }
  if (role === 'unverified') return { ...(await signUp(testApp)), between: null }
  const old = role === 'oneself' ? ann : early
  // Like the callers of the other roles, who have just signed in.
  if (old) await testApp.call(prove, { password: PASSWORD }, old)
  testApp.clock.advance({ seconds: 1 })
  if (role === 'oneself') return known(ann)
  if (early) {
    if (role === 'hidden') await testApp.call(hidePerson, { userId: early.userId, isHidden: true }, ann)
    return known(early)
  }
  const caller = await (role === 'stranger' ? makeUser(testApp) : join())
  if (role === 'requester') return known(caller, await ask(testApp, caller, ann))
  if (role === 'receiver') return known(caller, await ask(testApp, ann, caller))
  if (role === 'connection') return known(caller, await makeConnection(testApp, caller, ann))
  if (role === 'newcomer') await testApp.call(joinCircle, circle, caller)
  return known(caller)
}

/** Signs up without confirming. Such a user never receives a token, so the keys of the server sign one here. */
async function signUp({ app, auth, clock }: TestApp) {
  const email = `${randomUUID()}@fjordlab.example`
  const payload = { email, password: 'seven quiet otters' }
  const { id } = (await app.inject({ method: 'POST', url: '/auth/v1/signup', payload })).json()
  const claims = { userId: id, sessionId: randomUUID(), email, aal: 'aal1', amr: [] }
  const token = await auth.accessTokens.sign({ ...claims, appMetadata: {}, userMetadata: {} }, clock.now())
  return { token, caller: { userId: id as string, email } }
}

function inventedCaller() {
  return { userId: randomUUID(), email: `${randomUUID()}@fjordlab.example` }
}

/** Ids of data that does not exist. */
export function missingData(): AnnsData {
  const [openSessionId, endedSessionId] = [uuidv7(), uuidv7()]
  const [factorId, passkeyId, identityId, authSessionId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const [requestId, connectionId, circleId, tokenId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const invite = randomBytes(16).toString('base64url')
  const unsubscribePath = unsubscribeUrl({ publicUrl: '' }, { unsubscribeKeys: [randomBytes(32)] }, randomUUID())
  const ids = { factorId, passkeyId, identityId, authSessionId, openSessionId, endedSessionId, requestId, connectionId }
  const pressId = randomUUID()
  const calendarPath = `/cal/${randomBytes(32).toString('base64url')}.ics`
  const webhook = { webhookId: randomUUID(), deliveryId: randomUUID() }
  return {
    ...inventedCaller(),
    ...ids,
    circleId,
    invite,
    ...{ tokenId, pressId },
    signId: randomUUID(),
    caseId: randomUUID(),
    caseCode: randomBytes(16).toString('base64url'),
    unsubscribePath,
    calendarPath,
    ...webhook,
  }
}
