import type { FocusSession } from '@deeb/core/focus/api'
import { type PendingPress, withPresses } from '@deeb/core/focus/interruptions'
import { MAX_INTERRUPTIONS } from '@deeb/core/focus/session'
import { readHome } from '@deeb/core/home/api'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/homeSheets'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { v4 as uuidv4 } from 'uuid'
import { currentTimeZone } from '../device/local-time.ts'
import type { Home } from '../focus/day-queries.ts'
import type { PendingChange } from '../focus/queue/stored-changes.ts'
import { enqueue, onResult, usePending } from '../focus/queue/switch-queue.ts'
import { TextButton } from '../ui/TextLink.tsx'

interface InterruptionsProps {
  home: Home
  session: FocusSession
}

/** Counts the interruptions of the running session: a press adds one, and `Undo` takes the last one back. By the switch queue. */
export function Interruptions({ home, session }: InterruptionsProps) {
  useAcknowledged()
  const pending = usePending()
  const [said, setSaid] = useState('')
  const button = useRef<HTMLButtonElement>(null)
  const counted = withPresses(home.presses ?? [], pressesOf(pending))
    .filter(({ sessionId }) => sessionId === session.id)
    .slice(0, MAX_INTERRUPTIONS)
  const count = counted.length
  const last = counted.at(-1)

  async function change(to: PendingPress['to'], pressId: string, count: number): Promise<void> {
    const press = { userId: home.profile.id, to, sessionId: session.id, pressId }
    await enqueue({ ...press, timeZone: currentTimeZone(), actedAt: Date.now() })
    setSaid(texts.interruptions({ count }))
  }
  function undo(): void {
    if (last) void change('undo', last.pressId, count - 1)
    // The last undo removes its button.
    if (count === 1) button.current?.focus()
  }
  return (
    <div className="flex flex-wrap gap-x-4">
      <TextButton
        ref={button}
        tone="soft"
        aria-label={count > 0 ? `${texts.interrupted()} ${texts.interruptions({ count })}` : undefined}
        onClick={() => {
          if (count < MAX_INTERRUPTIONS) void change('interrupted', uuidv4(), count + 1)
        }}
      >
        {count > 0 ? texts.interruptions({ count }) : texts.interrupted()}
      </TextButton>
      {count > 0 ? (
        <TextButton tone="soft" onClick={undo}>
          {commonTexts.undo()}
        </TextButton>
      ) : null}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </div>
  )
}

/** Adds acknowledged presses to the cached Home, until it is refetched. */
function useAcknowledged(): void {
  const queryClient = useQueryClient()
  useEffect(() => onResult(({ taken }) => cachePresses(queryClient, pressesOf(taken))), [queryClient])
}

function cachePresses(queryClient: QueryClient, presses: PendingPress[]): void {
  queryClient.setQueriesData<Home>(
    { queryKey: [readHome.path] },
    (home) => home && { ...home, presses: withPresses(home.presses ?? [], presses) },
  )
}

function pressesOf(changes: readonly PendingChange[]): PendingPress[] {
  return changes.flatMap(({ to, sessionId, pressId }) =>
    pressId && (to === 'interrupted' || to === 'undo') ? [{ to, sessionId, pressId }] : [],
  )
}
