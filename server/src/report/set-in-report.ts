import type { InputOf } from '@deeb/core/endpoint'
import type { setInReport as endpoint } from '@deeb/core/report/api'
import { statement } from '../db/db.ts'
import { profileSetting } from '../profile/profile-setting.ts'

/** Counts the actor in the weeks of the company that are not counted yet, or not. Idempotent. */
export const setInReport = profileSetting<InputOf<typeof endpoint>>(
  statement('report.set-in-report', 'update profiles set in_report = :inReport where id = :userId'),
)
