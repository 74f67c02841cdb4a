import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Reads again what is shown of these, or was and is still being read. An answer that is on its way may know less than whoever
 * asks again: it is not taken, and that is no failure. Nobody waits for the new one either.
 */
export function askAgain(queries: QueryClient, reads: Pick<QueryFilters, 'queryKey' | 'predicate'>): void {
  const left = queries.getQueryCache().findAll({ ...reads, type: 'inactive', fetchStatus: 'fetching' })
  void queries.cancelQueries(reads, { revert: false, silent: true })
  void queries.invalidateQueries(reads)
  for (const query of left) query.fetch().catch(() => undefined)
}

/** Reads again what is shown of these and could not be read. */
export function askFailed(
  queries: QueryClient,
  { predicate = () => true }: Pick<QueryFilters, 'predicate'> = {},
): void {
  void queries.refetchQueries({ type: 'active', predicate: (query) => hasFailed(query) && predicate(query) })
}

function hasFailed({ state }: Query): boolean {
  return state.status === 'error' && state.fetchStatus === 'idle'
}
