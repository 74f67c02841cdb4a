import { shownName } from '@deeb/core/account/display-name'
import type { ConnectionRequest } from '@deeb/core/team/api'
import { Button } from '../ui/Button.tsx'
import { PersonRow } from '../ui/PersonRow.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { useAnswerRequest } from './team-changes.ts'

/** Who asks to be connected, to be accepted or declined. */
export function RequestsSheet({ requests, onClose }: { requests: ConnectionRequest[]; onClose: () => void }) {
  const answer = useAnswerRequest()
  const isBusy = (request: ConnectionRequest) => answer.isPending && answer.variables.request.id === request.id
  return (
    <Sheet title="Connection Requests" onDismiss={onClose}>
      {requests.length === 0 ? <p className="py-6 text-body text-soft">No pending requests</p> : null}
      <ul className="mt-2">
        {requests.map((request) => (
          <li key={request.id} className="border-line pt-1 pb-4 not-first:border-t" aria-label={nameOf(request)}>
            <PersonRow name={nameOf(request)} email={request.email ?? 'No email'} />
            <div className="mt-1 grid grid-cols-2 gap-3 *:w-full">
              <Button
                kind="secondary"
                size="list"
                busy={isBusy(request)}
                onClick={() => answer.mutate({ request, answer: 'declined' })}
              >
                Decline
              </Button>
              <Button
                kind="primary"
                size="list"
                busy={isBusy(request)}
                onClick={() => answer.mutate({ request, answer: 'accepted' })}
              >
                Accept
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

function nameOf({ firstName, lastName, username, email }: ConnectionRequest): string {
  if (email !== null) return shownName({ firstName, lastName, username, email })
  return [firstName, lastName].filter(Boolean).join(' ') || (username ?? 'Unknown User')
}
