import { parseEmail } from '@deeb/core/account/email'
import { Uuid } from '@deeb/core/formats'
import * as v from 'valibot'
import type { NativeApp } from '../../config/native-origins.ts'
import { AuthError } from '../http/auth-error.ts'
import { makeCookie } from '../http/browser-cookie.ts'
import type { CompanyDeps } from './company-deps.ts'
import { FLOW_SECONDS, makeFlowSecret, secretsOf, sha256, writeState } from './flow.ts'
import { type OidcClient, requireClient } from './oidc-client.ts'
import { findProvider, type Provider } from './provider.ts'
import { providerOfDomain } from './provider-of-domain.ts'

/** Only S256: a plain challenge is the verifier itself. auth-js sends null where the browser has no cryptography. */
const Challenge = {
  code_challenge: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  code_challenge_method: v.pipe(v.string(), v.regex(/^s256$/i)),
}

export const SsoInput = v.object({
  domain: v.optional(v.string()),
  provider_id: v.optional(Uuid),
  redirect_to: v.optional(v.nullable(v.string())),
  ...Challenge,
})

export const CompanyLinkInput = v.object({ provider: v.string(), redirect_to: v.optional(v.string()), ...Challenge })

/** Where a company sign-in begins: in a browser with its flow cookie, or in a native app. */
export type Place = { app: NativeApp } | { app: null; flowCookie: string | null }

/** The address at the provider, and the flow cookie to set; null in a native app. */
export interface Begun {
  url: string
  cookie: string | null
}

/**
 * Begins a sign-in by the provider of a company, and returns its address. Writes nothing. Throws `sso_provider_not_found`, and
 * `unexpected_failure` (503) if the provider does not answer.
 */
export async function beginSignIn(auth: CompanyDeps, input: v.InferOutput<typeof SsoInput>, place: Place, now: Date) {
  const provider = await findCompany(auth, input)
  if (!provider) throw new AuthError('sso_provider_not_found')
  const begun = await begin(auth, provider, input, { place, linkingSessionId: null }, now)
  return { ...begun, name: provider.name, only: provider.onlySso }
}

async function findCompany(
  { db }: CompanyDeps,
  { domain, provider_id }: v.InferOutput<typeof SsoInput>,
): Promise<Provider | null> {
  if (provider_id !== undefined) return findProvider(db, { id: provider_id.toLowerCase() })
  const normal = parseEmail(`a@${domain?.trim() ?? ''}`)?.slice(2)
  const found = normal === undefined ? null : await providerOfDomain(db, normal)
  const provider = found && (await findProvider(db, { id: found.id }))
  return provider && { ...provider, onlySso: found?.onlySso ?? false }
}

/** Begins a flow at the provider. It ends at the callback. */
export async function begin(
  auth: CompanyDeps,
  provider: Provider,
  input: Pick<v.InferOutput<typeof SsoInput>, 'redirect_to' | 'code_challenge'>,
  { place, linkingSessionId }: { place: Place; linkingSessionId: string | null },
  now: Date,
): Promise<Begun> {
  const client = await requireClient(auth, provider)
  const cookie = place.app === null ? (place.flowCookie ?? makeCookie()) : null
  const { flowId, isAgain } = readRedirect(input.redirect_to ?? '')
  const flow = {
    secret: makeFlowSecret(),
    providerId: provider.id,
    codeChallenge: input.code_challenge,
    cookieHash: cookie === null ? null : sha256(cookie),
    app: place.app,
    flowId,
    linkingSessionId,
    isAgain,
    expiresAt: Math.floor(now.getTime() / 1000) + FLOW_SECONDS,
  }
  const { nonce, verifier } = secretsOf(flow)
  const url = client.library.buildAuthorizationUrl(client.config, {
    redirect_uri: callbackUrl(auth.config.publicUrl, provider.key),
    scope: scopeFor(client),
    state: writeState(auth.keys.companyFlowKeys[0], flow),
    nonce,
    code_challenge: sha256(verifier),
    code_challenge_method: 'S256',
    ...(isAgain && { prompt: 'login', max_age: '0' }),
  })
  return { url: url.href, cookie }
}

/** With `offline_access` some providers give a refresh token, by which the server asks daily whether the person still works there. */
function scopeFor({ config }: OidcClient): string {
  const asksDaily = config.serverMetadata().scopes_supported?.includes('offline_access')
  return asksDaily ? 'openid email profile offline_access' : 'openid email profile'
}

/** Reads the two parameters of `redirect_to`. The server redirects to its own page only, so nothing else of it counts. */
function readRedirect(redirectTo: string): { flowId: string | null; isAgain: boolean } {
  const query = new URLSearchParams(/\?([^#]*)/.exec(redirectTo)?.[1] ?? '')
  const flowId = query.get('sb_flow_id') ?? ''
  return { flowId: /^[\w-]{1,64}$/.test(flowId) ? flowId : null, isAgain: query.get('again') === '1' }
}

/** The address that is registered at the provider. */
export function callbackUrl(publicUrl: string, key: string): string {
  return `${publicUrl}/auth/v1/callback/${key}`
}
