import { shownName } from '@deeb/core/account/display-name'
import * as texts from '@deeb/texts/knocks'
import * as teamTexts from '@deeb/texts/team'
import { ListState } from '../account/sign-in-settings/ListState.tsx'
import { allowPushOnce } from '../push/push.ts'
import { useSignedInUserId } from '../session/auth-session.ts'
import { useAlerts } from '../team/alerts-queries.ts'
import { useAllowKnocks } from '../team/knock-queries.ts'
import { useTeam } from '../team/team-queries.ts'
import { Sheet } from '../ui/Sheet.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'

/** Lets the user choose who may interrupt them: circles, and connections. */
export function WhoMayKnock({ onClose }: { onClose: () => void }) {
  const ownId = useSignedInUserId() ?? ''
  const team = useTeam()
  const alerts = useAlerts()
  const { mutate } = useAllowKnocks()
  const circles = team.data?.circles ?? []
  const connections = team.data?.connections ?? []
  const choices = [
    ...circles.map(({ id, name }) => ({ id, name })),
    ...connections.map(({ id, person }) => ({ id, name: shownName(person) })),
  ]
  return (
    <Sheet title={texts.cantWait()} onDismiss={onClose}>
      <p className="text-body text-pretty text-soft">{texts.whoNote()}</p>
      <ListState read={team.data ? alerts : team} />
      {team.data && choices.length === 0 ? <p className="mt-4 text-body">{teamTexts.noConnections()}</p> : null}
      <ul className="mt-4">
        {choices.map(({ id, name }) => (
          <li key={id}>
            <SwitchRow
              label={name}
              checked={alerts.data?.knocks?.allowed.includes(id) ?? false}
              disabled={!alerts.data}
              onChange={(isAllowed) => {
                mutate({ id, isAllowed })
                if (isAllowed) allowPushOnce(ownId).catch(() => undefined)
              }}
            />
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
