import * as v from 'valibot'
import { CompanyLinkInput, SsoInput } from '../auth/company/begin.ts'
import { EnrollInput } from '../auth/factors/enroll.ts'
import { VerifyCodeInput } from '../auth/factors/verify-code.ts'
import { LinkInput } from '../auth/links/verify.ts'
import { RegisterInput } from '../auth/passkeys/register.ts'
import { RenameInput } from '../auth/passkeys/rename.ts'
import { PasskeySignInInput } from '../auth/passkeys/sign-in.ts'
import { RecoverInput } from '../auth/recovery/recover.ts'
import { GenerateInput } from '../auth/recovery-codes/generate.ts'
import { VerifyRecoveryCodeInput } from '../auth/recovery-codes/verify.ts'
import { GrantInput } from '../auth/routes.ts'
import { SignInInput } from '../auth/sign-in/sign-in.ts'
import { SignOutInput } from '../auth/sign-in/sign-out.ts'
import { ResendInput } from '../auth/sign-up/resend.ts'
import { SignUpInput } from '../auth/sign-up/sign-up.ts'
import { UpdateUserInput } from '../auth/user/update-user.ts'
import type { Asked } from './routes.ts'
import { FORMS, WHO_MAY_WHAT } from './who-may-what.ts'

/** The form that a browser sends without script. Other fields are ignored. */
const Form = v.object({ email: v.pipe(v.string(), v.email()) })

/** The route ignores its input. */
const NOTHING: Asked = {}

/** The input schemas of routes that validate in their handlers. All other routes declare their schemas. */
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
  'POST /auth/v1/factors/recovery-codes': { body: GenerateInput },
  'POST /auth/v1/factors/recovery-codes/regenerate': NOTHING,
  'POST /auth/v1/factors/recovery-codes/verify': { body: VerifyRecoveryCodeInput },
  'DELETE /auth/v1/factors/recovery-codes': NOTHING,
  'POST /auth/v1/passkeys/registration/options': NOTHING,
  'POST /auth/v1/passkeys/registration/verify': { body: RegisterInput },
  'POST /auth/v1/passkeys/authentication/options': NOTHING,
  'POST /auth/v1/passkeys/authentication/verify': { body: PasskeySignInInput },
  'PATCH /auth/v1/passkeys/:id': { body: RenameInput },
  'DELETE /auth/v1/passkeys/:id': NOTHING,
  'POST /auth/v1/sso': { body: SsoInput },
  'POST /auth/v1/backchannel-logout/:key': { body: v.object({ logout_token: v.string() }) },
  'GET /auth/v1/user/identities/authorize': { querystring: CompanyLinkInput },
  'DELETE /auth/v1/user/identities/:id': NOTHING,
  ...Object.fromEntries(FORMS.map((path) => [`POST ${path}`, { body: Form }])),
  'POST /unsubscribe': NOTHING,
  'POST /sign': NOTHING,
}

/** The input schemas of a route, or null if they are unknown. `declared` are the schemas of its declaration. */
export function askedBy(route: string, declared: Asked): Asked | null {
  if (declared.body || declared.querystring) return declared
  if (WHO_MAY_WHAT[route]?.isForDirectory) return NOTHING
  const isRefusedToAll = Object.values(WHO_MAY_WHAT[route]?.outcomes ?? {}).every((outcome) =>
    /_(disabled|failed)$/.test(outcome),
  )
  return BY_HANDLERS[route] ?? (route.startsWith('GET ') || isRefusedToAll ? NOTHING : null)
}
