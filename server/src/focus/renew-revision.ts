import { statement } from '../db/db.ts'

/* A new revision makes the user's other devices refetch. Colleagues see no ended sessions and no interruptions, so they receive nothing. */
export const renewRevision = statement(
  'focus.renew-revision',
  'update user_presence set revision = revision + 1 where user_id = :userId',
)
