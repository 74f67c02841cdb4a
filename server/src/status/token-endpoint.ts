import { ChatError, type Credentials } from './adapter.ts'
import type { CallChat, ChatAnswer } from './call-chat.ts'

/** Errors of a token endpoint (RFC 6749) about the code or the refresh token of one person. */
const ABOUT_PERSON = ['invalid_grant', 'interaction_required', 'consent_required', 'login_required']

/**
 * A function that posts to a token endpoint of OAuth 2.0, as the client of this server. Throws `ChatError`: `relink` if the code or
 * the refresh token is refused, `retry` for all else. A wrong client secret must not end the links of everybody.
 */
export function tokenEndpoint(callChat: CallChat, url: string, client: Record<string, string>) {
  return async (form: Record<string, string>): Promise<ChatAnswer['body']> => {
    const { status, body } = await callChat(url, { method: 'POST', form: { ...client, ...form } })
    if (status === 200 && body) return body
    const error = String(body?.error ?? `status ${status}`)
    throw new ChatError(ABOUT_PERSON.includes(error) ? 'relink' : 'retry', error)
  }
}

/** The tokens of an answer. An answer without a new refresh token keeps the old one. */
export function readTokens(body: ChatAnswer['body'], now: Date, oldRefreshToken?: string): Credentials {
  const refreshToken = body.refresh_token ?? oldRefreshToken
  if (typeof body.access_token !== 'string' || typeof refreshToken !== 'string') {
    throw new ChatError('relink', 'tokens are missing')
  }
  return {
    accessToken: body.access_token,
    refreshToken,
    expiresAtMs: now.getTime() + Number(body.expires_in ?? 3600) * 1000,
  }
}

/**
 * The claims of the ID token of an answer. It comes from the token endpoint by TLS, so its signature adds nothing (OpenID Connect Core,
 * 3.1.3.7). They are shown and compared, never used to sign in.
 */
export function claimsOf({ id_token }: ChatAnswer['body']): Record<string, string | undefined> {
  try {
    return JSON.parse(Buffer.from(String(id_token).split('.')[1] ?? '', 'base64url').toString('utf8'))
  } catch {
    return {}
  }
}
