import type { OwnState } from '@deeb/core/focus/own-state'

/** Kept until the person disconnects the extension. Never leaves the browser. */
export interface Kept {
  /** The server, and a token that switches only. */
  login: { server: string; token: string } | null
  /** The hosts of the quiet list. */
  sites: string[]
  nudges: boolean
}

/** Kept until the browser ends, in memory. */
export interface Current {
  /** The state as the server has said it, its version, and the last sign of life since then (Unix ms). Null if it is not known. */
  known: { state: OwnState; version: number; at: number } | null
  /** Sites of the quiet list that the person has opened anyway, until the session ends. */
  opened: string[]
  /** The sites that the browser keeps away now. */
  blocked: string[]
  /** The private key of a connection that has begun, as a JWK, and when. */
  pending: { key: JsonWebKey; server: string; at: number } | null
  /** No stream is opened before (Unix ms): the server has said that there are too many. */
  waitUntil: number
  /** Since when the person has been active without a pause and without deeb mode, and when that was last seen (Unix ms). */
  active: { since: number; seenAt: number } | null
  /** The nudge is shown, and counts since then (Unix ms). */
  nudgeSince: number | null
}

const KEPT: Kept = { login: null, sites: [], nudges: false }
const CURRENT: Current = {
  known: null,
  opened: [],
  blocked: [],
  pending: null,
  waitUntil: 0,
  active: null,
  nudgeSince: null,
}

export async function readKept(): Promise<Kept> {
  return (await chrome.storage.local.get({ ...KEPT })) as Kept
}

export async function readCurrent(): Promise<Current> {
  return (await chrome.storage.session.get({ ...CURRENT })) as Current
}

export function keep(change: Partial<Kept>): Promise<void> {
  return chrome.storage.local.set(change)
}

export function setCurrent(change: Partial<Current>): Promise<void> {
  return chrome.storage.session.set(change)
}

/** Calls `run` now, and after each change that can be seen: a sign of life of the server is none, and the end of a target is one. */
export function onStored(run: (kept: Kept, current: Current) => void): void {
  let before = ''
  const read = async () => {
    const [kept, current] = await Promise.all([readKept(), readCurrent()])
    const state = current.known?.state
    const isPast = state?.until != null && Date.parse(state.until) <= Date.now()
    const minutes = current.nudgeSince && Math.floor((Date.now() - current.nudgeSince) / 60_000)
    const seen = JSON.stringify([kept, { ...current, known: state, active: null }, isPast, minutes])
    if (seen === before) return
    before = seen
    run(kept, current)
  }
  chrome.storage.onChanged.addListener(() => void read())
  void read()
}
