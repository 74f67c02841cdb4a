const ROWS = [
  { role: 'designer', isInDeebMode: true },
  { role: 'backend developer', isInDeebMode: true },
  { role: 'team lead', isInDeebMode: false },
]

/** Three rows of the app's team screen, by role: nobody is made up. */
export function TeamCard() {
  return (
    <ul className="team-card" aria-label="how it looks in the app">
      {ROWS.map(({ role, isInDeebMode }) => (
        <li key={role} className="team-row" data-in-deeb-mode={isInDeebMode}>
          <span className="team-initial" aria-hidden="true">
            {role.charAt(0).toUpperCase()}
          </span>
          <span className="team-role">{role}</span>
          <span className="team-status">{isInDeebMode ? 'In deeb mode' : 'Available'}</span>
        </li>
      ))}
    </ul>
  )
}
