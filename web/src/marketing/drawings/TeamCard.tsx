import { PersonRow } from '../../ui/PersonRow.tsx'

const ROWS = [
  { role: 'designer', isInDeebMode: true },
  { role: 'backend developer', isInDeebMode: true },
  { role: 'team lead', isInDeebMode: false },
]

/** Three of the app's own rows, with roles instead of names and addresses. */
export function TeamCard() {
  return (
    <ul className="team-card" aria-label="how it looks in the app">
      {ROWS.map(({ role, isInDeebMode }) => (
        <li key={role}>
          <PersonRow name={role} email="" plugged={isInDeebMode}>
            <span className="team-status text-label" data-in-deeb-mode={isInDeebMode}>
              {isInDeebMode ? 'In deeb mode' : 'Available'}
            </span>
          </PersonRow>
        </li>
      ))}
    </ul>
  )
}
