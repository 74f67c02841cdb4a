import { saveGoals } from '@deeb/core/goals/api'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import { afterEach, expect, test, vi } from 'vitest'
import { dropTokens, keepTokens } from './testing/kept-tokens.ts'

afterEach(() => {
  vi.restoreAllMocks()
  dropTokens()
})

test('what one person saved is not saved for another who signed in before it was sent again', async () => {
  keepTokens('mara')
  const { api } = await import('./api.ts')
  const sent: string[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (_, init) => {
    sent.push(new Headers(init?.headers).get('authorization') ?? '')
    keepTokens('noa')
    return Response.json({ code: 'not_signed_in', message: '', requestId: '' }, { status: 401 })
  })
  await expect(api(saveGoals, { goals: everyDay(60) })).rejects.toMatchObject({ code: 'unavailable' })
  expect(sent).toEqual(['Bearer mara'])
})
