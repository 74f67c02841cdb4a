import { readHome } from '@deeb/core/home/api'
import { homeLater } from '@deeb/core/home/later'
import { readSessions } from '@deeb/core/sessions/api'
import { readWeek } from '@deeb/core/stats/api'
import { weekLater } from '@deeb/core/stats/later'
import type { Query, QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { clockOffsetMs, recallClockOffset, serverNow } from '../server-clock.ts'

const WRITE_AFTER_MS = 500
/** As long as a switch may wait to be sent. */
const KEPT_FOR_MS = 7 * 24 * 3_600_000

/** The person's own reads only: what colleagues are called, and where they are, does not lie about on a device. */
const KEEPERS: Record<string, (data: unknown, timeZone: string) => object | null> = {
  [readHome.path]: (data, timeZone) => homeLater(readHome.output.parse(data), serverNow(), timeZone),
  [readWeek.path]: (data) => weekLater(readWeek.output.parse(data), serverNow()),
  [readSessions.path]: (data) => readSessions.output.parse(data),
}

const Read = z.object({ key: z.tuple([z.string()], z.string()), data: z.unknown(), readAt: z.number() })
type Read = z.output<typeof Read>
/** The clock as it was: without a network, nobody can say how wrong this device's is. */
const Kept = z.object({ userId: z.string(), reads: z.array(Read), clockOffsetMs: z.optional(z.number()) })

interface Keeping {
  /** Whether there was enough to draw the first screen. */
  canDrawHome: boolean
  stop(): void
}

interface Whose {
  userId: string
  /** The name in local storage. */
  place: string
}

/**
 * Puts what the person read last back into the cache, as old as it is, so that it is drawn and asked for anew; and keeps
 * from now on what the cache holds. That is what the server said and took: presses that wait are not in it, and whoever has
 * yet to send them shows them again.
 */
export function persistCache(queryClient: QueryClient, { userId, place }: Whose): Keeping {
  const recalled = recall(place, userId)
  const canDrawHome = recalled.some(({ key }) => key[0] === readHome.path)
  // What the cache forgets, until it is read again, is still better than nothing.
  const reads = new Map(recalled.map((read) => [String(read.key), read]))
  for (const read of recalled) putBack(queryClient, read)

  let timer: ReturnType<typeof setTimeout> | undefined
  const writeSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      for (const read of readsIn(queryClient)) reads.set(String(read.key), read)
      remember(place, { userId, reads: [...reads.values()], clockOffsetMs: clockOffsetMs() })
    }, WRITE_AFTER_MS)
  }
  writeSoon()
  const stopListening = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && isKept(event.query)) writeSoon()
  })
  const stop = () => {
    stopListening()
    clearTimeout(timer)
  }
  return { canDrawHome, stop }
}

function isKept({ queryKey }: Query): boolean {
  return String(queryKey[0]) in KEEPERS
}

function readsIn(queryClient: QueryClient): Read[] {
  return queryClient
    .getQueryCache()
    .findAll({ predicate: isKept })
    .flatMap(({ queryKey, state: { data, dataUpdatedAt: readAt } }) =>
      data === undefined ? [] : [{ key: queryKey as Read['key'], data, readAt }],
    )
}

/** What is kept of that person, brought up to now. What is too old, or not what this version reads, is left out. */
function recall(place: string, userId: string): Read[] {
  try {
    const kept = Kept.parse(JSON.parse(localStorage.getItem(place) ?? ''))
    if (kept.userId !== userId) return []
    recallClockOffset(kept.clockOffsetMs ?? 0)
    return kept.reads.flatMap(broughtUpToNow)
  } catch {
    return []
  }
}

function broughtUpToNow(read: Read): Read[] {
  const age = Date.now() - read.readAt
  if (age < 0 || age > KEPT_FOR_MS) return []
  try {
    const [path, timeZone = 'UTC'] = read.key
    const data = KEEPERS[path]?.(read.data, timeZone)
    // Whether a session was forgotten may have been answered since, and cannot be answered while nobody can be asked.
    return data ? [{ ...read, data: { ...data, forgottenSession: null } }] : []
  } catch {
    return []
  }
}

/** Not over what is there: an answer may have been quicker. */
function putBack(queryClient: QueryClient, { key, data, readAt }: Read): void {
  queryClient.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY })
  if (queryClient.getQueryData(key) === undefined) queryClient.setQueryData(key, data, { updatedAt: readAt })
}

/** Storage may be full or forbidden: then the next visit asks the server, as ever. */
function remember(place: string, kept: z.output<typeof Kept>): void {
  try {
    localStorage.setItem(place, JSON.stringify(kept))
  } catch {
    localStorage.removeItem(place)
  }
}
