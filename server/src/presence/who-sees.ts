/*
 * Who sees whose deeb mode. Two people see each other if they are connected, or share a circle in which both are visible already
 * and neither hides from the other. It is symmetric: whom a person sees is who sees them.
 *
 * All are SQL. `person` is an SQL expression for a user id, such as `:userId` or `presence.user_id`. `:circlesAt` is the instant
 * at which circles count, see circlesAt().
 */

/** The value of `:circlesAt`: now, or null on a server without circles (CIRCLE_SIZE=0), where nobody sees anybody through them. */
export function circlesAt(circleSize: number, now: Date): Date | null {
  return circleSize > 0 ? now : null
}

/** SQL: the ids of everybody who sees `person`, which is everybody whom `person` sees, each once. With `:circlesAt`. */
export function whoSees(person: string): string {
  return `select receiver_id as user_id from team_connections where requester_id = ${person} and status = 'accepted'
    union select requester_id from team_connections where receiver_id = ${person} and status = 'accepted'
    union select user_id from (${seenInCircles(person)}) as seen_in_circles`
}

/**
 * SQL: joins the members of the circle of `own` as `other`. `offset 0` makes the planner read them by index, circle by circle: with
 * unlucky statistics it would scan the members of all circles.
 */
export const OTHER_MEMBERS =
  'cross join lateral (select * from circle_members where circle_id = own.circle_id offset 0) as other'

/** SQL: `user_id` and `circle_id` of everybody whom `person` sees in a circle, once per circle. With `:circlesAt`. */
export function seenInCircles(person: string): string {
  return `select other.user_id, own.circle_id from circle_members as own ${OTHER_MEMBERS}
    where own.user_id = ${person} and other.user_id <> ${person}
      and own.visible_from <= :circlesAt::timestamptz and other.visible_from <= :circlesAt
      and other.user_id not in (${hiddenWith(person)})`
}

/** SQL: the ids of those who hide from `person` or from whom `person` hides. */
export function hiddenWith(person: string): string {
  return `select hidden_from from hidden_people where user_id = ${person}
    union all select user_id from hidden_people where hidden_from = ${person}`
}

/**
 * SQL: the ids of those whose team changes when `person` leaves: connections, requests and the members of the circles, visible or
 * not.
 */
export function teamOf(person: string): string {
  return `select case when requester_id = ${person} then receiver_id else requester_id end as user_id from team_connections
    where ${person} in (requester_id, receiver_id) and not taken_back
    union ${inCirclesOf(person)}`
}

/** SQL: the ids of the other members of the circles of `person`, visible or not. */
export function inCirclesOf(person: string): string {
  return `select other.user_id from circle_members as own join circle_members as other using (circle_id)
    where own.user_id = ${person} and other.user_id <> ${person}`
}

/** SQL: the ids of the users of a company whom its directory has deactivated: readers leave them out. `companyDomain` is an SQL expression. */
export function deactivatedOf(companyDomain: string): string {
  return `select id from auth.users where deactivated_at is not null and email_domain = ${companyDomain}`
}

/** SQL: those of a few people who are deactivated. `people` are SQL expressions, with commas. */
export function deactivatedAmong(people: string): string {
  return `select from auth.users where users.id in (${people}) and deactivated_at is not null`
}

/** SQL: `person` is deactivated. For a few people: a list of many reads deactivatedOf() once. */
export function isDeactivated(person: string): string {
  return `exists (${deactivatedAmong(person)})`
}
