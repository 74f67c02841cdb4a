import { readMyData } from '@deeb/core/account/api'
import { saveGoals } from '@deeb/core/goals/api'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import { afterEach, expect, test, vi } from 'vitest'
import { removeTokens, storeTokens } from './testing/stored-tokens.ts'

afterEach(() => {
  vi.restoreAllMocks()
  removeTokens()
})

test('what one person saved is not saved for another who signed in before it was sent again', async () => {
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

test('a token that has run out and that nobody renews says nothing of a sign-out: the server is not asked with it', async () => {
  storeTokens('mara')
  const [{ api }, { auth, hasTokens }] = await Promise.all([import('./api.ts'), import('./auth-session.ts')])
  await auth.getSession()
  expect(hasTokens()).toBe(true)
  // What the client says for a minute after a renewal that failed.
  vi.spyOn(auth, 'getSession').mockResolvedValue({ data: { session: null }, error: null })
  const ask = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  await expect(api(saveGoals, { goals: everyDay(60) })).rejects.toMatchObject({ code: 'unavailable' })
  expect(ask).not.toHaveBeenCalled()
})

/** The server's next answer: a piece every 9 seconds, and no end where none is named. */
function answerSlowly(...pieces: (string | 'end')[]): void {
  vi.spyOn(window, 'fetch').mockImplementationOnce(async (_path, { signal } = {}) => {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
      async pull(stream) {
        await vi.advanceTimersByTimeAsync(9_000)
        const piece = pieces.shift()
        if (piece === 'end') stream.close()
        else if (piece !== undefined) stream.enqueue(new TextEncoder().encode(piece))
        else await vi.advanceTimersByTimeAsync(1_000)
      },
    }
    return new Response(new ReadableStream(source, { highWaterMark: 0 }))
  })
}

test('an answer may take as long as its pieces come, and fails after 10 seconds of silence', async () => {
  storeTokens('mara')
  const { api } = await import('./api.ts')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answerSlowly('{"profiles"', ':[', '{"id":1}', ']}', 'end')
  expect(await api(readMyData, {})).toEqual({ profiles: [{ id: 1 }] })
  answerSlowly('{"profiles"', ':[')
  await expect(api(readMyData, {})).rejects.toMatchObject({ code: 'unavailable' })
  vi.useRealTimers()
})
