import type { OutputOf } from '@deeb/core/endpoint'
import { readStatus } from '@deeb/core/status/api'
import { useQuery } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { serverNow } from '../calls/server-clock.ts'

export const STATUS_KEY = [readStatus.path]

/** How often the result of a test is read, and how long after its end. */
const POLL_MS = 2_000
const POLL_AFTER_END_MS = 30_000

/** The chat systems in which the user can show deeb mode. Read again while one of them is being tested. */
export function useStatus() {
  return useQuery({
    queryKey: STATUS_KEY,
    queryFn: () => api(readStatus, {}),
    refetchInterval: ({ state }) => (isTesting(state.data) ? POLL_MS : false),
  })
}

/** Whether Settings has a row for it. */
export function useHasChats(): boolean {
  return (useStatus().data?.systems.length ?? 0) > 0
}

function isTesting(status: OutputOf<typeof readStatus> | undefined): boolean {
  const from = serverNow().getTime() - POLL_AFTER_END_MS
  return status?.systems.some(({ link }) => link?.testUntil && Date.parse(link.testUntil) > from) ?? false
}
