import type { InputOf } from '@deeb/core/endpoint'
import type { setStillOnReminders as endpoint } from '@deeb/core/push/api'
import { statement } from '../db/db.ts'
import { profileSetting } from '../profile/profile-setting.ts'

/** Switches the reminder of an open focus session on or off, for all browsers of the actor. Idempotent. */
export const setStillOnReminders = profileSetting<InputOf<typeof endpoint>>(
  statement(
    'push.set-still-on-reminders',
    'update profiles set still_on_reminders = :remindsStillOn where id = :userId',
  ),
)
