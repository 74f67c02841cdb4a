import type { OutputOf } from '@deeb/core/endpoint'
import { COMPANY_WEEKS_PATH, readCompany, setInReport } from '@deeb/core/report/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { api } from '../api.ts'

/** For the links and the switch: weeks are counted on Thursdays. */
const STALE_AFTER_MS = 60_000

const KEY = [readCompany.path]

/** Every counted week as it is stored. The server answers with a text. */
const readWeeks = { ...readCompany, path: COMPANY_WEEKS_PATH, output: z.string() } as const

export type Company = OutputOf<typeof readCompany>

/** The report of the user's company, or why there is none. */
export function useCompany({ staleTime = STALE_AFTER_MS } = {}) {
  return useQuery({ queryKey: KEY, queryFn: () => api(readCompany, {}), staleTime })
}

/** Whether there is a page `Your company` to link to. False until it is known. */
export function useHasCompanyPage(): boolean {
  const { data } = useCompany()
  return data !== undefined && hasPage(data)
}

export function hasPage({ domain, state }: Company): boolean {
  return domain !== null && state !== 'off' && state !== 'no_company'
}

/** Counts the user in the report of the company, or not. */
export function useSetInReport() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (inReport: boolean) => api(setInReport, { inReport }),
    onSuccess: async ({ inReport }) => {
      // An answer in flight may predate the change.
      await queryClient.cancelQueries({ queryKey: KEY })
      queryClient.setQueryData<Company>(KEY, (company) => company && { ...company, inReport })
    },
  })
}

/** The counted weeks of the company as CSV. */
export function readWeeksCsv(): Promise<string> {
  return api(readWeeks, {})
}
