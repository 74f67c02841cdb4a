import { skipToken, useQuery } from '@tanstack/react-query'

/** In the query cache, so that it is cleared together with the user's data. */
export const SILENT_KEY = ['live-is-silent']

/** Whether live events do not arrive, so that the page asks for changes about once a minute. */
export function useIsSilent(): boolean {
  return useQuery<boolean>({ queryKey: SILENT_KEY, queryFn: skipToken }).data ?? false
}

/** In the tab that reads the live stream: when the server last sent anything on it (Unix ms). */
export const RECEIVED_KEY = ['live-received']

/** Null in the other tabs. */
export function useReceivedAt(): number | null {
  return useQuery<number>({ queryKey: RECEIVED_KEY, queryFn: skipToken }).data ?? null
}
