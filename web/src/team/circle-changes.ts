import { hidePerson, leaveCircle } from '@deeb/core/circles/api'
import type { Person } from '@deeb/core/team/connection'
import { api } from '../api.ts'
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
          showToast({ title: `${name} is hidden`, description: 'Undo this under Circles.', tone: 'success' })
        else showToast({ title: `${name} is no longer hidden`, tone: 'success' })
      },
      onFailure: (code) => {
        if (code === 'not_found') showFailure('This person is no longer in your company.')
        else showFailure('This did not work. Please try again.')
      },
    },
  )
}

/** Leaves a circle. */
export function useLeaveCircle() {
  return useTeamChange((circle: { id: string; name: string }) => api(leaveCircle, { circleId: circle.id }), {
    onDone: (_answer, { id, name }, queryClient) => {
      removeCircle(queryClient, id)
      showToast({ title: `You left ${name}`, tone: 'success' })
    },
    onFailure: () => showFailure('You have not left the circle. Please try again.'),
  })
}
