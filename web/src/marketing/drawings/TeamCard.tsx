import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/site'
import * as teamTexts from '@deeb/texts/team'
import { PersonRow } from '../../ui/PersonRow.tsx'

const ROWS = [
  { role: texts.designer, isInDeebMode: true },
  { role: texts.developer, isInDeebMode: true },
  { role: texts.lead, isInDeebMode: false },
]

/** Three of the app's own rows, with roles instead of names and addresses. */
export function TeamCard() {
  return (
    <ul className="team-card" aria-label={texts.teamCard()}>
      {ROWS.map(({ role, isInDeebMode }) => (
        <li key={role()}>
          <PersonRow name={role()} email="" plugged={isInDeebMode}>
            <span className="team-status text-label" data-in-deeb-mode={isInDeebMode}>
              {isInDeebMode ? commonTexts.inDeebMode() : teamTexts.available()}
            </span>
          </PersonRow>
        </li>
      ))}
    </ul>
  )
}
