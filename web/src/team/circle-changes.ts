import { hidePerson, leaveCircle } from '@deeb/core/circles/api'
import type { Person } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/team'
import { api } from '../calls/api.ts'
import { showFailure, showToast } from '../ui/toast.ts'
import { shortName } from './members.ts'
import { removeCircle, removeHidden } from './team-edits.ts'
import { useTeamChange } from './team-queries.ts'

/** Hides the user and a colleague from each other in all circles, or shows them again. */
export function useHidePerson() {
  return useTeamChange(
    ({ person, isHidden }: { person: Person; isHidden: boolean }) => api(hidePerson, { userId: person.id, isHidden }),
    {
      onDone: (_answer, { person, isHidden }, queryClient) => {
        if (isHidden) removeHidden(queryClient, person)
        const name = shortName(person)
        if (isHidden)
          showToast({ title: texts.personHidden({ name }), description: texts.undoUnderCircles(), tone: 'success' })
        else showToast({ title: texts.personNotHidden({ name }), tone: 'success' })
      },
      onFailure: (code) => {
        if (code === 'not_found') showFailure(texts.noColleague())
        else showFailure(texts.hideFailed())
      },
    },
  )
}

/** Leaves a circle. */
export function useLeaveCircle() {
  return useTeamChange((circle: { id: string; name: string }) => api(leaveCircle, { circleId: circle.id }), {
    onDone: (_answer, { id, name }, queryClient) => {
      removeCircle(queryClient, id)
      showToast({ title: texts.youLeft({ circle: name }), tone: 'success' })
    },
    onFailure: () => showFailure(texts.leaveFailed()),
  })
}
