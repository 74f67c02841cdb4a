import type { FocusState } from '@deeb/core/focus/api'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { personHere, usePersonId } from '../auth-session.ts'
import { currentTimeZone } from '../local-time.ts'
import { followSettlement, shownOpenSession } from './focus-cache.ts'
import { keepSending } from './queue/keep-sending.ts'
import type { Press } from './queue/stored-changes.ts'
import { enqueue, isStored, onSettled, useWaiting, waitingOf } from './queue/switch-queue.ts'

/** Quick presses take their turns: each starts from what the one before made. */
let pressed: Promise<void> = Promise.resolve()
/** What the last of them is for, while any waits for its turn. */
let intended: { to: 'on' | 'off'; presses: number } = { to: 'off', presses: 0 }

/**
 * The switch of a screen: whether it is on, undefined while nothing is known, and what a press does. Deeb mode goes on or
 * off as soon as the change is on the disk; `useSending` sends it, now or when there is a network again.
 */
export function useSwitchFocus(focus: FocusState | undefined) {
  const queryClient = useQueryClient()
  const waiting = useWaiting()
  const userId = usePersonId()
  const openSession = focus ? focus.openSession : shownOpenSession(queryClient, waiting)
  return {
    isOn: openSession === undefined ? undefined : openSession !== null,
    pressSwitch: () => {
      if (userId) pressSwitch(queryClient, userId)
    },
  }
}

/** What a press is for is settled when it comes, by what is on the screen or will be by the presses before it. */
function pressSwitch(queryClient: QueryClient, userId: string): void {
  const actedAt = Date.now()
  const shown = shownOpenSession(queryClient, waitingOf(userId))
  if (shown === undefined) return
  const isOn = intended.presses > 0 ? intended.to === 'on' : shown !== null
  const to = isOn ? 'off' : 'on'
  intended = { to, presses: intended.presses + 1 }
  pressed = pressed.then(async () => {
    await change(queryClient, { userId, to, actedAt })
    intended.presses--
  })
}

async function change(queryClient: QueryClient, press: Pick<Press, 'userId' | 'to' | 'actedAt'>): Promise<void> {
  const openSession = shownOpenSession(queryClient, waitingOf(press.userId))
  // Another tab was faster.
  if ((press.to === 'on') === Boolean(openSession)) return
  await enqueue({ ...press, sessionId: openSession?.id ?? uuidv7(), timeZone: currentTimeZone() })
}

/** Waits for presses that are being stored. Resolves to whether all that wait would survive a reload of the page. */
export async function arePressesStored(): Promise<boolean> {
  await pressed
  return waitingOf(personHere() ?? '').every(isStored)
}

/** Sends the person's switches for as long as the caller is shown, and shows what the server made of them. */
export function useSending(userId: string): void {
  const queryClient = useQueryClient()
  useEffect(() => keepSending(userId), [userId])
  useEffect(
    () =>
      onSettled((settlement) => {
        if (settlement.userId === userId) followSettlement(queryClient, settlement)
      }),
    [queryClient, userId],
  )
}
