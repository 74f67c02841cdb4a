import { currentZone } from '../device/local-time.ts'
import { CLIENT_INFO } from '../device/platform.ts'
import { storedSession } from '../session/stored-session.ts'

/** The answer for Home that the page has asked for before its scripts were loaded. */
interface EarlyAnswer {
  address: string
  token: string
  /** In ms, by this device's clock. */
  sentAt: number
  response: Promise<Response>
}

declare global {
  interface Window {
    deebEarlyAnswer?: EarlyAnswer | undefined
  }
}

const MAX_AGE_MS = 10_000

/** Asks for Home as the stored user, on the paths that show Home only. Literals: the inline script has no room for the contract. */
export function askForHome(): void {
  const session = /^\/(app\/home|t)$/.test(location.pathname) && storedSession()
  if (!session) return
  const address = `/api/home?${new URLSearchParams(currentZone())}`
  const token = session.access_token
  const headers = { authorization: `Bearer ${token}`, 'x-client-info': CLIENT_INFO }
  const response = fetch(address, { headers })
  // It is handled where the answer is taken, if ever.
  response.catch(() => undefined)
  window.deebEarlyAnswer = { address, token, sentAt: Date.now(), response }
}

/** Takes the answer, once, if it is the one for this request and not too old. */
export function takeEarlyAnswer(address: string, token: string | null): EarlyAnswer | undefined {
  const early = window.deebEarlyAnswer
  if (early?.address !== address || early.token !== token) return undefined
  window.deebEarlyAnswer = undefined
  return Date.now() - early.sentAt < MAX_AGE_MS ? early : undefined
}
