import type { Language } from '@deeb/core/languages'
import { CHAT_SYSTEM_FACTS, CHAT_SYSTEMS, type ChatSystem, type StatusPart } from '@deeb/core/status/systems'
import { type Db, type Statement, statement } from '../db/db.ts'
import { CAP } from '../focus/close-session-sql.ts'
import type { Adapters } from './systems.ts'

/** SQL: the systems whose server a person types. */
const TYPED = `array['${CHAT_SYSTEMS.filter(isTyped).join("', '")}']`

export function isTyped(system: ChatSystem): boolean {
  return CHAT_SYSTEM_FACTS[system].linkedBy === 'token'
}

/** How long a claim lasts. All calls for one signal take less. */
const CLAIM_SECONDS = 60

/** A signal whose state is not the desired one, claimed by this process. */
export interface ClaimedSignal {
  linkId: string
  part: StatusPart
  system: ChatSystem
  workspace: string
  accountId: string
  /** The state that the chat has to show: the focus session with its target, or a test. Null: nothing of deeb. */
  desired: string | null
  applied: string | null
  words: string | null
  /** That of the person; null if they have not chosen one. */
  language: Language | null
  timeZone: string | null
  /** The end of the target, or of the test. */
  endsAt: Date | null
  leaseUntil: Date | null
  memo: Buffer | null
  credentials: Buffer
  /** The time at which the person connected it. New tokens have a later one. */
  linkedAt: Date
  attempts: number
  /** Until when it is claimed. It identifies the claim. */
  claimedUntil: Date
}

/** SQL: the rate limits of all signals that this server can set, `(system, part, per_minute, burst)`. */
function ratesOf(adapters: Adapters): string {
  const rates = Object.entries(adapters).flatMap(([system, { parts }]) =>
    Object.entries(parts).map(([part, { perMinute, burst }]) => `('${system}', '${part}', ${perMinute}, ${burst})`),
  )
  return `(values ${rates.join(', ')}) as rates (system, part, per_minute, burst)`
}

/** SQL: a claimed call moves the queue's `next_at` on from here, at most the burst before now (a token bucket). */
const BUCKET_STARTS = 'greatest(queue.next_at, :now::timestamptz - make_interval(secs => burst * 60.0 / per_minute))'

/**
 * Finds the signals whose state is not the desired one, as many as the rate limit of their workspace allows, and locks their workspaces.
 *
 * - `states` compares each signal with the open focus session of its person. Nothing is queued, so switches that follow each other
 *   coalesce, and neither a lost event nor a killed server loses one.
 * - `due` orders them within their workspace: "off" first, then those that wait longest, since the switch or since they were last set. So
 *   nobody who changes their settings again and again holds up the others.
 * - `queues` locks the workspaces. Another server skips a locked one and finds it again at its next turn.
 * - `allowed` has those for which a call is free. It numbers those of servers that people typed, which may not answer: they get a part of
 *   the places only. Those that have failed least go first.
 */
function findStatement(adapters: Adapters): Statement {
  return statement(
    'status.find-due',
    `with states as (
      select signal.link_id, signal.part, link.system, link.workspace, signal.done_wish as applied, signal.renew_at, signal.lease_until,
        signal.attempts, greatest(coalesce(session.start_time, link.changed_at), signal.result_at) as since, session.time_zone, per_minute, burst,
        case when session.id is null then link.test_until
          else session.start_time + make_interval(mins => session.target_minutes) end as ends_at,
        case
          when link.user_id is null or (signal.part = 'dnd' and not link.with_dnd) or exists (
            select from status_hidden as hidden join profiles on profiles.company_domain = hidden.company_domain
            where profiles.id = link.user_id and hidden.system = link.system) then null
          when session.id is not null then concat_ws('/', session.id, session.target_minutes,
            extract(epoch from link.changed_at))
          when link.test_until > :now::timestamptz then concat_ws('/', 'test ' || extract(epoch from link.test_until))
        end as desired
      from status_signals as signal join status_links as link on link.id = signal.link_id
        join ${ratesOf(adapters)} on rates.system = link.system and rates.part = signal.part
        left join deeb_sessions as session on session.user_id = link.user_id and session.is_active and link.is_on
          and session.start_time > :now::timestamptz - ${CAP}
      where link.credentials is not null and signal.next_try_at <= :now::timestamptz
    ), due as (
      select *, row_number() over (partition by system, workspace, part order by desired is null desc, since, link_id) as place
      from states
      where case when desired is null then lease_until is not null
        else desired is distinct from applied or renew_at <= :now::timestamptz end
    ), queues as materialized (
      select * from status_queues as queue
      where paused_until <= :now::timestamptz and (system, workspace, part) in (select system, workspace, part from due)
      for update skip locked
    ), allowed as (
      select due.*, row_number() over (partition by system = any(${TYPED}) order by attempts, place) as turn
      from due join queues as queue using (system, workspace, part)
      where place <= floor(extract(epoch from :now::timestamptz - ${BUCKET_STARTS}) * per_minute / 60.0 + 0.001)
    ), chosen as (
      select * from allowed where not system = any(${TYPED}) or turn <= :typedLimit::int
      order by attempts, place limit :limit::int
    )
    select (select count(*)::int from due) as total, link_id as "linkId", part, system, workspace, desired, time_zone as "timeZone",
      ends_at as "endsAt"
    from (select 1) as always left join chosen on true`,
  )
}

