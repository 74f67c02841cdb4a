import { readMyData } from '@deeb/core/account/api'
import { saveGoals } from '@deeb/core/goals/api'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import { afterEach, expect, test, vi } from 'vitest'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'

afterEach(() => {
  vi.restoreAllMocks()
  removeTokens()
})

test('a call is not sent with an expired token that cannot be refreshed, and the user stays signed in', async () => {
  storeTokens('mara')
  const [{ api }, { authClient, hasTokens }] = await Promise.all([
    import('./api.ts'),
    import('../session/auth-session.ts'),
  ])
  const auth = await authClient()
  await auth.getSession()
  expect(hasTokens()).toBe(true)
  // As the auth client answers for a minute after a failed refresh.
  vi.spyOn(auth, 'getSession').mockResolvedValue({ data: { session: null }, error: null })
  const ask = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  await expect(api(saveGoals, { goals: everyDay(60) })).rejects.toMatchObject({ code: 'unavailable' })
  expect(ask).not.toHaveBeenCalled()
})

/** The next response of the server: a chunk every 9 seconds. It stays open unless the last chunk is 'end'. */
function answerSlowly(...chunks: (string | 'end')[]): void {
  vi.spyOn(window, 'fetch').mockImplementationOnce(async (_path, { signal } = {}) => {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
      async pull(stream) {
        await vi.advanceTimersByTimeAsync(9_000)
        const chunk = chunks.shift()
        if (chunk === 'end') stream.close()
        else if (chunk !== undefined) stream.enqueue(new TextEncoder().encode(chunk))
        else await vi.advanceTimersByTimeAsync(1_000)
      },
    }
    return new Response(new ReadableStream(source, { highWaterMark: 0 }))
  })
}

test('a response has no time limit while chunks arrive, and fails after 10 idle seconds', async () => {
  storeTokens('mara')
  const { api } = await import('./api.ts')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answerSlowly('{"profiles"', ':[', '{"id":1}', ']}', 'end')
  expect(await api(readMyData, {})).toEqual({ profiles: [{ id: 1 }] })
  answerSlowly('{"profiles"', ':[')
  await expect(api(readMyData, {})).rejects.toMatchObject({ code: 'unavailable' })
  vi.useRealTimers()
})

test('a refused call is unavailable, and is retried, while the auth client cannot tell why', async () => {
  storeTokens('mara')
  const [{ api }, { authClient }] = await Promise.all([import('./api.ts'), import('../session/auth-session.ts')])
  vi.spyOn(await authClient(), 'getUser').mockRejectedValue(new TypeError('Failed to fetch'))
  const refusal = { code: 'not_signed_in', message: '', requestId: '' }
  vi.spyOn(window, 'fetch').mockResolvedValue(Response.json(refusal, { status: 401 }))
  await expect(api(saveGoals, { goals: everyDay(60) })).rejects.toMatchObject({ code: 'unavailable' })
})

// The last one: the page stays signed in as the other user.
test('a retry is not sent as another user who has signed in since the first attempt', async () => {
  storeTokens('mara')
  const { api } = await import('./api.ts')
  const sent: string[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (_, init) => {
    sent.push(new Headers(init?.headers).get('authorization') ?? '')
    storeTokens('noa')
    return Response.json({ code: 'not_signed_in', message: '', requestId: '' }, { status: 401 })
  })
  await expect(api(saveGoals, { goals: everyDay(60) })).rejects.toMatchObject({ code: 'unavailable' })
  expect(sent).toEqual(['Bearer mara'])
})
