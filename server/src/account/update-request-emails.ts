import type { updateRequestEmails as endpoint } from '@deeb/core/account/api'
import type { InputOf } from '@deeb/core/endpoint'
import { statement } from '../db/db.ts'
import { profileSetting } from '../profile/profile-setting.ts'

/** Switches emails to the actor about connection requests on or off. Idempotent. */
export const updateRequestEmails = profileSetting<InputOf<typeof endpoint>>(
  statement('profile.update-request-emails', 'update profiles set request_emails = :requestEmails where id = :userId'),
)
