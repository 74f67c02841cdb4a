import { readHome } from '@deeb/core/home/api'
import { homeAt } from '@deeb/core/home/cached-home'
import { readSessions } from '@deeb/core/sessions/read-api'
import { readWeek } from '@deeb/core/stats/api'
import { weekAt } from '@deeb/core/stats/cached-week'
import type { Query, QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { clockOffsetMs, restoreClockOffset, serverNow } from '../calls/server-clock.ts'
import { store } from '../device/store.ts'
import { GOALS_DRAFT, GoalsDraft } from '../goals/goals-draft.ts'
import { keepAppBadge } from './app-badge.ts'

const WRITE_AFTER_MS = 500
/** As long as the server accepts a pending switch. */
const MAX_AGE_MS = 7 * 24 * 3_600_000
/** The earlier weeks that were read last. */
const MAX_EARLIER_WEEKS = 12

/** How to restore each query of the first screens. Others keep and validate their own answers: see calls/kept.ts. */
const RESTORERS: Record<string, (data: unknown, timeZone: string, earlierWeek?: string) => object | null> = {
  [readHome.path]: (data, timeZone) => homeAt(v.parse(readHome.output, data), serverNow(), timeZone),
  [readWeek.path]: (data, _timeZone, earlierWeek) => {
    const read = v.parse(readWeek.output, data)
    return earlierWeek === undefined ? weekAt(read, serverNow()) : read
  },
  [readSessions.path]: (data) => v.parse(readSessions.output, data),
  [GOALS_DRAFT]: (data) => v.parse(GoalsDraft, data),
}

const Entry = v.object({ key: v.tupleWithRest([v.string()], v.string()), data: v.unknown(), readAt: v.number() })
type Entry = v.InferOutput<typeof Entry>
/** With the last known clock offset: offline, it cannot be measured. */
const Persisted = v.object({ userId: v.string(), reads: v.array(Entry), clockOffsetMs: v.optional(v.number()) })

interface Persistence {
  /** Whether Home was restored, so that the first screen can be shown. */
  canShowHome: boolean
  stop(): void
}

interface PersistOptions {
  userId: string
  /** The key in local storage. */
  storageKey: string
}

/**
 * Restores the persisted query cache with its original timestamps (rendered, then refetched) and persists it from now on.
 * Server state only; the switch queue applies its pending changes itself.
 */
export function persistCache(queryClient: QueryClient, { userId, storageKey }: PersistOptions): Persistence {
  const restored = load(storageKey, userId)
  const canShowHome = restored.some(({ key }) => key[0] === readHome.path)
  // Entries that are reset in the cache stay here until they are refetched.
  const entries = new Map(restored.map((entry) => [String(entry.key), entry]))
  for (const entry of restored) restore(queryClient, entry)

  let timer: ReturnType<typeof setTimeout> | undefined
  const writeSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      for (const entry of entriesOf(queryClient)) entries.set(String(entry.key), entry)
      save(storageKey, { userId, reads: withinLimit([...entries.values()]), clockOffsetMs: clockOffsetMs() })
    }, WRITE_AFTER_MS)
  }
  writeSoon()
  const stopListening = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && isPersisted(event.query)) writeSoon()
  })
  const removeBadge = keepAppBadge(queryClient, userId)
  const stop = () => {
    stopListening()
    removeBadge()
    clearTimeout(timer)
  }
  return { canShowHome, stop }
}

function isPersisted({ queryKey, meta }: Query): boolean {
  return String(queryKey[0]) in RESTORERS || Boolean(meta?.keep)
}

type Keep = (data: unknown) => unknown

function entriesOf(queryClient: QueryClient): Entry[] {
  return queryClient
    .getQueryCache()
    .findAll({ predicate: isPersisted })
    .flatMap(({ queryKey, meta, state: { data, dataUpdatedAt: readAt } }) => {
      const keep = meta?.keep as Keep | undefined
      return data === undefined ? [] : [{ key: queryKey as Entry['key'], data: keep ? keep(data) : data, readAt }]
    })
}

/** All entries but the oldest of the earlier weeks, whose keys name the week: their number must not grow with the history. */
function withinLimit(entries: Entry[]): Entry[] {
  const weeks = entries.filter(({ key }) => key.length > 2).sort((a, b) => b.readAt - a.readAt)
  const dropped = new Set(weeks.slice(MAX_EARLIER_WEEKS))
  return entries.filter((entry) => !dropped.has(entry))
}

/** The stored entries of this user, brought up to date. Leaves out what is too old or has another schema. */
function load(storageKey: string, userId: string): Entry[] {
  try {
    const persisted = v.parse(Persisted, JSON.parse(localStorage.getItem(storageKey) ?? ''))
    if (persisted.userId !== userId) return []
    restoreClockOffset(persisted.clockOffsetMs ?? 0)
    return persisted.reads.flatMap(upToDate)
  } catch {
    return []
  }
}

function upToDate(entry: Entry): Entry[] {
  const age = Date.now() - entry.readAt
  if (age < 0 || age > MAX_AGE_MS) return []
  try {
    const [path, timeZone = 'UTC', earlierWeek] = entry.key
    if (!(path in RESTORERS)) return [entry]
    const data = RESTORERS[path]?.(entry.data, timeZone, earlierWeek)
    // Hides the question about a forgotten session: another device may have answered it, and offline nobody can.
    return data ? [{ ...entry, data: { ...data, forgottenSession: null } }] : []
  } catch {
    return []
  }
}

/** Keeps what is in the cache already: a response may have been faster. */
function restore(queryClient: QueryClient, { key: storedKey, data, readAt }: Entry): void {
  const key = storedKey[0] in RESTORERS ? storedKey : ['kept', ...storedKey]
  queryClient.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY })
  if (queryClient.getQueryData(key) === undefined) queryClient.setQueryData(key, data, { updatedAt: readAt })
}

/** If storage is full or forbidden, the next visit fetches everything. */
function save(storageKey: string, persisted: v.InferOutput<typeof Persisted>): void {
  if (!store('localStorage', storageKey, JSON.stringify(persisted))) localStorage.removeItem(storageKey)
}
