import { COMPANY_WEEKS_PATH, readCompany, setInReport } from '@deeb/core/report/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { api } from '../calls/api.ts'
import { COMPANY_KEY, type Company } from '../stats/company-page.ts'

/** Every counted week as it is stored. The server answers with a text. */
const readWeeks = { ...readCompany, path: COMPANY_WEEKS_PATH, output: v.string() } as const

/** Counts the user in the report of the company, or not. */
export function useSetInReport() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (inReport: boolean) => api(setInReport, { inReport }),
    onSuccess: async ({ inReport }) => {
      // An answer in flight may predate the change.
      await queryClient.cancelQueries({ queryKey: COMPANY_KEY })
      queryClient.setQueryData<Company>(COMPANY_KEY, (company) => company && { ...company, inReport })
    },
  })
}

/** The counted weeks of the company as CSV. */
export function readWeeksCsv(): Promise<string> {
  return api(readWeeks, {})
}
