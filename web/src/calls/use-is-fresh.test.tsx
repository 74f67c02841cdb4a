import { focusManager, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useIsFresh } from './use-is-fresh.ts'

afterEach(() => {
  focusManager.setFocused(undefined)
})

test('persisted data is not fresh while the page is hidden and the server has not answered', async () => {
  focusManager.setFocused(false)
  const queryClient = new QueryClient({
    defaultOptions: { queries: { networkMode: 'always', retry: 3, retryDelay: 10 } },
  })
  queryClient.setQueryData(['home'], 'persisted', { updatedAt: Date.now() - 60_000 })
  function Screen() {
    const read = useQuery({ queryKey: ['home'], queryFn: () => Promise.reject(new Error('unavailable')) })
    return <p>{`${read.fetchStatus}, ${useIsFresh(read) ? 'fresh' : 'not fresh'}`}</p>
  }
  await render(
    <QueryClientProvider client={queryClient}>
      <Screen />
    </QueryClientProvider>,
  )
  await expect.element(page.getByText('paused')).toHaveTextContent('paused, not fresh')
})
