import * as z from 'zod/mini'
import { EnrollInput } from '../auth/factors/enroll.ts'
import { VerifyCodeInput } from '../auth/factors/verify-code.ts'
import { LinkInput } from '../auth/links/verify.ts'
import { RecoverInput } from '../auth/recovery/recover.ts'
import { GrantInput } from '../auth/routes.ts'
import { SignInInput } from '../auth/sign-in/sign-in.ts'
import { SignOutInput } from '../auth/sign-in/sign-out.ts'
import { ResendInput } from '../auth/sign-up/resend.ts'
import { SignUpInput } from '../auth/sign-up/sign-up.ts'
import { UpdateUserInput } from '../auth/user/update-user.ts'
import type { Asked } from './routes.ts'
import { WHO_MAY_WHAT } from './who-may-what.ts'

/** As a browser without script sends it: whatever else is in it is left alone. */
const Form = z.object({ email: z.email() })

/** Nothing that is sent is looked at. */
const NOTHING: Asked = {}

/** What those routes ask for that say it in their handlers. The routes of the product say it themselves. */
const BY_HANDLERS: Record<string, Asked> = {
  'POST /auth/v1/signup': { body: SignUpInput },
  'POST /auth/v1/verify': { body: LinkInput },
  'POST /auth/v1/recover': { body: RecoverInput },
  'POST /auth/v1/resend': { body: ResendInput },
  'POST /auth/v1/token': { body: SignInInput, querystring: GrantInput },
  'POST /auth/v1/logout': { querystring: SignOutInput },
  'PUT /auth/v1/user': { body: UpdateUserInput },
  'POST /auth/v1/factors': { body: EnrollInput },
  'POST /auth/v1/factors/:id/challenge': NOTHING,
  'POST /auth/v1/factors/:id/verify': { body: VerifyCodeInput },
  'DELETE /auth/v1/factors/:id': NOTHING,
  'POST /coming-soon': { body: Form },
  'POST /waitlist': { body: Form },
  'POST /admin/backup': NOTHING,
}

/** What a route asks for, or null if nobody has said. `said` is what it says of itself. */
export function askedBy(route: string, said: Asked): Asked | null {
  if (said.body || said.querystring) return said
  const isRefusedToAll = Object.values(WHO_MAY_WHAT[route]?.outcomes ?? {}).every((outcome) =>
    /_(disabled|failed)$/.test(outcome),
  )
  return BY_HANDLERS[route] ?? (route.startsWith('GET ') || isRefusedToAll ? NOTHING : null)
}
