import type { Scope } from '@deeb/core/tokens/scopes'

/** What a token may do. */
export const SCOPE_TEXTS: Record<Scope, string> = {
  switch: 'switch deeb mode, and see whether it is on',
  read: 'read your goals, weeks and sessions',
  team: 'see whom your Team screen shows, and who is in deeb mode',
  sign: 'show your deeb mode without your name, like a door sign',
}
