import {
  switchPushOff as offEndpoint,
  switchPushOn as onEndpoint,
  readPush as readEndpoint,
  setStillOnReminders as remindersEndpoint,
} from '@deeb/core/push/api'
import type { Config } from '../config/config.ts'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import type { PushKey } from './push-key.ts'
import { readPush } from './read-push.ts'
import { setStillOnReminders } from './set-still-on-reminders.ts'
import { switchPushOff } from './switch-push-off.ts'
import { switchPushOn } from './switch-push-on.ts'

interface PushRouteDeps extends Pick<RouteDeps, 'serve' | 'db'> {
  config: Pick<Config, 'push'>
  loadKey(): Promise<PushKey>
}

export function pushRoutes({ serve, db, config, loadKey }: PushRouteDeps): void {
  serve(readEndpoint, LIMITS.read, async ({ actor }) =>
    readPush(db, actor, config.push === 'off' ? null : (await loadKey()).publicKey),
  )
  serve(onEndpoint, LIMITS.subscribePush, ({ actor, input, now }) => switchPushOn({ db, config }, actor, input, now))
  serve(remindersEndpoint, LIMITS.write, ({ actor, input }) => setStillOnReminders(db, actor, input))
  serve(offEndpoint, LIMITS.write, ({ actor }) => switchPushOff(db, actor))
}
