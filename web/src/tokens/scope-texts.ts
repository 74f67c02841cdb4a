import type { Scope } from '@deeb/core/scopes'
import * as texts from '@deeb/texts/tokens'

/** Says what a token with the scope may do. */
export const SCOPE_TEXTS: Record<Scope, () => string> = {
  switch: texts.scopeSwitch,
  read: texts.scopeRead,
  team: texts.scopeTeam,
  sign: texts.scopeSign,
}
