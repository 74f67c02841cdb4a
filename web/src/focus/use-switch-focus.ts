import type { FocusState } from '@deeb/core/focus/api'
import { elapsedSeconds } from '@deeb/core/focus/session'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { byServerClock } from '../calls/server-clock.ts'
import { currentTimeZone } from '../device/local-time.ts'
import { useRememberedLook } from '../device/look.ts'
import { signedInUserId, useSignedInUserId } from '../session/auth-session.ts'
import { applyBatchResult, shownOpenSession } from './focus-cache.ts'
import { keepSending } from './queue/keep-sending.ts'
import type { Press } from './queue/stored-changes.ts'
import { enqueue, isStored, onResult, pendingOf, usePending } from './queue/switch-queue.ts'

/** Serializes quick presses: each starts from the result of the previous one. */
let pressed: Promise<void> = Promise.resolve()
/** The target state of the last press, while a press is not stored yet. */
let intended: { to: 'on' | 'off'; presses: number } = { to: 'off', presses: 0 }

/**
 * The switch of a screen: whether it is on (undefined until known), since which session, and what a press does. The screen
 * follows once the change is on the disk, an optimistic update. `useSending` sends it, now or when the network returns.
 */
export function useSwitchFocus(focus: FocusState | undefined) {
  const queryClient = useQueryClient()
  const pending = usePending()
  const userId = useSignedInUserId()
  const openSession = focus ? focus.openSession : shownOpenSession(queryClient, pending)
  const isOn = openSession === undefined ? undefined : openSession !== null
  useRememberedLook(isOn)
  return {
    openSession,
    isOn,
    pressSwitch: () => {
      if (userId) pressSwitch(queryClient, userId)
    },
    /** Unlike a press, a second call changes nothing. */
    switchOff: () => {
      if (userId) pressSwitch(queryClient, userId, 'off')
    },
  }
}

/**
 * By default the target state is the opposite of what the screen shows at the press, or will show after earlier presses. `opened` is
 * known of the session that the press opens: its target, or the id that all devices of its user give it.
 */
export function pressSwitch(
  queryClient: QueryClient,
  userId: string,
  wanted?: 'on' | 'off',
  opened?: Pick<Press, 'targetMinutes'> & { sessionId?: string },
): void {
  const actedAt = Date.now()
  const shown = shownOpenSession(queryClient, pendingOf(userId))
  if (shown === undefined) return
  const isOn = intended.presses > 0 ? intended.to === 'on' : shown !== null
  const to = wanted ?? (isOn ? 'off' : 'on')
  intended = { to, presses: intended.presses + 1 }
  pressed = pressed.then(async () => {
    await change(queryClient, { userId, to, actedAt, ...opened })
    intended.presses--
  })
}

async function change(
  queryClient: QueryClient,
  press: Omit<Press, 'sessionId' | 'timeZone'> & { sessionId?: string },
): Promise<void> {
  const openSession = shownOpenSession(queryClient, pendingOf(press.userId))
  // Another tab has already done it.
  if ((press.to === 'on') === Boolean(openSession)) return
  await enqueue({ sessionId: openSession?.id ?? uuidv7(), timeZone: currentTimeZone(), ...press })
  if (!openSession) return
  const seconds = elapsedSeconds(new Date(openSession.startedAt), byServerClock(press.actedAt))
  for (const listener of offListeners) listener(seconds)
}

const offListeners = new Set<(seconds: number) => void>()

/** Calls the listener with the length of each session that a press on this page ends. */
export function onSwitchedOff(listener: (seconds: number) => void): () => void {
  offListeners.add(listener)
  return () => offListeners.delete(listener)
}

/** Waits for presses that are being stored. Resolves to whether all pending changes would survive a reload of the page. */
export async function arePressesStored(): Promise<boolean> {
  await pressed
  return pendingOf(signedInUserId() ?? '').every(isStored)
}

/** Sends the user's pending changes while the caller is mounted, and applies the results to the query cache. */
export function useSending(userId: string): void {
  const queryClient = useQueryClient()
  useEffect(() => keepSending(userId), [userId])
  useEffect(
    () =>
      onResult((result) => {
        if (result.userId === userId) applyBatchResult(queryClient, result)
      }),
    [queryClient, userId],
  )
}
