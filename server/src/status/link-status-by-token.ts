import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { linkStatusByToken as endpoint } from '@deeb/core/status/api'
import type { Keys } from '../config/keys.ts'
import type { Db } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { ChatError } from './adapter.ts'
import { requireMayLink } from './begin-status-link.ts'
import { saveLink } from './save-link.ts'
import type { Adapters } from './systems.ts'

interface TokenDeps {
  db: Db
  keys: Pick<Keys, 'sealKeys'>
  adapters: Adapters
}

/**
 * Connects Mattermost or Zulip by a token. Throws `not_found`, `proof_needed`, `invalid_input` for an address that is none,
 * `chat_refused`, `chat_unavailable` and `chat_taken`.
 */
export async function linkStatusByToken(
  { db, keys, adapters }: TokenDeps,
  actor: SignedInActor,
  { system, server, email, token }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const adapter = adapters[system]
  if (!adapter?.identify) throw new Refusal('not_found')
  await requireMayLink(db, actor, system, now)
  const needsEmail = system === 'zulip'
  if (needsEmail && email === undefined) throw new Refusal('invalid_input', [{ path: 'email', message: 'Required.' }])
  const credentials = { accessToken: token, server: requireServer(server), ...(needsEmail && email && { email }) }
  const identity = await adapter.identify(credentials).catch((error: unknown) => {
    if (!(error instanceof ChatError)) throw error
    throw new Refusal(error.advice === 'retry' ? 'chat_unavailable' : 'chat_refused')
  })
  const { userId, sessionId } = actor
  await saveLink({ db, keys }, adapter, { userId, sessionId, system, identity }, now)
  return { system }
}

/** The address of a server without what follows its path. Whether the server may be called is checked with each call. */
function requireServer(text: string): string {
  const full = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (URL.canParse(full)) {
    const { origin, pathname, username, password } = new URL(full)
    if (origin !== 'null' && !username && !password) return `${origin}${pathname}`.replace(/\/+$/, '')
  }
  throw new Refusal('invalid_input', [{ path: 'server', message: 'This is not the address of a server.' }])
}
