import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { drawKept, isServed, onAuthSessionChange, personHere } from './auth-session.ts'
import { refetchFailed } from './refetch.ts'

const MOST_RETRIES = 3
/** See persist-cache.ts. */
const KEPT_READS = 'deeb.kept-reads'
const KEEP_AFTER_MS = 2_000
/** A slow network gets that long to say whether the tokens still count. */
const PATIENCE_MS = 3_000

/** Worth asking again only what may be answered differently: the same wrong request stays wrong. */
function shouldRetry(failures: number, error: Error): boolean {
  return error instanceof ApiError && error.code === 'unavailable' && failures < MOST_RETRIES
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network a call fails at once and says so, rather than waiting unseen; with it back, all is read again.
    queries: { retry: shouldRetry, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
})

let personId: string | null = null
let wasServed = false
let stopKeeping = () => {}

// What one person read must not be there for the next one in the same browser. A link in a mail may put another in the
// first one's place without anybody signing out.
onAuthSessionChange((session) => {
  const nowHere = personHere()
  const isBack = isServed(session) && !wasServed
  wasServed = isServed(session)
  if (nowHere === personId) {
    // Screens that were drawn from what was kept ask now that somebody answers.
    if (isBack) void queryClient.invalidateQueries()
    // And those that failed while a token had run out ask again with the one that may have come in its place.
    else if (isServed(session)) refetchFailed(queryClient)
    return
  }
  stopKeeping()
  queryClient.clear()
  if (personId !== null) localStorage.removeItem(KEPT_READS)
  personId = nowHere
  if (nowHere !== null) stopKeeping = keepSoon(nowHere)
})

/** What lies there is wanted at once. To begin with, the first screen comes first. */
function keepSoon(userId: string): () => void {
  const isThere = localStorage.getItem(KEPT_READS) !== null
  let stop = () => clearTimeout(timer)
  const timer = setTimeout(
    // Without it all is as it was: read anew on each visit.
    () =>
      keep(userId).then(
        (kept) => (stop = kept ?? stop),
        () => undefined,
      ),
    isThere ? 0 : KEEP_AFTER_MS,
  )
  return () => stop()
}

async function keep(userId: string): Promise<(() => void) | undefined> {
  const { persistCache } = await import('./persisted-cache/persist-cache.ts')
  if (personId !== userId) return undefined
  const { canDrawHome, stop } = persistCache(queryClient, { userId, place: KEPT_READS })
  if (canDrawHome) setTimeout(() => drawKept(userId), navigator.onLine ? PATIENCE_MS : 0)
  return stop
}
