import { randomBytes } from 'node:crypto'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { readWeek } from '@deeb/core/stats/api'
import { readTeam } from '@deeb/core/team/api'
import { wire } from './http-connection.ts'
import { TIME_ZONE } from './recorded.ts'
import type { Person } from './tokens.ts'

/** Home reads, switches, or reads of a constant answer of the bare server. */
export type Work = 'home' | 'switches' | 'constant'

const ZONE = `timeZone=${encodeURIComponent(TIME_ZONE)}`

const read = (path: string, { accessToken }: Person) => wire({ method: 'GET', path, accessToken })

export const homeRequest = (person: Person) => read(`${readHome.path}?${ZONE}`, person)
export const constantRequest = (person: Person) => read(`/constant?${ZONE}`, person)
export const weekRequest = (person: Person) => read(`${readWeek.path}?${ZONE}`, person)
export const teamRequest = (person: Person) => read(readTeam.path, person)

export const switchOnRequest = ({ accessToken }: Person, sessionId: string) =>
  wire({ method: 'POST', path: startFocus.path, accessToken, body: { sessionId, timeZone: TIME_ZONE } })
export const switchOffRequest = ({ accessToken }: Person, sessionId: string) =>
  wire({ method: 'POST', path: stopFocus.path, accessToken, body: { sessionId } })

/** Requests that start a focus session in even rounds and stop it in odd ones. */
export function switches(person: Person): (round: number) => string {
  let sessionId = ''
  return (round) => {
    if (round % 2 !== 0) return switchOffRequest(person, sessionId)
    sessionId = newSessionId()
    return switchOnRequest(person, sessionId)
  }
}

/** A UUIDv7. */
export function newSessionId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = randomBytes(10).toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`
}
