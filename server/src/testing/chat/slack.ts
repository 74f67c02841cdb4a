import { randomBytes } from 'node:crypto'
import {
  type ChatRequest,
  type ChatResponse,
  type ChatServer,
  fits,
  isText,
  isWhole,
  type Limiter,
  startChatServer,
} from './chat-server.ts'

export const SLACK_CLIENT = { id: '1000.2000', secret: 'a client secret of Slack' }

interface SlackUser {
  id: string
  team: string
  name: string
  status: { status_text: string; status_emoji: string; status_expiration: number }
  /** In seconds since 1970. */
  snoozeEnd: number
  isDeactivated: boolean
}

/** A stand-in of Slack, from its published OpenAPI file and method pages. */
export interface Slack extends ChatServer {
  /** The member of a workspace, created with an empty status when first named. */
  user(id: string, team?: string): SlackUser
  /** Agrees at an address of the consent page as this member. Returns the redirect to deeb. */
  agree(url: string, id: string, team?: string): URL
  /** Returns what others see now: nothing after its expiry. */
  shownFor(id: string): { text: string; emoji: string; isSnoozed: boolean }
  /** The member who agrees in a browser. */
  browserUser: string
  tokens: Map<string, { user: string; scopes: string[] }>
}

/** Requests a minute, per method and workspace: the tiers on the pages of the methods. */
const TIERS: Record<string, number> = {
  'users.profile.get': 100,
  'users.profile.set': 50,
  'dnd.info': 50,
  'dnd.setSnooze': 20,
  'dnd.endSnooze': 20,
  'auth.revoke': 50,
}
const SCOPES: Record<string, string> = {
  'users.profile.get': 'users.profile:read',
  'users.profile.set': 'users.profile:write',
  'dnd.info': 'dnd:read',
  'dnd.setSnooze': 'dnd:write',
  'dnd.endSnooze': 'dnd:write',
}

