import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { auth } from './session.ts'

const MOST_RETRIES = 3

/** Worth asking again only what may be answered differently: the same wrong request stays wrong. */
function shouldRetry(failures: number, error: Error): boolean {
  return error instanceof ApiError && error.code === 'unavailable' && failures < MOST_RETRIES
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network a call fails at once and says so, rather than waiting unseen.
    queries: { retry: shouldRetry, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

let personId: string | undefined

// What one person read must not be there for the next one in the same browser. A link in a mail may put another in the
// first one's place without anybody signing out.
auth.onAuthStateChange((_event, session) => {
  if (session?.user.id === personId) return
  personId = session?.user.id
  queryClient.clear()
})
