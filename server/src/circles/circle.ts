import { randomBytes } from 'node:crypto'
import { INVALID_USERNAME, normalizeUsername } from '@deeb/core/account/username'
import { isSecret } from '@deeb/core/invitations/invitation'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const INVITE_BYTES = 16

/** Throws `circles_off` on a server without circles. */
export function requireCircles(circleSize: number): void {
  if (circleSize === 0) throw new Refusal('circles_off')
}

/** A new secret for a link, in the form of `isSecret`. */
export function makeInvite(): string {
  return randomBytes(INVITE_BYTES).toString('base64url')
}

/** The secret of a link. Throws `not_found` for any other text: none has it. */
export function requireInvite(text: string): string {
  if (!isSecret(text)) throw new Refusal('not_found')
  return text
}

/** The name in the form that is saved, by the rules of usernames. Throws `invalid_input`. */
export function circleName(text: string): string {
  const name = normalizeUsername(text)
  if (name === null) throw new Refusal('invalid_input', [{ path: 'name', message: INVALID_USERNAME }])
  return name
}

/** SQL: the order of circles. */
export const BY_CIRCLE_NAME = 'lower(name) collate "C", circles.id'

/** SQL: the keeper of a circle by its id: the member who joined first, among those whose account is not switched off. */
export function keeperOf(circleId: string): string {
  return `(select user_id from circle_members where circle_id = ${circleId}
    and not exists (select from auth.users where users.id = user_id and (deactivated_at is not null or banned_until is not null))
    order by joined_at, user_id limit 1)`
}

const lockOwn = statement(
  'circles.lock-own-profile',
  'select company_domain as "companyDomain" from profiles where id = :userId for no key update',
)

/** Locks the profile of the actor, which serializes what they join, and returns their company. Throws `not_found` without one. */
export async function lockOwnCompany(db: Db, { userId }: Actor): Promise<string> {
  const [own] = await db.query<{ companyDomain: string | null }>(lockOwn, { userId })
  if (!own?.companyDomain) throw new Refusal('not_found')
  return own.companyDomain
}

const lock = statement('circles.lock', 'select from circles where id = :circleId for update')
const members = statement(
  'circles.members',
  'select user_id as "userId" from circle_members where circle_id = :circleId order by user_id',
)

/** The ids of all members of a circle. */
export async function readMembers(db: Db, circleId: string): Promise<string[]> {
  return (await db.query<{ userId: string }>(members, { circleId })).map(({ userId }) => userId)
}

/**
 * Runs `work` in a transaction with a row lock on the circle, which serializes changes of its members, and with the ids of all
 * members.
 */
export function withCircleLock<T>(
  db: Db,
  circleId: string,
  work: (db: Db, members: string[]) => Promise<T>,
): Promise<T> {
  return db.transaction(async (db) => {
    await db.query(lock, { circleId })
    return work(db, await readMembers(db, circleId))
  })
}

/** The ids of all whose team has changed: publish an event to them after the commit. */
export interface Changed {
  members: string[]
}
