import { createHash, randomBytes } from 'node:crypto'
import {
  type ChatRequest,
  type ChatResponse,
  type ChatServer,
  fits,
  isInstant,
  isText,
  startChatServer,
} from './chat-server.ts'

export const MICROSOFT_CLIENT = { id: '00000000-0000-4000-8000-00000000c11e', secret: 'a client secret of Entra' }

interface MicrosoftUser {
  id: string
  /** The state of the person's Teams clients, without a preferred presence. `Offline`: there is none. */
  ownAvailability: string
  preferred: { availability: string; endsAt: number } | null
  message: { content: string; endsAt: number | null } | null
}

/** A stand-in of Microsoft's sign-in and of Microsoft Graph, from their reference pages. */
export interface Microsoft extends ChatServer {
  user(id: string): MicrosoftUser
  agree(url: string, id: string): URL
  shownFor(id: string): { availability: string; text: string }
  /** Ends all refresh tokens and access tokens of a person, as after a changed password. */
  revoke(id: string): void
  /** The secret that it accepts. */
  clientSecret: string
}

const SCOPE = 'offline_access openid profile https://graph.microsoft.com/Presence.ReadWrite'
const ACCESS_SECONDS = 3600

export async function startMicrosoft({ now, callback }: { now(): Date; callback(): string }): Promise<Microsoft> {
  const users = new Map<string, MicrosoftUser>()
  const codes = new Map<string, { user: string; challenge: string }>()
  const refreshTokens = new Map<string, string>()
  const accessTokens = new Map<string, { user: string; endsAt: number }>()

  function user(id: string): MicrosoftUser {
    const known = users.get(id) ?? { id, ownAvailability: 'Available', preferred: null, message: null }
    users.set(id, known)
    if (known.preferred && known.preferred.endsAt <= now().getTime()) known.preferred = null
    if (known.message?.endsAt && known.message.endsAt <= now().getTime()) known.message = null
    return known
  }

  function availabilityOf({ ownAvailability, preferred }: MicrosoftUser): string {
    return ownAvailability === 'Offline' ? 'Offline' : (preferred?.availability ?? ownAvailability)
  }

  function agree(url: string, id: string): URL {
    const { searchParams: query, pathname } = new URL(url)
    if (pathname !== '/organizations/oauth2/v2.0/authorize') throw new Error(`Bad ${url}`)
    if (query.get('client_id') !== MICROSOFT_CLIENT.id || query.get('response_type') !== 'code')
      throw new Error('bad client')
    if (query.get('redirect_uri') !== callback() || query.get('scope') !== SCOPE)
      throw new Error('bad redirect or scope')
    if (query.get('code_challenge_method') !== 'S256') throw new Error('no PKCE')
    user(id)
    const code = randomBytes(8).toString('hex')
    codes.set(code, { user: id, challenge: query.get('code_challenge') ?? '' })
    return new URL(`${callback()}?${new URLSearchParams({ code, state: query.get('state') ?? '' })}`)
  }

  function answer(request: ChatRequest, _limiter: unknown, log: (name: string) => void): ChatResponse {
    const { pathname } = request.url
    if (pathname === '/organizations/oauth2/v2.0/token') return token(request.form)
    const access = accessTokens.get(request.auth.replace('Bearer ', ''))
    if (!access || access.endsAt <= now().getTime()) return graphError(401, 'InvalidAuthenticationToken')
    const member = user(access.user)
    const name = pathname.split('/').at(-1) ?? ''
    log(`${name} ${member.id}`)
    if (request.method === 'GET' && pathname === '/v1.0/me/presence') return { body: presenceOf(member) }
    if (request.method !== 'POST' || pathname !== `/v1.0/users/${member.id}/presence/${name}`)
      return graphError(403, 'Forbidden')
    return run(name, member, request.json)
  }

  function token(form: URLSearchParams): ChatResponse {
    const refuse = (error: string) => ({ status: error === 'invalid_client' ? 401 : 400, body: { error } })
    if (form.get('client_id') !== MICROSOFT_CLIENT.id) return refuse('unauthorized_client')
    if (form.get('client_secret') !== made.clientSecret) return refuse('invalid_client')
    if (form.get('grant_type') === 'refresh_token') {
      const owner = refreshTokens.get(form.get('refresh_token') ?? '')
      return owner ? tokens(owner) : refuse('invalid_grant')
    }
    const found = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = found?.challenge === challenge && form.get('redirect_uri') === callback()
    return found && isRight ? tokens(found.user) : refuse('invalid_grant')
  }

  function tokens(id: string): ChatResponse {
    const [access_token, refresh_token] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')]
    accessTokens.set(access_token, { user: id, endsAt: now().getTime() + ACCESS_SECONDS * 1000 })
    refreshTokens.set(refresh_token, id)
    const claims = Buffer.from(JSON.stringify({ tid: 'tenant-1', preferred_username: `${id}@fjordlab.example` }))
    const id_token = `e30.${claims.toString('base64url')}.`
    return {
      body: { token_type: 'Bearer', expires_in: ACCESS_SECONDS, scope: SCOPE, access_token, refresh_token, id_token },
    }
  }

  function presenceOf(member: MicrosoftUser): object {
    const { message } = member
    const end = message?.endsAt
    const statusMessage = message && {
      message: { content: message.content, contentType: 'text' },
      ...(end && {
        expiryDateTime: { dateTime: `${new Date(end).toISOString().replace('Z', '')}0000`, timeZone: 'UTC' },
      }),
    }
    const availability = availabilityOf(member)
    return { id: member.id, availability, activity: availability, statusMessage }
  }

  function run(name: string, member: MicrosoftUser, json: unknown): ChatResponse {
    if (name === 'setUserPreferredPresence') {
      const isDnd = (value: unknown) => value === 'DoNotDisturb'
      const isDuration = (value: unknown) => /^PT[1-9]\d*M$/.test(String(value))
      if (!fits(json, { availability: isDnd, activity: isDnd, expirationDuration: isDuration }))
        return graphError(400, 'BadRequest')
      const minutes = Number((json as { expirationDuration: string }).expirationDuration.slice(2, -1))
      member.preferred = { availability: 'DoNotDisturb', endsAt: now().getTime() + minutes * 60_000 }
      return {}
    }
    if (name === 'clearUserPreferredPresence') {
      if (!fits(json, {})) return graphError(400, 'BadRequest')
      member.preferred = null
      return {}
    }
    const isMessage = (value: unknown) => fits(value, { content: isText(280), contentType: (type) => type === 'text' })
    const isEnd = (value: unknown) =>
      fits(value, { dateTime: (time) => isInstant(`${time}Z`), timeZone: (zone) => zone === 'UTC' })
    const isStatus = (value: unknown) => fits(value, { message: isMessage, expiryDateTime: isEnd }, ['expiryDateTime'])
    if (name !== 'setStatusMessage' || !fits(json, { statusMessage: isStatus })) return graphError(400, 'BadRequest')
    const { message, expiryDateTime } = (
      json as { statusMessage: { message: { content: string }; expiryDateTime?: { dateTime: string } } }
    ).statusMessage
    const endsAt = expiryDateTime ? Date.parse(`${expiryDateTime.dateTime}Z`) : null
    member.message = message.content === '' ? null : { content: message.content, endsAt }
    return {}
  }

  const server = await startChatServer({ now, answer })
  const made: Microsoft = Object.assign(server, {
    user,
    agree,
    clientSecret: MICROSOFT_CLIENT.secret,
    shownFor(id: string) {
      const member = user(id)
      return { availability: availabilityOf(member), text: member.message?.content ?? '' }
    },
    revoke(id: string) {
      for (const [token, owner] of refreshTokens) if (owner === id) refreshTokens.delete(token)
      for (const [token, { user: owner }] of accessTokens) if (owner === id) accessTokens.delete(token)
    },
  })
  return made
}

function graphError(status: number, code: string): ChatResponse {
  return { status, body: { error: { code, message: code } } }
}
