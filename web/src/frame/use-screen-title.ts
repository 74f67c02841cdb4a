import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/home'
import { useRequestCount } from '../focus/day-queries.ts'
import { useTitle } from '../ui/use-title.ts'

/**
 * Sets the title of a signed-in screen: in deeb mode with a note of it, or with the question whether it still is, otherwise with the
 * number of waiting requests.
 */
export function useScreenTitle(title: string, isOn: boolean | undefined, isAsking = false): void {
  const requests = useRequestCount()
  const note = isAsking ? texts.stillInDeebMode() : isOn ? commonTexts.inDeebMode() : undefined
  useTitle(title, note, isOn ? 0 : requests)
}