/* Claims what was found, and counts the calls. It leaves out a signal that another server has claimed in between. */
function takeStatement(adapters: Adapters): Statement {
  return statement(
    'status.claim',
    `with claimed as (
      update status_signals as signal
      set next_try_at = :now::timestamptz + interval '${CLAIM_SECONDS} seconds', attempts = signal.attempts + 1
      from unnest(:linkIds::uuid[], :parts::text[]) as chosen (link_id, part), status_links as link
      where signal.link_id = chosen.link_id and signal.part = chosen.part and signal.next_try_at <= :now::timestamptz
        and link.id = signal.link_id and link.credentials is not null
      returning signal.*, link.system, link.workspace
    ), counted as (
      update status_queues as queue
      set next_at = ${BUCKET_STARTS} + make_interval(secs => used * 60.0 / per_minute)
      from (select system, workspace, part, count(*) as used from claimed group by 1, 2, 3) as calls
        join ${ratesOf(adapters)} using (system, part)
      where queue.system = calls.system and queue.workspace = calls.workspace and queue.part = calls.part
    )
    select link_id as "linkId", part, done_wish as applied, lease_until as "leaseUntil", memo, claimed.attempts,
      claimed.next_try_at as "claimedUntil", link.account_id as "accountId", link.words, link.credentials, link.linked_at as "linkedAt",
      (select language from profiles where profiles.id = link.user_id) as language
    from claimed join status_links as link on link.id = claimed.link_id`,
  )
}

/** The statements of a claim. They run in one transaction, which keeps the workspaces locked between them. */
export interface ClaimStatements {
  find: Statement
  take: Statement
}

export function claimStatements(adapters: Adapters): ClaimStatements {
  return { find: findStatement(adapters), take: takeStatement(adapters) }
}

/** How many signals a process may claim. */
export interface Places {
  all: number
  /** The part of them that goes to servers that people typed. */
  typed: number
}

interface Claimed {
  signals: ClaimedSignal[]
  /** Whether more signals are due, which have to wait for their rate limit. */
  hasMore: boolean
}

type Key = 'linkId' | 'part'
type FoundSignal = Pick<ClaimedSignal, Key | 'system' | 'workspace' | 'desired' | 'timeZone' | 'endsAt'>
type TakenSignal = Omit<ClaimedSignal, Exclude<keyof FoundSignal, Key>>

/** Claims at most as many signals as there are places. */
export async function claimSignals(
  db: Db,
  { find, take }: ClaimStatements,
  { all, typed }: Places,
  now: Date,
): Promise<Claimed> {
  return db.transaction(async (db) => {
    const values = { limit: all, typedLimit: typed, now }
    const rows = await db.query<FoundSignal & { total: number; linkId: string | null }>(find, values)
    const total = rows[0]?.total ?? 0
    const found = rows.filter(({ linkId }) => linkId !== null)
    if (found.length === 0) return { signals: [], hasMore: total > 0 }
    const keys = { linkIds: found.map(({ linkId }) => linkId), parts: found.map(({ part }) => part) }
    const taken = await db.query<TakenSignal>(take, { ...keys, now })
    const signals = taken.flatMap((signal) => {
      const match = found.find(({ linkId, part }) => linkId === signal.linkId && part === signal.part)
      if (!match) return []
      const { total: _, ...rest } = match
      return [{ ...signal, ...rest }]
    })
    return { signals, hasMore: total > signals.length }
  })
}
