import { useRequestCount } from './stats/stats-queries.ts'
import { useTitle } from './ui/use-title.ts'

/** Sets the title of a signed-in screen: in deeb mode with a note of it, otherwise with the number of waiting requests. */
export function useScreenTitle(title: string, isOn: boolean | undefined): void {
  const requests = useRequestCount()
  useTitle(title, isOn ? 'In deeb mode' : undefined, isOn ? 0 : requests)
}
