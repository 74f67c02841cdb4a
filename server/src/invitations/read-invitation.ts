import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { readInvitation as endpoint } from '@deeb/core/invitations/api'
import { invitationOf, senderOf } from '@deeb/core/invitations/invitation'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { deactivatedOf } from '../presence/who-sees.ts'
import { MOST_COUNTED, roughly } from './roughly.ts'
import { isSignatureOf } from './signature.ts'

const find = statement(
  'invitations.find',
  `select circles.id as "circleId", circles.name as circle, inviter.name as inviter,
    coalesce(circles.company_domain, inviter.company_domain) as domain
  from (select) as one left join circles on circles.invite = :circle
    left join (
      select coalesce(first_name, username) as name, company_domain from profiles where id = :userId and not exists (
        select from auth.users where users.id = :userId and (deactivated_at is not null or banned_until is not null))
    ) as inviter on true`,
)

const count = statement(
  'invitations.count',
  `with deactivated as materialized (
    ${deactivatedOf(':domain')}
  )
  select count(*)::int as count from (
    select from circle_members where circle_id = :circleId and user_id not in (select id from deactivated)
    union all
    select from profiles where :circleId::uuid is null and company_domain = :domain
      and id not in (select id from deactivated)
    limit ${MOST_COUNTED}
  ) as people`,
)

interface Found {
  circleId: string | null
  circle: string | null
  /** Null if the link names nobody, or somebody who is gone or switched off. */
  inviter: string | null
  domain: string | null
}

/**
 * Who invites to what, for anyone with the link: decision 59 says what it may show. Throws `not_found` for everything else, wrong, old or
 * ended. The link of a circle does not need a valid signature, only its secret.
 */
export async function readInvitation(
  db: Db,
  keys: Pick<Keys, 'invitationKeys'>,
  { invite }: InputOf<typeof endpoint>,
  circleSize: number,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const invitation = invitationOf(invite)
  if (!invitation) throw new Refusal('not_found')
  const { circle, signature } = invitation
  const [found] = await db.query<Found>(find, { circle, userId: signature && senderOf(signature) })
  const domain = found?.domain ?? ''
  const isSigned = signature !== null && isSignatureOf(keys, signature, { domain, circle }, now)
  const isValid = circle === null ? isSigned && domain !== '' : Boolean(found?.circleId) && circleSize > 0
  if (!found || !isValid) throw new Refusal('not_found')
  const { circleId } = found
  const [people] = await db.query<{ count: number }>(count, { circleId, domain })
  return {
    inviter: isSigned ? found.inviter : null,
    circle: found.circle,
    domain,
    people: roughly(people?.count ?? 0, keys.invitationKeys[0], circleId ?? domain),
  }
}
