import { readCases } from '@deeb/core/cases/api'
import { useQuery } from '@tanstack/react-query'
import { api } from '../calls/api.ts'

export const CASES_KEY = [readCases.path]

/** The codes for cases of the user. */
export function useCases() {
  return useQuery({ queryKey: CASES_KEY, queryFn: () => api(readCases, {}) })
}
