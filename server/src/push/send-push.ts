import type { Config } from '../config/config.ts'
import { createFetchOutside, OutsideError, type OutsideResponse, type ResolveHost } from '../outside/fetch-outside.ts'
import { type BrowserKeys, encryptFor } from './encrypt.ts'
import type { PushKey } from './push-key.ts'
import { readPushUrl } from './push-services.ts'

/** The addresses that `PUSH=local` allows. */
const THIS_MACHINE = ['127.0.0.0/8', '::1/128']

export interface Subscription extends BrowserKeys {
  endpoint: string
}

/** A message to one browser. */
export interface OutgoingPush {
  /** A message with the topic of an earlier one replaces it until the browser has received it. At most 32 characters. */
  topic: string
  body: object
  ttlSeconds: number
}

/** `gone`: the subscription has ended. `refused`: no retry helps. `later`: a retry may help, not before `afterSeconds`. */
export type Outcome =
  | { result: 'sent' | 'gone' }
  | { result: 'refused'; reason: string }
  | { result: 'later'; reason: string; afterSeconds: number }

export type SendPush = (to: Subscription, push: OutgoingPush) => Promise<Outcome>

interface SendDeps {
  config: Pick<Config, 'push'>
  loadKey(): Promise<PushKey>
  now(): Date
  /** Default: by DNS. */
  resolve?: ResolveHost
}

/** Sends messages to push services (RFC 8030). Follows no redirect and reads no body; never rejects. */
export function createSendPush({ config, loadKey, now, ...dns }: SendDeps): SendPush {
  const fetchOutside = createFetchOutside({ allow: config.push === 'local' ? THIS_MACHINE : [], ...dns })
  return async (to, { topic, body, ttlSeconds }) => {
    try {
      const url = readPushUrl(to.endpoint, config)
      if (!url) return { result: 'refused', reason: 'not a push service' }
      const headers = {
        authorization: await (await loadKey()).authorize(url, now()),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(ttlSeconds),
        topic,
        urgency: 'normal',
      }
      const request = { method: 'POST', headers, body: encryptFor(to, body), maxBytes: 0 } as const
      return outcomeOf(await fetchOutside(url, request))
    } catch (error) {
      const isRedirect = error instanceof OutsideError && error.reason === 'redirect'
      if (isRedirect) return { result: 'refused', reason: `status ${error.status}` }
      return { result: 'later', reason: (error as Error).message, afterSeconds: 0 }
    }
  }
}

function outcomeOf({ status, headers }: OutsideResponse): Outcome {
  if (status >= 200 && status < 300) return { result: 'sent' }
  if (status === 404 || status === 410) return { result: 'gone' }
  const reason = `status ${status}`
  if (status !== 429 && status < 500) return { result: 'refused', reason }
  const retryAfter = headers['retry-after'] ?? ''
  return { result: 'later', reason, afterSeconds: /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : 0 }
}
