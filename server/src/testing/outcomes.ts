import { LIVE_PATH } from '@deeb/core/live-events'
import type { InjectOptions } from 'fastify'
import { PERSONAL_DATA } from '../account/read-my-data.ts'
import { statement } from '../db/db.ts'
import { openStream } from './live.ts'
import { makePersonalToken, makeUser } from './make.ts'
import {
  ANNS_INTERRUPTIONS,
  ANNS_SECOND,
  type AnnsData,
  missingData,
  PROGRAMS,
  type Program,
  ROLES,
  type Role,
  type Scene,
  setScene,
} from './roles.ts'
import { freshToken, type TestApp } from './test-app.ts'
import type { Row } from './who-may-what.ts'

type Caller = Role | Program

/** The outcome of a call about Ann for each role and each program of hers, in the terms of who-may-what.ts. */
export async function outcomesOf(testApp: TestApp, route: string, row: Row): Promise<Record<string, string>> {
  const called: { caller: Caller; scene: KeptScene; answer: SentAnswer }[] = []
  for (const caller of CALLERS) {
    const scene = await keptScene(testApp, caller)
    called.push({ caller, scene, answer: await call(testApp, route, row, scene.data, scene.token) })
  }
  const held = await heldAbout(testApp, ...called.flatMap(({ scene }) => [scene.ann, scene.caller]))
  const isSame = ({ userId }: { userId: string }, before: KeptScene) => held.get(userId) === before.held.get(userId)
  const outcomes: Record<string, string> = {}
  for (const { caller, scene, answer } of called) {
    testApp.clock.set(scene.madeAt)
    const outcome = isSame(scene.ann, scene) ? await sight(testApp, route, row, scene, answer) : 'changes'
    outcomes[caller] = outcome
    // For an unknown account, the auth service may have stored what an email asks for.
    const mayHaveSent = outcome === 'absent' && route.includes(' /auth/')
    if (outcome === 'changes' || mayHaveSent || !isSame(scene.caller, scene)) scenes.get(testApp)?.delete(caller)
  }
  return outcomes
}

const CALLERS = [...ROLES, ...(Object.keys(PROGRAMS) as Program[])]

interface KeptScene extends Scene {
  madeAt: string
  /** All data about Ann and the caller. */
  held: Map<string, string>
}

/** Calls use a scene again, at its time, until one changes data of its people: making one takes much longer than a call. */
const scenes = new WeakMap<TestApp, Map<Caller, KeptScene>>()

async function keptScene(testApp: TestApp, caller: Caller): Promise<KeptScene> {
  const kept = scenes.get(testApp) ?? new Map<Caller, KeptScene>()
  scenes.set(testApp, kept)
  const known = kept.get(caller)
  if (known) {
    testApp.clock.set(known.madeAt)
    return known
  }
  const scene = await newScene(testApp, caller)
  const held = await heldAbout(testApp, scene.ann, scene.caller)
  const made = { ...scene, held, madeAt: testApp.clock.now().toISOString() }
  kept.set(caller, made)
  return made
}

async function newScene(testApp: TestApp, caller: Caller): Promise<Scene> {
  if (!isProgram(caller)) return setScene(testApp, caller)
  const scene = await setScene(testApp, 'oneself')
  const { token } = await makePersonalToken(testApp, scene.ann, PROGRAMS[caller])
  return { ...scene, token }
}

function isProgram(caller: Caller): caller is Program {
  return caller in PROGRAMS
}

/** Failed attempts of anyone leave rows about Ann in these tables: they are not her data. Neither is when a program called. */
const TRACES = ['auth.audit_log', 'auth.outbox', 'auth.one_time_tokens']
const tables = Object.entries(PERSONAL_DATA).filter(([table]) => !TRACES.includes(table))
const held = statement(
  'test.held',
  `select person.id, jsonb_build_array(${tables
    .map(
      ([table, condition]) =>
        `(select jsonb_agg(to_jsonb(row) - '{failed_attempts,failed_attempts_on,last_used_at}'::text[] order by to_jsonb(row)::text)
          from ${table} as row where ${condition.replaceAll(/:userId\b/g, 'person.id')})`,
    )
    .join(', ')}) as held from unnest(:userIds::uuid[]) as person (id)`,
)

