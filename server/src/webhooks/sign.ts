import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new secret in the form of Standard Webhooks: `whsec_` and base64. */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

interface Message {
  id: string
  /** The time at which it is sent. */
  at: Date
  body: string
  /** One signature for each. */
  secrets: readonly string[]
}

/** The headers of Standard Webhooks: the id, the time and the signatures of a message. */
export function signedHeaders({ id, at, body, secrets }: Message): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
