import { onlineManager, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

/** Where persist-cache.ts restores an answer whose screen is not loaded yet: that screen validates it. */
const KEPT = 'kept'

/**
 * For a query whose last answer is stored in this browser and shown again until the server answers. `keep` makes what is stored: without
 * secrets, and without what is wrong once it is old.
 */
export function kept<Data>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  { schema, keep = (data) => data }: { schema: v.GenericSchema<unknown, Data>; keep?: (data: Data) => Data },
) {
  const key = [KEPT, ...queryKey]
  return {
    meta: { keep },
    initialData: () => {
      const stored = v.safeParse(schema, queryClient.getQueryData(key))
      return stored.success ? stored.output : undefined
    },
    initialDataUpdatedAt: () => queryClient.getQueryState(key)?.dataUpdatedAt,
  }
}

/** Call it when a stored answer has become wrong. */
export function forgetKept(queryClient: QueryClient, queryKey: QueryKey): void {
  queryClient.removeQueries({ queryKey: [KEPT, ...queryKey] })
}

interface Read {
  data: unknown
  dataUpdatedAt: number
  isError: boolean
}

/**
 * The time of an answer that may be outdated: it is of an earlier visit, the last read failed, or the browser is offline. Null while it
 * is current.
 */
export function useAsOf({ data, dataUpdatedAt, isError }: Read, queryKey: QueryKey): number | null {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  const readBefore = useQueryClient().getQueryState([KEPT, ...queryKey])?.dataUpdatedAt
  const isOld = isError || !isOnline || dataUpdatedAt === readBefore
  return data !== undefined && isOld ? dataUpdatedAt : null
}
