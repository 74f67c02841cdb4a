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

// What one person read must not be there for the next one in the same browser.
auth.onAuthStateChange((event) => {
  if (event === 'SIGNED_OUT') queryClient.clear()
})
