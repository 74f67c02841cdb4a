import { statusText } from '@deeb/core/status/status-text'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import { type Account, type Adapter, ChatError, type Shown, type SignalAdapter, type Wanted } from './adapter.ts'
import type { ClaimedSignal } from './claim-signals.ts'
import { openJson, sealJson } from './credentials.ts'

/** A status ends by itself after this time, also if this server does not answer any more. It is renewed at half of it. */
const LEASE_MS = 2 * 3600_000
const RENEW_BEFORE_END_MS = LEASE_MS / 2
/** A chat in which the person is not to be disturbed anyway is read again after this time. */
const READ_AGAIN_MS = 15 * 60_000
/** Two ends of "do not disturb" that differ by less are the same: systems round to minutes. */
const SAME_END_MS = 90_000

/** The status that deeb has set, and the one before it. */
interface Memo {
  /**
   * The statuses of deeb that the chat may show: the newest first, and the one before it, since the newest may not have arrived. None
   * while deeb waits, because the person was not to be disturbed anyway.
   */
  ours: Shown[]
  before: Shown | null
}

export interface CarryOutDeps {
  db: Db
  keys: Pick<Keys, 'sealKeys'>
  now(): Date
}

/*
 * Saved before the call: after a crash, the status is then recognized as one of deeb, and cleared. Changes nothing if the claim has
 * passed to another process.
 */
const prepare = statement(
  'status.prepare',
  `update status_signals set memo = :memo, lease_until = :leaseUntil
  where link_id = :linkId and part = :part and next_try_at = :claimedUntil returning 1`,
)

const settle = statement(
  'status.settle',
  `update status_signals set done_wish = :desired, memo = :memo, lease_until = :leaseUntil, renew_at = :renewAt, attempts = 0,
    next_try_at = '-infinity', result = :result, result_at = :now
  where link_id = :linkId and part = :part and next_try_at = :claimedUntil`,
)

interface Settled {
  memo: Memo | null
  leaseUntil: Date | null
  renewAt: Date | null
  result: 'set' | 'cleared' | 'left'
}

/**
 * Applies the desired state of a signal: reads what the chat shows, and sets, renews or clears the status only if that overwrites nobody.
 * Throws `ChatError`; then nothing is settled.
 */
export async function carryOut(
  deps: CarryOutDeps,
  adapter: Adapter,
  signal: ClaimedSignal,
  account: Account,
): Promise<void> {
  const part = adapter.parts[signal.part]
  if (!part) return
  const memo = signal.memo && openJson<Memo>(deps.keys, contextOf(signal), signal.memo)
  const settled = await (signal.desired === null
    ? clear(deps, part, signal, account, memo)
    : set(deps, part, signal, account, memo))
  if (settled) await save(deps, signal, settled)
}

/** Ends a signal without another call of the system, as after an error that no retry helps. */
export async function giveUp(deps: CarryOutDeps, signal: ClaimedSignal): Promise<void> {
  const values = { ...keyOf(signal), desired: signal.desired, memo: null, leaseUntil: null, renewAt: null }
  await deps.db.query(settle, { ...values, result: 'failed', now: deps.now() })
}

async function save(
  { db, keys, now }: CarryOutDeps,
  signal: ClaimedSignal,
  { memo, ...settled }: Settled,
): Promise<void> {
  const sealed = memo && sealJson(keys, contextOf(signal), memo)
  await db.query(settle, { ...keyOf(signal), ...settled, desired: signal.desired, memo: sealed, now: now() })
}

async function clear(
  { now }: CarryOutDeps,
  part: SignalAdapter,
  signal: ClaimedSignal,
  account: Account,
  memo: Memo | null,
): Promise<Settled> {
  const nothing = { memo: null, leaseUntil: null, renewAt: null }
  if (!memo) return { ...nothing, result: 'left' }
  const shown = await part.read(account)
  const before = memo.before && !isOver(memo.before, now()) ? memo.before : null
  // After the lease the status is gone, but what was there before may still be to restore.
  const hasExpired = shown === null && before !== null && isPast(signal.leaseUntil, now())
  if (shown === null && !hasExpired) return { ...nothing, result: 'cleared' }
  if (shown && !shown.isUnknown && !isOurs(signal, memo, shown)) return { ...nothing, result: 'left' }
  await part.off(account, before, now()).catch((error: unknown) => {
    // The chat does not take it back, as after its emoji was deleted there.
    if (before === null || !(error instanceof ChatError && error.advice === 'give up')) throw error
    return part.off(account, null, now())
  })
  return { ...nothing, result: 'cleared' }
}

