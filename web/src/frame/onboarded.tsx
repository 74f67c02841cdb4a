import { readHome } from '@deeb/core/home/api'
import { APP_PATHS } from '@deeb/core/paths'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import { Redirect } from 'wouter'
import { useIsFresh } from '../calls/use-is-fresh.ts'
import { beforeOnboarding } from '../device/history.ts'
import { currentTimeZone } from '../device/local-time.ts'
import { type Home, useHome } from '../focus/day-queries.ts'
import { Loading } from '../ui/Loading.tsx'

/**
 * A screen for users with a username. Others are led to Home, which asks for one, and then to the screen. Settings needs none: it has
 * a field for it, and the ways to leave.
 */
export function onboarded(Screen: ComponentType): ComponentType {
  return function Onboarded() {
    return useHadUsername() ? (
      <Screen />
    ) : (
      <AfterRead>
        <Screen />
      </AfterRead>
    )
  }
}

/** Whether a username was cached when the screen was opened. Nobody loses a username, so that is enough and costs no request. */
function useHadUsername(): boolean {
  const queryClient = useQueryClient()
  const isCached = () => Boolean(queryClient.getQueryData<Home>([readHome.path, currentTimeZone()])?.profile.username)
  return useState(isCached)[0]
}

function AfterRead({ children }: { children: ReactNode }) {
  const read = useHome()
  const isFresh = useIsFresh(read)
  // Without an answer nothing can be asked.
  const hasFailed = read.failureCount > 0 || read.errorUpdateCount > 0
  if (!isFresh) return hasFailed ? children : <Loading />
  if (read.data?.profile.username) return children
  return <Redirect to={APP_PATHS.home} replace state={beforeOnboarding()} />
}
