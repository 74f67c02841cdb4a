import { shownName } from '@deeb/core/account/display-name'
import { presenceOf } from '@deeb/core/presence/presence'
import { circleSign, personSign, type SignState } from '@deeb/core/signs/sign'
import { PROGRAMS_MAY_READ } from '../auth/personal-tokens/personal-token.ts'
import { type Db, lookup, statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { readPresences } from './read-presences.ts'

/** A display is noted as seen at most this often. */
const NOTED_EVERY = "interval '5 minutes'"

/** SQL: the account of `person` is switched off. Nobody sees it on a sign, whatever else is stored. */
const isSwitchedOff = (person: string) =>
  `exists (select from auth.users where users.id = ${person} and (deactivated_at is not null or banned_until is not null))`

const NAMES = `'username', username, 'firstName', first_name, 'lastName', last_name, 'email', email`

/** SQL: signs and what they show. `:circlesAt` as in who-sees.ts. */
const READ = `select signs.id, signs.user_id as "userId", circle_id is not null as "isOfCircle", shows_name as "showsName",
    shows_until as "showsUntil", start_time as "startedAt", target_minutes as "targetMinutes",
    json_build_object(${NAMES}) as person,
    coalesce(last_seen_at < :now::timestamptz - ${NOTED_EVERY}, true) as "isToBeNoted",
    (select coalesce(json_agg(json_build_object('userId', member.user_id, 'showsName', member.shows_name,
        'inDeebMode', exists (select from deeb_sessions where deeb_sessions.user_id = member.user_id and is_active),
        'person', (select json_build_object(${NAMES}) from profiles where profiles.id = member.user_id))), '[]')
      from sign_agreements as member where sign_id = signs.id and not ${isSwitchedOff('member.user_id')}
        and exists (select from auth.users where users.id = signs.user_id and ${PROGRAMS_MAY_READ})) as members
  from signs join profiles on profiles.id = signs.user_id
    left join deeb_sessions on deeb_sessions.user_id = signs.user_id and is_active and circle_id is null
  where (circle_id is null or :circlesAt::timestamptz is not null) and not ${isSwitchedOff('signs.user_id')}`

const byIds = statement('presence.signs', `${READ} and signs.id = any(:ids::uuid[])`)
const byToken = lookup('presence.sign-of-token', `${READ} and token_hash = :tokenHash`)

/** The current content of a sign, and whose presence that is. */
export interface ReadSign {
  id: string
  state: SignState
  /** All whose presence the sign shows, and its maker: when one of them changes, the sign has to be read again. */
  userIds: string[]
  /** Whether its last reading is older than what is stored. See noteSeen(). */
  isToBeNoted: boolean
}

type Names = Parameters<typeof shownName>[0]

interface SignRow {
  id: string
  userId: string
  isOfCircle: boolean
  showsName: boolean
  showsUntil: boolean
  startedAt: Date | null
  targetMinutes: number | null
  person: Names
  isToBeNoted: boolean
  members: { userId: string; showsName: boolean; inDeebMode: boolean; person: Names }[]
}

function signOf(row: SignRow, now: Date): ReadSign {
  const { id, userId, isToBeNoted, members } = row
  return { id, userIds: [userId, ...members.map((member) => member.userId)], isToBeNoted, state: stateOf(row, now) }
}

function stateOf({ isOfCircle, members, startedAt, targetMinutes, ...row }: SignRow, now: Date): SignState {
  if (isOfCircle) {
    const shown = members.map(({ inDeebMode, showsName, person }) => {
      return { inDeebMode, name: showsName ? shownName(person) : null }
    })
    return circleSign(shown, now)
  }
  const open = startedAt && { startedAt: startedAt.toISOString(), ...(targetMinutes && { targetMinutes }) }
  const shows = { name: row.showsName ? shownName(row.person) : null, until: row.showsUntil }
  return personSign(presenceOf(open, now), shows, now)
}

/** The signs with these ids. Those that were revoked are missing. */
export async function readSignStates(
  db: Db,
  ids: string[],
  circlesAt: Date | null,
  now: Date,
): Promise<Map<string, ReadSign>> {
  const rows = await db.query<SignRow>(byIds, { ids, circlesAt, now })
  return new Map(rows.map((row) => [row.id, signOf(row, now)]))
}

/** The sign with this secret; null if there is none, or not any more. */
export async function readSignOfToken(
  db: Db,
  tokenHash: Buffer,
  circlesAt: Date | null,
  now: Date,
): Promise<ReadSign | null> {
  const [row] = await db.query<SignRow>(byToken, { tokenHash, circlesAt, now })
  return row ? signOf(row, now) : null
}

/** Reads the user like a sign, for a personal access token of theirs: without a name, and with times. */
export async function readSignOfOwner(db: Db, { userId, sessionId }: SignedInActor, now: Date): Promise<ReadSign> {
  const [presence] = await readPresences(db, [userId], null)
  if (!presence) throw new Refusal('not_signed_in')
  const state = personSign(presenceOf(presence.state.openSession, now), { name: null, until: true }, now)
  return { id: sessionId, userIds: [userId], isToBeNoted: false, state }
}

const note = statement('presence.note-signs-seen', 'update signs set last_seen_at = :now where id = any(:ids::uuid[])')

/** Stores that displays have read these signs, where what is stored is older than five minutes. */
export async function noteSeen(db: Db, signs: Iterable<ReadSign>, now: Date): Promise<void> {
  const ids = [...signs].filter(({ isToBeNoted }) => isToBeNoted).map(({ id }) => id)
  if (ids.length > 0) await db.query(note, { ids, now })
}
