import { readHome } from '@deeb/core/home/api'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { applyPresence, refetchTeam, type Team } from './team-cache.ts'
import { teamQuery } from './team-queries.ts'

const NOW = '2026-06-15T09:00:00.000Z'
const TEAM: Team = {
  openSession: null,
  forgottenSession: null,
  version: 1,
  serverTime: NOW,
  connections: [],
  requests: [],
  sent: [],
}
const ANN = '11111111-1111-4111-8111-111111111111'
const BEN = '22222222-2222-4222-8222-222222222222'

const person = (id: string) => ({
  id,
  username: null,
  firstName: null,
  lastName: null,
  email: `${id}@fjordlab.example`,
})
const requestOf = (id: string) => ({ ...person(id), userId: id })
const OFF = { inDeebMode: false, since: null }
const ON = { inDeebMode: true, since: NOW }
const connectionOf = (id: string) => ({ id, person: person(id), presence: OFF })

/** The team screen. The test answers its requests by their index. */
function openScreen() {
  const queryClient = new QueryClient()
  const answers: ((team: object) => void)[] = []
  const requested = (times: number) => expect.poll(() => answers.length).toBe(times)
  vi.spyOn(window, 'fetch').mockImplementation(
    () => new Promise((answer) => answers.push((team) => answer(Response.json(team)))),
  )
  const observer = new QueryObserver(queryClient, teamQuery(queryClient))
  const leave = observer.subscribe(() => undefined)
  const team = () => observer.getCurrentResult().data as Team | undefined
  async function answer(index: number, team: object): Promise<void> {
    await expect.poll(() => answers.length).toBeGreaterThan(index)
    answers[index]?.(team)
  }
  return { queryClient, requested, answer, team, leave }
}

test.each([0, 1])('a request that arrives during a refetch is shown, after %i earlier responses', async (before) => {
  const { queryClient, requested, answer, team, leave } = openScreen()
  if (before > 0) {
    await answer(0, TEAM)
    await expect.poll(team).toEqual(TEAM)
    refetchTeam(queryClient)
  }
  await requested(before + 1)
  // The server has answered, and its response is in flight.
  refetchTeam(queryClient)
  await answer(before, { ...TEAM, requests: [requestOf(ANN)] })
  await requested(before + 2)
  await answer(before + 1, { ...TEAM, requests: [requestOf(ANN), requestOf(BEN)] })
  await expect.poll(() => team()?.requests.map(({ id }) => id)).toEqual([ANN, BEN])
  leave()
})

test('an inactive team query is removed after a connection was quit', async () => {
  const { queryClient, requested, answer, team, leave } = openScreen()
  await answer(0, { ...TEAM, connections: [connectionOf(ANN)] })
  await expect.poll(() => team()?.connections.length).toBe(1)
  leave()
  refetchTeam(queryClient)
  expect(queryClient.getQueryData(teamQuery(queryClient).queryKey)).toBeUndefined()
  await requested(1)
})

test('a presence event during a refetch is shown, also of a new connection', async () => {
  const { queryClient, requested, answer, team, leave } = openScreen()
  await requested(1)
  applyPresence(queryClient, { userId: ANN, presence: ON })
  await answer(0, { ...TEAM, connections: [connectionOf(ANN), connectionOf(BEN)] })
  await expect.poll(() => team()?.connections.map(({ presence }) => presence.inDeebMode)).toEqual([true, false])
  leave()
})

test('a presence event before a refetch is replaced by its response', async () => {
  const { queryClient, requested, answer, team, leave } = openScreen()
  const isOn = () => team()?.connections.map(({ presence }) => presence.inDeebMode)
  await requested(1)
  await answer(0, { ...TEAM, connections: [connectionOf(ANN)] })
  await expect.poll(isOn).toEqual([false])
  applyPresence(queryClient, { userId: ANN, presence: ON })
  await expect.poll(isOn).toEqual([true])
  refetchTeam(queryClient)
  await requested(2)
  await answer(1, { ...TEAM, connections: [connectionOf(ANN)] })
  await expect.poll(isOn).toEqual([false])
  leave()
})

test('a presence event of somebody who is not in the team refetches it', async () => {
  const { queryClient, requested, answer, team, leave } = openScreen()
  await answer(0, { ...TEAM, connections: [connectionOf(BEN)], throughCircles: [] })
  await expect.poll(() => team()?.connections.length).toBe(1)
  applyPresence(queryClient, { userId: BEN, presence: ON })
  await requested(1)
  applyPresence(queryClient, { userId: ANN, presence: ON })
  await requested(2)
  const seen = { person: person(ANN), presence: ON, circleIds: [] }
  await answer(1, { ...TEAM, throughCircles: [seen] })
  await expect.poll(() => team()?.throughCircles?.[0]?.presence.inDeebMode).toBe(true)
  leave()
})

test.each([
  ['a change refetches Home, also while a response is in flight', true, 2],
  ['a new stream does not interrupt the first response for Home', false, 1],
])('%s', async (_, isChange, requests) => {
  const queryClient = new QueryClient()
  let sent = 0
  const queryFn = () => {
    sent += 1
    return new Promise<object>(() => undefined)
  }
  const leave = new QueryObserver(queryClient, { queryKey: [readHome.path, 'UTC'], queryFn }).subscribe(() => undefined)
  await expect.poll(() => sent).toBe(1)
  refetchTeam(queryClient, isChange)
  await expect.poll(() => sent).toBe(requests)
  leave()
})
