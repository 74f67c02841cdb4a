import { vi } from 'vitest'

const MARA = '33333333-3333-4333-8333-333333333333'
const NOW = '2026-06-15T09:00:00.000Z'

export const FOCUS_OFF = { openSession: null, forgottenSession: null, version: 1, serverTime: NOW }

/** The answer of `GET /api/home` for Mara Lind of fjordlab.example. */
export const HOME = {
  ...FOCUS_OFF,
  profile: {
    ...{ id: MARA, username: 'mara', firstName: 'Mara', lastName: 'Lind', email: 'mara.lind@fjordlab.example' },
    companyDomain: 'fjordlab.example',
  },
  goals: Array.from({ length: 7 }, (_, dayOfWeek) => ({ dayOfWeek, goalMinutes: 60 })),
  hasSessions: true,
  today: {
    ...{ date: '2026-06-15', dayOfWeek: 1, savedSeconds: 0 },
    ...{ startsAt: '2026-06-15T00:00:00.000Z', endsAt: '2099-06-16T00:00:00.000Z' },
  },
  requests: 0,
}

type Answer = object | string

/** The answer of the server to `GET /api/home`: a body, the code of a refusal, or a function of the sent body that makes either. */
export type Answers = Record<string, Answer | ((body: unknown) => Answer | Promise<Answer>)>

/** Answers all calls of the page. Returns the bodies of its calls, which it adds to. */
export function mockApi(answers: Answers): { call: string; body: unknown }[] {
  const calls: { call: string; body: unknown }[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input), window.location.href)
    const call = `${init?.method ?? 'GET'} ${pathname}`
    const body = init?.body ? JSON.parse(String(init.body)) : undefined
    calls.push({ call, body })
    const made = answers[call] ?? 'unavailable'
    const answer = typeof made === 'function' ? await made(body) : made
    if (answer instanceof Response) return answer
    if (typeof answer === 'object') return Response.json(answer)
    return Response.json({ code: answer, message: '', requestId: '' }, { status: 409 })
  })
  return calls
}
