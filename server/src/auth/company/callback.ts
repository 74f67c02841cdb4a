import { randomUUID } from 'node:crypto'
import type { NativeApp } from '../../config/native-origins.ts'
import { DatabaseOutage, statement } from '../../db/db.ts'
import { seal } from '../factors/seal.ts'
import { AuthError, isClients } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { makeLinkToken } from '../links/link-token.ts'
import { type Claims, claimsOf } from './claims.ts'
import type { CompanyDeps } from './company-deps.ts'
import { type Flow, readState, secretsOf, sha256 } from './flow.ts'
import { type OidcClient, REFUSES_CLIENT } from './oidc-client.ts'
import { findProvider, type Provider } from './provider.ts'

/** Context of a refresh token in auth.flow_state. */
export const flowContext = (id: string) => `sso-flow:${id}`

const keep = statement(
  'auth.keep-claims',
  `insert into auth.flow_state
    (id, provider_id, auth_code_hash, code_challenge, linking_session_id, claims, idp_refresh_token, created_at)
  select :id, :providerId, :codeHash, :codeChallenge, :sessionId::uuid, :claims, :refreshToken, :now
  where :sessionId::uuid is null or exists (select from auth.sessions where id = :sessionId)
  returning id`,
)

type CallbackError = 'bad_oauth_state' | 'access_denied' | 'bad_oauth_callback' | 'unexpected_failure'

/** The parameters that the page /app/sso reads from its address: a code or an error. */
interface Outcome {
  code?: string
  error_code?: CallbackError
  /** The client's own name for its verifier. */
  sb_flow_id?: string | null
  /** The native app to return to. */
  app?: NativeApp | null
}

/** The request of a browser that returns from a provider. */
interface Return {
  /** The key of the provider in the path. */
  key: string
  /** The whole address, with the public origin of this server. */
  url: URL
  flowCookie: string | null
}

/**
 * Takes the answer of a provider and stores its claims for five minutes. Returns the fragment for the page /app/sso: a code by which
 * the client that began the sign-in gets its session, or an error code.
 *
 * Opens nothing by itself. Prevents login CSRF: the state belongs to this provider and to the cookie of this browser. The rate limit
 * counts each return that gives no code, because each may cost a request to the provider.
 */
export async function takeAnswer(auth: CompanyDeps, request: Return, { caller, now }: Call): Promise<string> {
  let answer: Outcome = { error_code: 'bad_oauth_state' }
  const work = async () => {
    answer = await answerOf(auth, request, now)
    if (answer.error_code && answer.error_code !== 'unexpected_failure') throw new AuthError('validation_failed')
  }
  await auth.limits.companyCallback.limitGuess(caller.ip, now, work).catch((error: unknown) => {
    if (!isClients(error)) throw error
  })
  return fragment(answer)
}

async function answerOf(auth: CompanyDeps, request: Return, now: Date): Promise<Outcome> {
  const opened = await openState(auth, request, now)
  if (!opened) return { error_code: 'bad_oauth_state' }
  const { flow, provider } = opened
  const outcome = await keepClaims(auth, request.url, opened, now).catch((error: unknown) => {
    // The client of a provider counts what it throws.
    if (!(error instanceof AuthError || error instanceof DatabaseOutage)) auth.oidc.countFailure()
    auth.logError(error, `a sign-in by ${provider.key} failed`)
    return { error_code: 'unexpected_failure' } as const
  })
  return { ...outcome, sb_flow_id: flow.flowId, app: flow.app }
}

interface Opened {
  flow: Flow
  provider: Provider
}

async function openState(
  { db, keys }: CompanyDeps,
  { key, url, flowCookie }: Return,
  now: Date,
): Promise<Opened | null> {
  const flow = readState(keys.companyFlowKeys, url.searchParams.get('state') ?? '', now)
  const isSameBrowser = flow?.cookieHash === null || (flowCookie !== null && flow?.cookieHash === sha256(flowCookie))
  const provider = flow && isSameBrowser ? await findProvider(db, { id: flow.providerId }) : null
  return flow && provider?.key === key ? { flow, provider } : null
}

async function keepClaims(
  auth: CompanyDeps,
  url: URL,
  { flow, provider }: Opened,
  now: Date,
): Promise<Pick<Outcome, 'code' | 'error_code'>> {
  const error = url.searchParams.get('error')
  if (error === 'access_denied') return { error_code: 'access_denied' }
  if (error === 'server_error' || error === 'temporarily_unavailable') return { error_code: 'unexpected_failure' }
  if (error !== null) return { error_code: 'bad_oauth_callback' }
  const answer = await askProvider(auth, url, { flow, provider })
  if (answer === null) return { error_code: 'bad_oauth_callback' }
  const { token, tokenHash } = makeLinkToken()
  const id = randomUUID()
  const [kept] = await auth.db.query(keep, {
    id,
    providerId: provider.id,
    codeHash: tokenHash,
    codeChallenge: flow.codeChallenge,
    sessionId: flow.linkingSessionId,
    claims: JSON.stringify(answer.claims),
    refreshToken: answer.refreshToken && seal(auth.keys.sealKeys[0], Buffer.from(answer.refreshToken), flowContext(id)),
    now,
  })
  // The auth session that links has ended since then.
  return kept ? { code: token } : { error_code: 'bad_oauth_state' }
}

interface Answer {
  claims: Claims
  refreshToken: string | null
}

/**
 * Exchanges the provider's code and verifies the ID token: signature, issuer, audience, nonce and expiry. Null if the answer is
 * invalid. Rejects if the provider does not answer or refuses this server.
 */
async function askProvider(auth: CompanyDeps, url: URL, { flow, provider }: Opened): Promise<Answer | null> {
  const client = await auth.oidc.of(provider)
  const { nonce, verifier } = secretsOf(flow)
  try {
    const tokens = await client.library.authorizationCodeGrant(client.config, url, {
      expectedState: url.searchParams.get('state') ?? '',
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) return null
    const isComplete = typeof claims.email === 'string'
    const more = isComplete ? {} : await client.library.fetchUserInfo(client.config, tokens.access_token, claims.sub)
    return { claims: claimsOf({ ...more, ...claims }, flow.isAgain), refreshToken: tokens.refresh_token ?? null }
  } catch (error) {
    if (!isInvalid(client, error)) throw error
    auth.logError(error, `the answer of the identity provider of ${provider.key} is refused`)
    return null
  }
}

/** Whether the answer is wrong, in contrast to a provider that does not answer or refuses this server's secret. */
function isInvalid({ library }: OidcClient, error: unknown): boolean {
  if (error instanceof library.ResponseBodyError) return !REFUSES_SERVER.includes(error.error)
  if (error instanceof library.AuthorizationResponseError) return true
  return error instanceof library.ClientError && !UNANSWERED.includes(error.code ?? '')
}

/** Codes of the library for an answer that did not come, or that is no answer of an identity provider. */
const UNANSWERED = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']

/** Errors of a provider that are not about the code of this sign-in. */
const REFUSES_SERVER = [...REFUSES_CLIENT, 'server_error', 'temporarily_unavailable']

function fragment(parts: object): string {
  const given = Object.entries(parts).filter((part): part is [string, string] => typeof part[1] === 'string')
  return new URLSearchParams(given).toString()
}