/** Null if the claim has passed to another process. */
async function set(
  { db, keys, now }: CarryOutDeps,
  part: SignalAdapter,
  signal: ClaimedSignal,
  account: Account,
  memo: Memo | null,
): Promise<Settled | null> {
  const shown = await part.read(account)
  const hasSet = memo !== null && memo.ours.length > 0
  if (hasSet && shown?.isUnknown) {
    return { memo, leaseUntil: signal.leaseUntil, renewAt: readAgainAt(shown, now()), result: 'set' }
  }
  const isDeebs = isOurs(signal, memo, shown)
  const isSameSession = sessionOf(signal.desired) === sessionOf(signal.applied)
  // The person has changed the status by hand in this session: it is theirs until the next one.
  const hasEnded = shown === null && (isPast(signal.leaseUntil, now()) || (memo !== null && !hasSet))
  const isByHand = isSameSession && !isDeebs && !hasEnded
  // It is not to be disturbed already, because the person wants it so.
  const isTaken = signal.part === 'dnd' && shown !== null && !isDeebs
  if (isTaken) {
    return { memo: { ours: [], before: null }, leaseUntil: null, renewAt: readAgainAt(shown, now()), result: 'left' }
  }
  if (isByHand) return { memo: null, leaseUntil: null, renewAt: null, result: 'left' }
  // What was there before deeb's own status. It is kept while deeb's is shown, and after that has ended by itself.
  const before = shown === null || isDeebs ? (memo?.before ?? null) : shown
  const wanted = wantedFor(signal, now())
  const planned = { ours: [part.plan(wanted), ...(isDeebs ? (memo?.ours.slice(0, 1) ?? []) : [])], before }
  const sealed = sealJson(keys, contextOf(signal), planned)
  const [own] = await db.query(prepare, { ...keyOf(signal), memo: sealed, leaseUntil: wanted.until })
  if (!own) return null
  const ours = await part.on(account, wanted)
  const isLast = signal.endsAt?.getTime() === wanted.until.getTime()
  const renewAt = isLast ? wanted.until : new Date(wanted.until.getTime() - RENEW_BEFORE_END_MS)
  return { memo: { ours: [ours], before }, leaseUntil: wanted.until, renewAt, result: 'set' }
}

/** The text, and the lease: until the end of the target or of a test, at most two hours. */
function wantedFor({ endsAt, words, language, timeZone }: ClaimedSignal, now: Date): Wanted {
  const longest = new Date(now.getTime() + LEASE_MS)
  const end = endsAt && endsAt > now ? endsAt : null
  const until = end && end < longest ? end : longest
  const text = statusText(words, timeZone === null ? null : end, timeZone ?? 'UTC', language ?? 'en')
  return { text, until, now }
}

function isOurs({ part }: ClaimedSignal, memo: Memo | null, shown: Shown | null): boolean {
  return shown !== null && (memo?.ours.some((ours) => isSame(part, ours, shown)) ?? false)
}

/** A text is the same whatever its end. "Do not disturb" has no text of its own, so its end counts, where the system shows one. */
function isSame(part: ClaimedSignal['part'], one: Shown, other: Shown): boolean {
  if (one.text !== other.text || (one.emoji ?? '') !== (other.emoji ?? '')) return false
  if (part === 'text' || one.until === null || other.until === null) return true
  return Math.abs(Date.parse(one.until) - Date.parse(other.until)) < SAME_END_MS
}

function isOver({ until }: Shown, now: Date): boolean {
  return until !== null && Date.parse(until) <= now.getTime()
}

function isPast(instant: Date | null, now: Date): boolean {
  return instant !== null && instant <= now
}

function readAgainAt(shown: Shown | null, now: Date): Date {
  const soonest = new Date(now.getTime() + READ_AGAIN_MS)
  const end = shown?.until ? new Date(shown.until) : null
  return end && end > now && end < soonest ? end : soonest
}

/** The focus session or test of a state. */
function sessionOf(state: string | null): string | null {
  return state?.split('/')[0] ?? null
}

const contextOf = ({ linkId, part }: ClaimedSignal) => `status:${linkId}:${part}`

function keyOf({ linkId, part, claimedUntil }: ClaimedSignal) {
  return { linkId, part, claimedUntil }
}
