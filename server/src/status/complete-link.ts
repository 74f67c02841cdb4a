import type { ErrorCode } from '@deeb/core/errors'
import type { ChatSystem } from '@deeb/core/status/systems'
import type { Keys } from '../config/keys.ts'
import type { Db } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { ChatError } from './adapter.ts'
import { statusCallback } from './begin-status-link.ts'
import { openFlow, verifierOf } from './link-flow.ts'
import { saveLink } from './save-link.ts'
import type { Adapters } from './systems.ts'

/** The message of the page when the account cannot be connected. */
const OUTCOMES: Partial<Record<ErrorCode, LinkOutcome>> = { chat_taken: 'taken', chat_refused: 'refused' }

interface CompleteDeps {
  db: Db
  keys: Pick<Keys, 'sealKeys'>
  adapters: Adapters
  publicUrl: string
  now(): Date
}

/** How a return from a chat system went, as the screen of Settings reads it from its address. */
export type LinkOutcome = 'connected' | 'denied' | 'expired' | 'refused' | 'taken' | 'unavailable'

interface Return {
  system: ChatSystem
  query: URLSearchParams
  flowCookie: string | null
}

/**
 * Completes the connection of a chat system when the browser returns. The state belongs to this system, this browser and a living auth
 * session, so nobody can make another person connect a foreign chat (login CSRF), and a stolen code is of no use without the browser.
 */
export async function completeLink(
  { db, keys, adapters, publicUrl, now }: CompleteDeps,
  { system, query, flowCookie }: Return,
): Promise<{ outcome: LinkOutcome; userId: string | null }> {
  const state = query.get('state') ?? ''
  const flow = openFlow(keys, { state, system, flowCookie }, now())
  const adapter = adapters[system]
  if (!flow || !adapter?.oauth) return { outcome: 'expired', userId: null }
  const { userId, sessionId } = flow
  const code = query.get('code')
  if (code === null) return { outcome: query.get('error') === 'access_denied' ? 'denied' : 'refused', userId: null }
  try {
    const answer = { code, redirectUri: statusCallback(publicUrl, system), verifier: verifierOf(flow), now: now() }
    const identity = await adapter.oauth.exchange(answer)
    await saveLink({ db, keys }, adapter, { userId, sessionId, system, identity }, now())
    return { outcome: 'connected', userId }
  } catch (error) {
    if (error instanceof ChatError)
      return { outcome: error.advice === 'retry' ? 'unavailable' : 'refused', userId: null }
    if (error instanceof Refusal) return { outcome: OUTCOMES[error.code] ?? 'expired', userId: null }
    throw error
  }
}
