import { readCurrent, readKept, setCurrent } from './storage.ts'

/** A person is active if they have used the computer in this time. */
const PAUSE_SECONDS = 300
const NUDGE_AFTER_MS = 40 * 60_000
/** A session may begin so long ago. */
const MAX_BACK_MS = 60 * 60_000

/**
 * Notes since when the person has been active without deeb mode, and after 40 minutes asks whether to count them. Only with the permission
 * `idle`, which says whether the computer is in use, and nothing else.
 */
export async function noteActivity(): Promise<void> {
  const [{ nudges, login }, { known, active }] = await Promise.all([readKept(), readCurrent()])
  const mayAsk = nudges && login !== null && chrome.idle !== undefined
  const isInUse = mayAsk && (await chrome.idle.queryState(PAUSE_SECONDS)) === 'active'
  if (!isInUse || known?.state.inDeebMode) return setCurrent({ active: null, nudgeSince: null })
  // The icon has another use while the server does not answer.
  if (!known) return setCurrent({ nudgeSince: null })
  const now = Date.now()
  // Nothing is seen while the computer sleeps.
  const goesOn = active !== null && now - active.seenAt < PAUSE_SECONDS * 1000
  const since = goesOn ? active.since : now
  const isLong = now - since >= NUDGE_AFTER_MS
  const from = Math.max(since, now - MAX_BACK_MS)
  await setCurrent({ active: { since, seenAt: now }, nudgeSince: isLong ? from : null })
}