export async function startSlack({ now, callback }: { now(): Date; callback(): string }): Promise<Slack> {
  const users = new Map<string, SlackUser>()
  const tokens: Slack['tokens'] = new Map()
  const codes = new Map<string, { user: string; redirectUri: string; scopes: string[] }>()
  const seconds = () => Math.floor(now().getTime() / 1000)

  function user(id: string, team = 'T1'): SlackUser {
    const status = { status_text: '', status_emoji: '', status_expiration: 0 }
    const known = users.get(id) ?? { id, team, name: `Member ${id}`, status, snoozeEnd: 0, isDeactivated: false }
    users.set(id, known)
    const { status_expiration: end } = known.status
    if (end !== 0 && end <= seconds()) known.status = status
    return known
  }

  function agree(url: string, id: string, team?: string): URL {
    const { searchParams: query, pathname } = new URL(url)
    if (pathname !== '/oauth/v2/authorize' || query.get('client_id') !== SLACK_CLIENT.id) throw new Error(`Bad ${url}`)
    if (query.get('redirect_uri') !== callback()) throw new Error('bad_redirect_uri')
    const scopes = (query.get('user_scope') ?? '').split(',')
    const unknown = scopes.filter((scope) => !/^(users\.profile|dnd):(read|write)$/.test(scope))
    if (unknown.length > 0 || query.get('scope') !== '') throw new Error(`invalid_scope ${unknown}`)
    user(id, team)
    const code = randomBytes(8).toString('hex')
    codes.set(code, { user: id, redirectUri: callback(), scopes })
    return new URL(`${callback()}?${new URLSearchParams({ code, state: query.get('state') ?? '' })}`)
  }

  function answer(request: ChatRequest, limiter: Limiter, log: (name: string) => void): ChatResponse {
    const { url, method } = request
    if (url.pathname === '/oauth/v2/authorize') return consentPage(url, made.browserUser, agree, callback())
    const name = url.pathname.replace('/api/', '')
    if (method !== 'POST') return { status: 404 }
    if (name === 'oauth.v2.access') return { body: access(request.form) }
    const token = tokens.get(request.auth.replace('Bearer ', ''))
    if (!token) return refuse('invalid_auth')
    const member = user(token.user)
    log(`${name} ${member.id}`)
    if (!(name in TIERS)) return refuse('unknown_method')
    if (!limiter.allow(`${name} ${member.team}`, TIERS[name] ?? 0)) {
      return { status: 429, headers: { 'retry-after': '30' }, body: { ok: false, error: 'ratelimited' } }
    }
    if (member.isDeactivated) return refuse('account_inactive')
    const scope = SCOPES[name]
    if (scope && !token.scopes.includes(scope)) return refuse('missing_scope')
    return run(name, member, request)
  }

  function access(form: URLSearchParams): object {
    if (form.get('client_id') !== SLACK_CLIENT.id) return { ok: false, error: 'invalid_client_id' }
    if (form.get('client_secret') !== SLACK_CLIENT.secret) return { ok: false, error: 'bad_client_secret' }
    const found = codes.get(form.get('code') ?? '')
    if (!found) return { ok: false, error: 'invalid_code' }
    codes.delete(form.get('code') ?? '')
    if (form.get('redirect_uri') !== found.redirectUri) return { ok: false, error: 'bad_redirect_uri' }
    // As long as it is not revoked, a member has one token for an app.
    const known = [...tokens].find(([, token]) => token.user === found.user)?.[0]
    const access_token = known ?? `xoxp-${randomBytes(12).toString('hex')}`
    tokens.set(access_token, { user: found.user, scopes: found.scopes })
    const { id, team } = user(found.user)
    const authed_user = { id, scope: found.scopes.join(','), access_token, token_type: 'user' }
    return { ok: true, app_id: 'A1', authed_user, team: { id: team, name: 'Fjordlab' }, is_enterprise_install: false }
  }

  function run(name: string, member: SlackUser, { json, form, auth }: ChatRequest): ChatResponse {
    if (name === 'users.profile.get') {
      return { body: { ok: true, profile: { ...member.status, display_name: member.name, real_name: member.name } } }
    }
    if (name === 'users.profile.set') {
      const fields = {
        status_text: isText(100),
        status_emoji: (value: unknown) => value === '' || /^:[a-z0-9_+-]+:$/.test(String(value)),
        status_expiration: (value: unknown) => isWhole(value) && (value === 0 || Number(value) > seconds()),
      }
      if (!fits(json, { profile: (profile) => fits(profile, fields) })) return refuse('invalid_profile')
      member.status = json.profile
      return { body: { ok: true, profile: member.status } }
    }
    if (name === 'dnd.info') {
      const isSnoozed = member.snoozeEnd > seconds()
      const snooze = isSnoozed ? { snooze_enabled: true, snooze_endtime: member.snoozeEnd } : { snooze_enabled: false }
      return { body: { ok: true, dnd_enabled: false, next_dnd_start_ts: 1, next_dnd_end_ts: 1, ...snooze } }
    }
    if (name === 'dnd.setSnooze') {
      if (!/^[1-9]\d{0,3}$/.test(form.get('num_minutes') ?? '')) return refuse('missing_duration')
      member.snoozeEnd = seconds() + Number(form.get('num_minutes')) * 60
      return { body: { ok: true, snooze_enabled: true, snooze_endtime: member.snoozeEnd } }
    }
    if (name === 'dnd.endSnooze') {
      if (member.snoozeEnd <= seconds()) return refuse('snooze_not_active')
      member.snoozeEnd = 0
      return { body: { ok: true, snooze_enabled: false } }
    }
    tokens.delete(auth.replace('Bearer ', ''))
    return { body: { ok: true, revoked: true } }
  }

  const server = await startChatServer({ now, answer })
  const made: Slack = Object.assign(server, {
    user,
    agree,
    tokens,
    browserUser: 'U1',
    shownFor(id: string) {
      const { status, snoozeEnd } = user(id)
      return { text: status.status_text, emoji: status.status_emoji, isSnoozed: snoozeEnd > seconds() }
    },
  })
  return made
}

function refuse(error: string): ChatResponse {
  return { body: { ok: false, error } }
}

/** The page on which a person agrees, in a browser. */
function consentPage(url: URL, id: string, agree: Slack['agree'], callback: string): ChatResponse {
  const state = url.searchParams.get('state') ?? ''
  const denied = `${callback}?${new URLSearchParams({ error: 'access_denied', state })}`
  return {
    html: `<!doctype html><html lang="en"><title>Slack</title><link rel="icon" href="data:,"><h1>deeb requests permission</h1>
<a href="${agree(url.href, id).href.replaceAll('&', '&amp;')}">Allow</a> <a href="${denied.replaceAll('&', '&amp;')}">Cancel</a></html>`,
  }
}
