import { readPush, switchPushOn } from '@deeb/core/push/api'
import { createPushDelivery, type DescribePush } from '../push/delivery.ts'
import { loadPushKey } from '../push/push-key.ts'
import { createSendPush } from '../push/send-push.ts'
import type { MadeUser } from './make.ts'
import type { PushService, ReceivedPush } from './push-service.ts'
import type { TestApp } from './test-app.ts'

/** Switches push messages on for a user, in a browser at this push service. Returns what arrives there. */
export async function subscribe(testApp: TestApp, service: PushService, user: MadeUser): Promise<ReceivedPush[]> {
  const { publicKey } = (await testApp.call(readPush, {}, user)).body
  const { subscription, received } = service.subscribe(publicKey ?? '')
  const { status } = await testApp.call(switchPushOn, subscription, user)
  if (status !== 200) throw new Error(`The subscription was answered with ${status}.`)
  return received
}

/** Sends the due push messages of a test app until none is due, as a server does. Returns the warnings. */
export async function deliverPushes({ auth, db, clock }: TestApp, describe: DescribePush): Promise<string[]> {
  const warnings: string[] = []
  const send = createSendPush({ config: auth.config, loadKey: () => loadPushKey({ ...auth, db }), now: clock.now })
  const errors: Error[] = []
  const delivery = createPushDelivery({
    ...{ db, send, describe, now: clock.now },
    warn: ({ kind, service, reason }) => warnings.push(`${kind} ${service} ${reason}`),
    onError: (error) => errors.push(error),
  })
  delivery.kick()
  await delivery.idle()
  const [error] = errors
  if (error) throw error
  return warnings
}
