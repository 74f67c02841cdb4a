import { isLoopback } from '../config/loopback.ts'
import { type Db, lookup } from '../db/db.ts'
import type { AuthDeps } from './auth-deps.ts'
import { relyingPartyOf } from './passkeys/relying-party.ts'

const readCompanies = lookup(
  'auth.companies-to-sign-in',
  `select exists (select from auth.sso_domains join auth.sso_providers on sso_providers.id = provider_id
      where disabled_at is null) as "isOn",
    (select json_build_object('name', name, 'domain', domain, 'only', only_sso)
      from auth.sso_providers join auth.sso_domains on provider_id = sso_providers.id and domain = key
      where from_environment and disabled_at is null) as own`,
)

interface Companies {
  /** Whether any company has set up its sign-in. */
  isOn: boolean
  /** The company of the settings of this server. */
  own: { name: string; domain: string; only: boolean } | null
}

async function companies(db: Db): Promise<Companies> {
  const [found] = await db.query<Companies>(readCompanies)
  return found ?? { isOn: false, own: null }
}

/** The public settings of this service, as auth-js reads them. */
export async function settings({ config, db }: Pick<AuthDeps, 'config' | 'db'>) {
  const { smtpUrl, host, passwordMinLength, publicUrl, isSignUpOn, androidApp, iosAppId } = config
  // Others can reach this server, but it sends no email: users have to ask their administrator for their link.
  const mailStaysHere = smtpUrl === null && !isLoopback(host)
  const { isOn, own } = await companies(db)
  const hasApp = androidApp !== null || iosAppId !== null
  return {
    external: { email: true, phone: false },
    disable_signup: !isSignUpOn,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    // Not a setting of GoTrue: the sign-up page says the rule before the first try.
    password_min_length: passwordMinLength,
    passkeys_enabled: relyingPartyOf(publicUrl) !== null,
    sso_enabled: isOn,
    sso: own,
    // The schemes of the native apps: their package, and their bundle without the team.
    app_scheme: hasApp
      ? { android: androidApp?.packageName ?? null, ios: iosAppId?.slice(iosAppId.indexOf('.') + 1) ?? null }
      : null,
    ...(mailStaysHere && { mailer: 'outbox' }),
  }
}
