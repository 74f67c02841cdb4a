import {
  updateLanguage as languageEndpoint,
  updateRequestEmails as requestEmailsEndpoint,
  updateUsername as usernameEndpoint,
} from '@deeb/core/account/api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { updateLanguage } from './update-language.ts'
import { updateRequestEmails } from './update-request-emails.ts'
import { updateUsername } from './update-username.ts'

export function profileRoutes({ serve, db }: RouteDeps): void {
  serve(usernameEndpoint, LIMITS.write.rule, ({ actor, input }) => updateUsername(db, actor, input))
  serve(languageEndpoint, LIMITS.write.rule, ({ actor, input }) => updateLanguage(db, actor, input))
  serve(requestEmailsEndpoint, LIMITS.write.rule, ({ actor, input }) => updateRequestEmails(db, actor, input))
}
