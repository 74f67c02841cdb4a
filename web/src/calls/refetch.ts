import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Invalidates these queries after a change and refetches the active ones, fire-and-forget. In-flight responses are cancelled
 * first: they may predate the change.
 */
export function refetchAfterChange(
  queryClient: QueryClient,
  filters: Pick<QueryFilters, 'queryKey' | 'predicate'>,
): void {
  const left = queryClient.getQueryCache().findAll({ ...filters, type: 'inactive', fetchStatus: 'fetching' })
  void queryClient.cancelQueries(filters, { revert: false, silent: true })
  void queryClient.invalidateQueries(filters)
  for (const query of left) query.fetch().catch(() => undefined)
}

/** Refetches those of the active queries that failed. */
export function refetchFailed(
  queryClient: QueryClient,
  { predicate = () => true }: Pick<QueryFilters, 'predicate'> = {},
): void {
  void queryClient.refetchQueries({ type: 'active', predicate: (query) => hasFailed(query) && predicate(query) })
}

function hasFailed({ state }: Query): boolean {
  return state.status === 'error' && state.fetchStatus === 'idle'
}
