import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../calls/api.ts'
import { refetchFailed } from '../calls/refetch.ts'
import { forgetLook } from '../device/look.ts'
import {
  type AuthSessionState,
  authSession,
  isVerified,
  onAuthSessionChange,
  showOffline,
  signedInUserId,
} from '../session/auth-session.ts'
import { forgetInvite } from '../session/kept-invite.ts'
import { persistCache } from './persist-cache.ts'

const MAX_RETRIES = 2
/** The key of the persisted cache in local storage: see persist-cache.ts. */
const STORAGE_KEY = 'deeb.kept-reads'
/** The key of the notice about a required second factor: see SecondFactorNotice.tsx. The next user reads it too. */
export const NOTICE_KEY = 'deeb.second-factor-notice'
/** How long a slow network may take to verify the tokens before cached data is shown. */
const VERIFY_TIMEOUT_MS = 3_000

/** Retries only what a retry may change: the same invalid request stays invalid, and a device without a network offline. */
function shouldRetry(failures: number, error: Error): boolean {
  return error instanceof ApiError && error.code === 'unavailable' && navigator.onLine && failures < MAX_RETRIES
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // Offline, a call fails immediately instead of waiting unseen. Everything is refetched when the network returns.
    queries: { retry: shouldRetry, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
})

let userId: string | null = null
let lastSession: AuthSessionState = 'checking'
let stopPersisting = () => {}

// One user's data must not be there for the next one in the same browser. An email link may replace the user without a
// sign-out.
function follow(session: AuthSessionState): void {
  const nextUserId = signedInUserId()
  const isBack = isVerified(session) && !isVerified(lastSession)
  const wasSignedIn = typeof lastSession === 'object' && lastSession !== null
  lastSession = session
  if (nextUserId === userId) {
    // Screens that showed cached data refetch now that the tokens are valid.
    if (isBack) void queryClient.invalidateQueries()
    // Queries that failed with an expired token are retried with the new one.
    else if (isVerified(session)) refetchFailed(queryClient)
    return
  }
  stopPersisting()
  queryClient.clear()
  if (userId !== null) {
    localStorage.removeItem(STORAGE_KEY)
    localStorage.removeItem(NOTICE_KEY)
    // A link that is opened when the tokens have expired is for the sign-in that follows.
    if (wasSignedIn) forgetInvite()
    forgetLook()
  }
  userId = nextUserId
  if (nextUserId !== null) stopPersisting = persist(nextUserId)
}
follow(authSession())
onAuthSessionChange(follow)

/** Restores the stored cache of a user, and stores it from now on. Returns the function to stop. */
function persist(userId: string): () => void {
  const { canShowHome, stop } = persistCache(queryClient, { userId, storageKey: STORAGE_KEY })
  if (canShowHome) setTimeout(() => showOffline(userId), navigator.onLine ? VERIFY_TIMEOUT_MS : 0)
  return stop
}