/** All data about each of these people, by user id. */
async function heldAbout(testApp: TestApp, ...people: { userId: string }[]): Promise<Map<string, string>> {
  const userIds = people.map(({ userId }) => userId)
  const rows = await testApp.db.query<{ id: string; held: unknown }>(held, { userIds })
  return new Map(rows.map(({ id, held }) => [id, JSON.stringify(held)]))
}

interface Answer {
  status: number
  text: string
}

interface SentAnswer extends Answer {
  /** The text of the request. */
  sent: string
}

async function call(
  testApp: TestApp,
  route: string,
  row: Row,
  data: AnnsData,
  token: string | null,
): Promise<SentAnswer> {
  const [method, path = ''] = route.split(' ')
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const url = row.url?.(data) ?? path
  const input = row.input?.(data, testApp.clock.now())
  const sent = url + JSON.stringify(input ?? null)
  if (url === LIVE_PATH) return { ...(await listen(testApp, token)), sent }
  const fields = new URLSearchParams(input as Record<string, string>).toString()
  const { statusCode, body } = await testApp.app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: method === 'GET' ? `${url}?${fields}` : url,
    headers: row.isForm ? { ...headers, 'content-type': 'application/x-www-form-urlencoded' } : headers,
    ...(method !== 'GET' && { payload: row.isForm ? fields : (input ?? {}) }),
  })
  return { status: statusCode, text: body, sent }
}

/** The first events of a stream. The tests of the live stream cover the later ones. */
async function listen(testApp: TestApp, token: string | null): Promise<Answer> {
  const stream = await openStream(testApp, { accessToken: token ?? '' })
  stream.leave()
  return { status: stream.status, text: JSON.stringify(stream.deliveries) }
}

/** Classifies what the answer to a call that changed nothing contains about Ann. */
async function sight(testApp: TestApp, route: string, row: Row, { data, token }: Scene, answer: SentAnswer) {
  const { status, text, sent } = answer
  const code = codeOf({ status, text })
  if (status === 401 || (status === 403 && ['session_not_found', 'bad_jwt'].includes(code))) return 'refused'
  if (row.isAboutAnn) {
    const twin = token === null ? null : await makeUser(testApp)
    const theirs = twin ? await freshToken(testApp.auth, twin, testApp.clock.now()) : null
    const unknown = await call(testApp, route, row, missingData(), theirs)
    if (status === unknown.status && nameless(text) === nameless(unknown.text)) return 'absent'
  }
  const says = (word: string) => text.includes(word) && !sent.includes(word)
  if (says(data.pressId) || NUMBER.test(text)) return 'interruptions'
  if (says(data.openSessionId) || says(data.endedSessionId) || says(ANNS_SECOND)) return 'focus'
  if (
    [data.userId, data.email, data.factorId, data.passkeyId, data.identityId].some(says) ||
    [data.authSessionId, data.tokenId].some(says)
  )
    return 'person'
  return code
}

/** As a value of JSON or CSV. */
const NUMBER = new RegExp(`[:,]${ANNS_INTERRUPTIONS}(?=[,}\\]\\s])`)

function codeOf({ status, text }: Answer): string {
  if (status < 400) return 'own'
  if (!text.startsWith('{')) return String(status)
  // Identity providers expect the shape of OAuth.
  const { code, error } = JSON.parse(text)
  return code ?? error
}

/** Without emails and ids, which differ between any two users. */
function nameless(text: string): string {
  return text.replaceAll(/[\w-]+@[\w.]+\.example/g, 'EMAIL').replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
}
