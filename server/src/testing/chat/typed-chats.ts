import {
  type ChatRequest,
  type ChatResponse,
  type ChatServer,
  fits,
  isInstant,
  isText,
  isWhole,
  type Limiter,
  startChatServer,
} from './chat-server.ts'

/** A stand-in of a Mattermost server with one user, from its OpenAPI file (version 4). */
export interface Mattermost extends ChatServer {
  token: string
  status: { status: string; manual: boolean; dnd_end_time: number }
  custom: { emoji: string; text: string; duration: string; expires_at: string } | null
}

export async function startMattermost({ now }: { now(): Date }): Promise<Mattermost> {
  const id = 'user0123456789abcdefghijkl'
  const refuse = (status: number, code: string) => ({ status, body: { id: code, message: code, status_code: status } })

  function answer(
    { method, url, auth, json }: ChatRequest,
    _limiter: Limiter,
    log: (name: string) => void,
  ): ChatResponse {
    const route = `${method} ${url.pathname.replace('/api/v4/users/me', '')}`
    log(route)
    if (auth !== `Bearer ${made.token}`) return refuse(401, 'api.context.session_expired.app_error')
    const custom = made.custom
    if (route === 'GET ') {
      return { body: { id, username: 'ann', props: custom ? { customStatus: JSON.stringify(custom) } : {} } }
    }
    if (made.status.status === 'dnd' && made.status.dnd_end_time * 1000 <= now().getTime()) {
      made.status = { status: 'online', manual: false, dnd_end_time: 0 }
    }
    if (route === 'GET /status') return { body: { user_id: id, last_activity_at: 1, ...made.status } }
    if (route === 'PUT /status') {
      const fields = {
        user_id: (value: unknown) => value === id,
        status: (value: unknown) => ['online', 'away', 'offline', 'dnd'].includes(String(value)),
        dnd_end_time: isWhole,
      }
      if (!fits(json, fields, ['dnd_end_time'])) return refuse(400, 'api.context.invalid_body_param.app_error')
      made.status = { status: json.status, manual: true, dnd_end_time: json.dnd_end_time ?? 0 }
      return { body: made.status }
    }
    if (route === 'PUT /status/custom') {
      const fields = {
        emoji: (value: unknown) => /^[a-z0-9_+-]*$/.test(String(value)),
        text: isText(100),
        duration: (value: unknown) => ['', 'date_and_time'].includes(String(value)),
        expires_at: isInstant,
      }
      if (!fits(json, fields, ['expires_at']))
        return refuse(400, 'api.custom_status.set_custom_statuses.update.app_error')
      made.custom = { expires_at: '0001-01-01T00:00:00Z', ...json }
      return { body: { status: 'OK' } }
    }
    if (route !== 'DELETE /status/custom') return refuse(404, 'api.context.404.app_error')
    made.custom = null
    return { body: { status: 'OK' } }
  }

  const server = await startChatServer({ now, answer })
  const status = { status: 'online', manual: false, dnd_end_time: 0 }
  const made: Mattermost = Object.assign(server, { token: 'personal-token', status, custom: null })
  return made
}

/** A stand-in of a Zulip organization with one user, from its API pages. */
export interface Zulip extends ChatServer {
  email: string
  key: string
  status: { status_text: string; emoji_name: string }
}

export async function startZulip({ now }: { now(): Date }): Promise<Zulip> {
  const refuse = (status: number, code: string) => ({ status, body: { result: 'error', msg: code, code } })

  function answer(
    { method, url, auth, form }: ChatRequest,
    limiter: Limiter,
    log: (name: string) => void,
  ): ChatResponse {
    const route = `${method} ${url.pathname.replace('/api/v1', '')}`
    log(route)
    if (!limiter.allow('user', 200)) return { ...refuse(429, 'RATE_LIMIT_HIT'), headers: { 'retry-after': '10' } }
    const expected = `Basic ${Buffer.from(`${made.email}:${made.key}`).toString('base64')}`
    if (auth !== expected) return refuse(401, 'UNAUTHORIZED')
    const done = { result: 'success', msg: '' }
    if (route === 'GET /users/me') return { body: { ...done, user_id: 7, full_name: 'Ann Meyer', email: made.email } }
    if (route === 'GET /users/7/status') return { body: { ...done, status: made.status } }
    if (route !== 'POST /users/me/status') return refuse(404, 'BAD_REQUEST')
    const [text, emoji] = [(form.get('status_text') ?? '').trim(), form.get('emoji_name') ?? '']
    if ([...form.keys()].sort().join() !== 'emoji_name,status_text' || text.length > 60)
      return refuse(400, 'BAD_REQUEST')
    if (!/^[a-z0-9_]*$/.test(emoji)) return refuse(400, 'BAD_REQUEST')
    made.status = { status_text: text, emoji_name: emoji }
    return { body: done }
  }

  const server = await startChatServer({ now, answer })
  const status = { status_text: '', emoji_name: '' }
  const made: Zulip = Object.assign(server, { email: 'ann@zulip.example', key: 'an api key', status })
  return made
}
