import { createHash, randomBytes } from 'node:crypto'
import {
  type ChatRequest,
  type ChatResponse,
  type ChatServer,
  fits,
  isInstant,
  startChatServer,
} from './chat-server.ts'

export const GOOGLE_CLIENT = { id: 'deeb.apps.googleusercontent.example', secret: 'a client secret of Google' }

/** A stand-in of Google's consent page, token endpoint and Google Chat with one user, from their reference pages. */
export interface Google extends ChatServer {
  agree(url: string, options?: { scope?: string }): URL
  state: { state: string; endsAt: number | null }
  /** Whether its tokens work. */
  isRevoked: boolean
}

const CHAT_SCOPE = 'https://www.googleapis.com/auth/chat.users.availability'

export async function startGoogle({ now, callback }: { now(): Date; callback(): string }): Promise<Google> {
  const codes = new Map<string, { challenge: string; scope: string }>()
  const accessTokens = new Map<string, number>()
  const refresh_token = randomBytes(8).toString('hex')

  function agree(url: string, { scope = `openid email ${CHAT_SCOPE}` } = {}): URL {
    const { searchParams: query, pathname } = new URL(url)
    const expected = {
      ...{ client_id: GOOGLE_CLIENT.id, response_type: 'code', redirect_uri: callback() },
      ...{
        scope: `openid email ${CHAT_SCOPE}`,
        access_type: 'offline',
        prompt: 'consent',
        code_challenge_method: 'S256',
      },
    }
    const wrong = Object.entries(expected).find(([name, value]) => query.get(name) !== value)
    if (pathname !== '/o/oauth2/v2/auth' || wrong) throw new Error(`Bad ${wrong ?? pathname}`)
    const code = randomBytes(8).toString('hex')
    codes.set(code, { challenge: query.get('code_challenge') ?? '', scope })
    return new URL(`${callback()}?${new URLSearchParams({ code, state: query.get('state') ?? '', scope })}`)
  }

  function answer(
    { method, url, auth, form, json }: ChatRequest,
    _limiter: unknown,
    log: (name: string) => void,
  ): ChatResponse {
    const route = `${method} ${url.pathname}`
    log(route)
    if (route === 'POST /token') return token(form)
    if (route === 'POST /revoke') {
      made.isRevoked ||= form.get('token') === refresh_token
      return { body: {} }
    }
    const endsAt = accessTokens.get(auth.replace('Bearer ', '')) ?? 0
    if (made.isRevoked || endsAt <= now().getTime())
      return { status: 401, body: { error: { code: 401, status: 'UNAUTHENTICATED' } } }
    if (made.state.endsAt && made.state.endsAt <= now().getTime()) made.state = { state: 'AWAY', endsAt: null }
    const bad = { status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT' } } }
    if (route === 'POST /v1/users/me/availability:markAsDoNotDisturb') {
      if (!fits(json, { expireTime: isInstant })) return bad
      made.state = { state: 'DO_NOT_DISTURB', endsAt: Date.parse(json.expireTime) }
    } else if (route === 'POST /v1/users/me/availability:markAsActive') {
      if (!fits(json, { ttl: (ttl) => /^\d+s$/.test(String(ttl)) })) return bad
      made.state = { state: 'ACTIVE', endsAt: null }
    } else if (route !== 'GET /v1/users/me/availability') return { status: 404 }
    const expirationTime = made.state.endsAt && new Date(made.state.endsAt).toISOString().replace('Z', '000Z')
    const metadata = made.state.state === 'DO_NOT_DISTURB' ? { doNotDisturbMetadata: { expirationTime } } : {}
    return { body: { name: 'users/123/availability', state: made.state.state, ...metadata } }
  }

  function token(form: URLSearchParams): ChatResponse {
    const refuse = (error: string) => ({ status: error === 'invalid_client' ? 401 : 400, body: { error } })
    if (form.get('client_id') !== GOOGLE_CLIENT.id || form.get('client_secret') !== GOOGLE_CLIENT.secret)
      return refuse('invalid_client')
    const access_token = randomBytes(8).toString('hex')
    const fresh = { access_token, expires_in: 3599, token_type: 'Bearer' }
    if (form.get('grant_type') === 'refresh_token') {
      if (made.isRevoked || form.get('refresh_token') !== refresh_token) return refuse('invalid_grant')
      accessTokens.set(access_token, now().getTime() + 3_599_000)
      return { body: fresh }
    }
    const found = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (found?.challenge !== challenge || form.get('redirect_uri') !== callback()) return refuse('invalid_grant')
    accessTokens.set(access_token, now().getTime() + 3_599_000)
    const claims = { sub: '123', email: 'ann@fjordlab.example', hd: 'fjordlab.example' }
    const id_token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`
    return { body: { ...fresh, refresh_token, scope: found.scope, id_token } }
  }

  const server = await startChatServer({ now, answer })
  const made: Google = Object.assign(server, { agree, state: { state: 'ACTIVE', endsAt: null }, isRevoked: false })
  return made
}
