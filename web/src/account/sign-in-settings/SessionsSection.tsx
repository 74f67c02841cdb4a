import { agentName } from '@deeb/core/account/agent-name'
import { endAuthSession, endOtherAuthSessions, type readAuthSessions } from '@deeb/core/account/api'
import type { OutputOf } from '@deeb/core/endpoint'
import * as texts from '@deeb/texts/signInSettings'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError, api } from '../../calls/api.ts'
import { serverNow } from '../../calls/server-clock.ts'
import { dateText } from '../../device/local-date.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { TextButton } from '../../ui/TextLink.tsx'
import { showFailure, showToast } from '../../ui/toast.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import { AUTH_SESSIONS_KEY, useAuthSessions } from '../sign-in-queries.ts'
import type { WithProof } from '../use-proof.tsx'
import { ListState } from './ListState.tsx'
import { Row, Section } from './Section.tsx'

type AuthSession = OutputOf<typeof readAuthSessions>['sessions'][number]

const METHODS: Record<AuthSession['method'], () => string> = {
  password: texts.byPassword,
  passkey: texts.byPasskey,
  oauth: texts.byCompany,
  recovery: texts.byReset,
  email_change: texts.byEmailChange,
}

/** Where the user is signed in, with buttons to sign out there. */
export function SessionsSection({ withProof, isOld }: { withProof: WithProof; isOld: boolean }) {
  const read = useAuthSessions()
  const queryClient = useQueryClient()
  const [busy, run, failure] = useBusy()
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, 'h1')
  const sessions = read.data?.sessions ?? []
  async function end(call: () => Promise<unknown>, done: string): Promise<void> {
    const outcome = await withProof(() => endBy(call))
    if (outcome === undefined) return
    if (outcome === 'done') showToast({ title: done, tone: 'success' })
    else showFailure(texts.stillSignedIn())
    await queryClient.invalidateQueries({ queryKey: AUTH_SESSIONS_KEY })
  }
  return (
    <Section
      title={texts.whereSignedIn()}
      action={
        sessions.length > 1 ? (
          <Button
            kind="secondary"
            size="list"
            busy={busy}
            onClick={() => void run(() => end(() => api(endOtherAuthSessions, {}), texts.signedOutElsewhere()))}
          >
            {texts.signOutElsewhere()}
          </Button>
        ) : null
      }
    >
      <ListState read={read} hasButton={!isOld} />
      <ul ref={list}>
        {sessions.map((session) => (
          <Row key={session.id} {...wordsOf(session)}>
            {session.isThis ? null : (
              <TextButton
                tone="destructive"
                aria-busy={busy}
                aria-label={texts.signOutIt({ name: wordsOf(session).name })}
                onClick={() => void run(() => end(() => api(endAuthSession, { id: session.id }), texts.signedOut()))}
              >
                {texts.signOut()}
              </TextButton>
            )}
          </Row>
        ))}
      </ul>
      <FormError>{failure}</FormError>
    </Section>
  )
}

/** A session that has already ended counts as done. */
async function endBy(call: () => Promise<unknown>): Promise<'done' | 'proof needed' | 'failed'> {
  try {
    await call()
    return 'done'
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'unavailable'
    if (code === 'session_not_found') return 'done'
    return code === 'proof_needed' ? 'proof needed' : 'failed'
  }
}

function wordsOf({ agent, isBrowser, isThis, method, lastUsedAt, address }: AuthSession) {
  const today = dateText(serverNow())
  const day = dateText(new Date(lastUsedAt))
  const used = isThis ? texts.thisBrowser() : day === today ? texts.usedToday() : texts.usedOn({ date: day })
  return {
    name: agentName(agent, isBrowser),
    note: [METHODS[method]?.(), address].filter(Boolean).join(', '),
    when: used,
  }
}
