import type { Circle, readCircles } from '@deeb/core/circles/api'
import { type OwnQuietTimes, setQuietTimes, skipWeek, takePart } from '@deeb/core/circles/quiet-api'
import type { AgreedTimes } from '@deeb/core/circles/quiet-times'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import * as circlesTexts from '@deeb/texts/circles'
import * as texts from '@deeb/texts/quiet'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { CIRCLES_KEY } from '../team/team-cache.ts'
import { useTeamChange } from '../team/team-queries.ts'
import { showFailure, showToast } from '../ui/toast.ts'

export function useSetQuietTimes({ id }: Pick<Circle, 'id'>) {
  return useTeamChange((wanted: AgreedTimes) => api(setQuietTimes, { circleId: id, ...wanted }), {
    onDone: () => showToast({ title: texts.saved(), tone: 'success' }),
    onFailure: (code) => showFailure(code === 'not_found' ? circlesTexts.notYours() : texts.saveFailed()),
  })
}

export function useTakePart({ id }: Pick<Circle, 'id'>) {
  return useTeamChange((part: Omit<InputOf<typeof takePart>, 'circleId'>) => api(takePart, { circleId: id, ...part }), {
    onDone: (stored, _, queryClient) => merge(queryClient, id, stored),
    onFailure: (code) => showFailure(code === 'quiet_times_changed' ? texts.changed() : texts.notSaved()),
  })
}

export function useSkipWeek({ id }: Pick<Circle, 'id'>) {
  return useTeamChange((skips: boolean) => api(skipWeek, { circleId: id, skips }), {
    onDone: (stored, _, queryClient) => merge(queryClient, id, stored),
    onFailure: () => showFailure(texts.notSaved()),
  })
}

/** Shows what the server has stored, until the circles are read again. */
function merge(queryClient: QueryClient, circleId: string, stored: Partial<OwnQuietTimes>): void {
  queryClient.setQueryData<OutputOf<typeof readCircles>>(
    CIRCLES_KEY,
    (read) =>
      read && {
        ...read,
        circles: read.circles.map((circle) =>
          circle.id === circleId && circle.quiet ? { ...circle, quiet: { ...circle.quiet, ...stored } } : circle,
        ),
      },
  )
}
