import type { OutputOf } from '@deeb/core/endpoint'
import { readCompany } from '@deeb/core/report/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { kept } from '../calls/kept.ts'

/** For the links and the switch: weeks are counted on Thursdays. */
const STALE_AFTER_MS = 60_000

export const COMPANY_KEY = [readCompany.path]

export type Company = OutputOf<typeof readCompany>

/** The report of the user's company, or why there is none. */
export function useCompany({ staleTime = STALE_AFTER_MS } = {}) {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: COMPANY_KEY,
    queryFn: () => api(readCompany, {}),
    staleTime,
    ...kept(queryClient, COMPANY_KEY, { schema: readCompany.output }),
  })
}

/** Whether there is a page `Your company` to link to. False until it is known. */
export function useHasCompanyPage(): boolean {
  const { data } = useCompany()
  return data !== undefined && hasPage(data)
}

export function hasPage({ domain, state }: Company): boolean {
  return domain !== null && state !== 'off' && state !== 'no_company'
}
