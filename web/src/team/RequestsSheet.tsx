import { shownName } from '@deeb/core/account/display-name'
import type { ConnectionRequest } from '@deeb/core/team/api'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/team'
import { useId, useRef } from 'react'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { PersonRow } from '../ui/PersonRow.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useTapGuard } from '../ui/use-tap-guard.ts'
import { ColleagueList } from './ColleagueList.tsx'
import type { Team } from './team-cache.ts'
import { useAnswerRequest } from './team-queries.ts'

/** The first button of the sheet. */
const CLOSE = '.sheet button'

interface RequestsSheetProps {
  /** Undefined until it is loaded. */
  team: Team | undefined
  hasFailed: boolean
  onRetry: () => void
  onClose: () => void
}

/** The requests to the user, with buttons to accept or decline them, and those that the user has sent. */
export function RequestsSheet({ team, hasFailed, onRetry, onClose }: RequestsSheetProps) {
  return (
    <Sheet title={texts.connectionRequests()} onDismiss={onClose}>
      {team ? (
        <>
          <Requests requests={team.requests} />
          {team.sent.length > 0 ? <h3 className="mt-4 text-label text-soft">{texts.sent()}</h3> : null}
          <ColleagueList
            label={texts.sent()}
            people={team.sent.map(({ person }) => person)}
            sent={team.sent}
            otherwise={CLOSE}
          />
        </>
      ) : null}
      {!team && hasFailed ? (
        <>
          <p className="pt-4 text-body text-soft">{texts.requestsFailed()}</p>
          <TextButton onClick={onRetry}>{commonTexts.tryAgain()}</TextButton>
        </>
      ) : null}
      {!team && !hasFailed ? (
        <p role="status" className="skeleton py-6 text-body text-soft">
          {commonTexts.loading()}
        </p>
      ) : null}
    </Sheet>
  )
}

function Requests({ requests }: { requests: ConnectionRequest[] }) {
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list, CLOSE)
  useTapGuard(list, requests.length)
  return (
    <>
      {requests.length === 0 ? <p className="py-6 text-body text-soft">{texts.noRequests()}</p> : null}
      <ul ref={list} className="mt-2">
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </ul>
    </>
  )
}

function RequestRow({ request }: { request: ConnectionRequest }) {
  const id = useId()
  const answerRequest = useAnswerRequest()
  const [busy, run, failure] = useBusy()
  const answer = (answer: 'accepted' | 'declined') =>
    void run(() => answerRequest.mutateAsync({ request, answer }).catch(() => undefined))
  return (
    <li id={id} className="border-line pt-1 pb-4 not-first:border-t" aria-label={nameOf(request)}>
      <PersonRow name={nameOf(request)} email={request.email ?? texts.noEmail()} />
      <FormError>{failure}</FormError>
      <div className="mt-1 grid grid-cols-2 gap-3 *:w-full">
        {/* From button to button, screen readers do not read the name of the list item. */}
        <Button kind="secondary" size="list" aria-describedby={id} busy={busy} onClick={() => answer('declined')}>
          {texts.decline()}
        </Button>
        <Button kind="primary" size="list" aria-describedby={id} busy={busy} onClick={() => answer('accepted')}>
          {texts.accept()}
        </Button>
      </div>
    </li>
  )
}

function nameOf({ firstName, lastName, username, email }: ConnectionRequest): string {
  if (email !== null) return shownName({ firstName, lastName, username, email })
  return [firstName, lastName].filter(Boolean).join(' ') || (username ?? texts.unknownUser())
}
