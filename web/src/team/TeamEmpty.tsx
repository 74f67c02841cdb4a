import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/team'
import { Link } from 'wouter'
import { OPENS_CHANGE_EMAIL } from '../device/history.ts'
import { type Home, useHome } from '../focus/day-queries.ts'
import { TextLink } from '../ui/TextLink.tsx'
import { shortName } from './members.ts'
import { useMinute, WallPerson } from './Wall.tsx'

/** Shown for an empty list: a drawing, a title and a hint what to do. */
export function TeamEmpty({ title, hint }: { title: string; hint: string }) {
  return (
    <div className="team-empty flex flex-col items-center pt-10 pb-4 text-center text-balance short:pt-6">
      <svg viewBox="0 0 168 56" width={168} height={56} fill="none" strokeWidth={8} aria-hidden="true">
        <circle cx={28} cy={28} r={22} className="stroke-line" />
        <circle cx={84} cy={28} r={22} className="stroke-edge" />
        <circle cx={140} cy={28} r={22} className="stroke-line" />
      </svg>
      <p className="mt-6 text-name wrap-anywhere">{title}</p>
      <p className="mt-1 text-body text-soft">{hint}</p>
    </div>
  )
}

/** Team of a user without a company, who can see nobody and be asked by nobody: their own circle, and the way to change the address. */
export function NoCompany() {
  const { data: home } = useHome()
  return (
    <div className="team-alone mx-auto flex flex-col items-center pt-10 text-center text-balance short:pt-6">
      {home ? <OwnCircle home={home} /> : null}
      <p className="mt-6 text-name">{texts.alone()}</p>
      <p className="mt-1 mb-2 text-body text-soft">{texts.aloneHint()}</p>
      <Link href={APP_PATHS.signInSettings} state={OPENS_CHANGE_EMAIL} asChild>
        <TextLink tone="soft">{texts.changeEmail()}</TextLink>
      </Link>
    </div>
  )
}

function OwnCircle({ home: { profile, openSession, version } }: { home: Home }) {
  const presence = { version, inDeebMode: openSession !== null, since: openSession?.startedAt ?? null }
  const member = { person: profile, presence, circleIds: [] }
  return (
    <div className="wall-person">
      <WallPerson member={member} name={shortName(profile)} now={useMinute([member])} />
    </div>
  )
}
