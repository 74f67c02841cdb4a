import type { updateLanguage as endpoint } from '@deeb/core/account/api'
import type { InputOf } from '@deeb/core/endpoint'
import { statement } from '../db/db.ts'
import { profileSetting } from '../profile/profile-setting.ts'

/** Sets the language of the actor. Idempotent. */
export const updateLanguage = profileSetting<InputOf<typeof endpoint>>(
  statement('profile.update-language', 'update profiles set language = :language where id = :userId'),
)
