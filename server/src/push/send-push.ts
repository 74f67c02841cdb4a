import { request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import type { Config } from '../config.ts'
import { isLoopback } from '../loopback.ts'
import { type BrowserKeys, encryptFor } from './encrypt.ts'
import type { PushKey } from './push-key.ts'
import { lookUpPublic, readPushUrl } from './push-services.ts'

const TIMEOUT_MS = 5_000

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
}

/** Sends messages to push services (RFC 8030). Follows no redirect and reads no body; never rejects. */
export function createSendPush({ config, loadKey, now }: SendDeps): SendPush {
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
      return outcomeOf(await post(url, headers, encryptFor(to, body)))
    } catch (error) {
      return { result: 'later', reason: (error as Error).message, afterSeconds: 0 }
    }
  }
}

interface Answer {
  status: number
  retryAfter: string | undefined
}

/** Resolves with the status of the response. Rejects if there is none in time. */
function post(url: URL, headers: Record<string, string>, body: Buffer): Promise<Answer> {
  const request = url.protocol === 'https:' ? requestByHttps : requestByHttp
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      agent: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // Only `PUSH=local` allows an endpoint on this machine.
      ...(!isLoopback(url.hostname) && { lookup: lookUpPublic }),
    })
    sending.on('error', reject)
    sending.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] })
      // The body may be endless.
      response.destroy()
    })
    sending.end(body)
  })
}

function outcomeOf({ status, retryAfter }: Answer): Outcome {
  if (status >= 200 && status < 300) return { result: 'sent' }
  if (status === 404 || status === 410) return { result: 'gone' }
  const reason = `status ${status}`
  if (status !== 429 && status < 500) return { result: 'refused', reason }
  return { result: 'later', reason, afterSeconds: /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0 }
}
