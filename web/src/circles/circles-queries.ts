import {
  type Circle,
  changeCircleLink,
  closeCircle,
  createCircle,
  joinCircle,
  previewCircle,
  readCircles,
  removeMember,
  renameCircle,
} from '@deeb/core/circles/api'
import { MAX_CIRCLES } from '@deeb/core/circles/circle'
import type { OutputOf } from '@deeb/core/endpoint'
import type { Person } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/circles'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { ApiError, api } from '../calls/api.ts'
import { kept, useAsOf } from '../calls/kept.ts'
import { shortName } from '../team/members.ts'
import { CIRCLES_KEY } from '../team/team-cache.ts'
import { useTeamChange } from '../team/team-queries.ts'
import { isLater, whenText } from '../team/visible-from.ts'
import { showFailure, showToast } from '../ui/toast.ts'

/** The circles of the user, and the people whom they hide. */
export function useCircles() {
  const queryClient = useQueryClient()
  const read = useQuery({
    queryKey: CIRCLES_KEY,
    queryFn: () => api(readCircles, {}),
    ...kept(queryClient, CIRCLES_KEY, { schema: readCircles.output, keep: withoutInvites }),
  })
  return { read, asOf: useAsOf(read, CIRCLES_KEY) }
}

/** The secrets of links are not stored. */
function withoutInvites(read: OutputOf<typeof readCircles>): OutputOf<typeof readCircles> {
  return { ...read, circles: read.circles.map((circle) => ({ ...circle, invite: null, signature: undefined })) }
}

/**
 * A circle by the secret of its link, before joining. The secret must not be in the query cache. With a key for each mounted screen, a
 * second link in the same tab never shows the circle of the first one.
 */
export function usePreview(invite: string) {
  const id = useId()
  return useQuery({ queryKey: [previewCircle.path, id], queryFn: () => api(previewCircle, { invite }), gcTime: 0 })
}

/** Shows no toast of a failure: on a phone it would cover the button. See joinFailure(). */
export function useJoinCircle() {
  return useTeamChange(({ invite }: { invite: string; name: string }) => api(joinCircle, { invite }), {
    onDone: ({ visibleFrom }, { name }) => {
      const description = isLater(visibleFrom) ? texts.visibleFrom({ when: whenText(visibleFrom) }) : texts.visibleNow()
      showToast({ title: texts.youJoined({ circle: name }), description, tone: 'success' })
    },
    onFailure: () => undefined,
  })
}

/** Why the user has not joined, and what to do. */
export function joinFailure(error: Error, name: string): string {
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'not_found') return texts.linkDead()
  if (code === 'circle_full') return texts.circleFull({ circle: name })
  if (code === 'too_many_circles') return texts.tooManyCircles({ max: MAX_CIRCLES })
  return failureText(code, texts.joinFailed())
}

export function useCreateCircle() {
  return useTeamChange((name: string) => api(createCircle, { name }), {
    onDone: () => undefined,
    onFailure: (code) => {
      const title = texts.notCreated()
      if (code === 'too_many_circles') showFailure(texts.tooManyCreated({ max: MAX_CIRCLES }), title)
      else if (code === 'not_found') showFailure(texts.needsWorkAddress(), title)
      else showCircleFailure(code, texts.createFailed(), title)
    },
  })
}

export function useRenameCircle({ id }: Circle) {
  return useTeamChange((name: string) => api(renameCircle, { circleId: id, name }), {
    onDone: () => undefined,
    onFailure: (code) => showCircleFailure(code, texts.renameFailed()),
  })
}

/** Makes a new link, or removes it. */
export function useChangeCircleLink({ id, invite }: Circle) {
  return useTeamChange((isOpen: boolean) => api(changeCircleLink, { circleId: id, isOpen }), {
    onDone: (_answer, isOpen) => {
      if (!isOpen) showToast({ title: texts.joiningClosed(), tone: 'success' })
      else if (invite === null) showToast({ title: texts.linkMade(), tone: 'success' })
      else showToast({ title: texts.newLinkMade(), description: texts.oldLinkEnded(), tone: 'success' })
    },
    onFailure: (code) => showCircleFailure(code, texts.linkFailed()),
  })
}

export function useRemoveMember({ id, name }: Circle) {
  return useTeamChange((person: Person) => api(removeMember, { circleId: id, userId: person.id }), {
    onDone: (_answer, person) =>
      showToast({ title: texts.removed({ name: shortName(person), circle: name }), tone: 'success' }),
    onFailure: (code) => showCircleFailure(code, texts.removeFailed()),
  })
}

export function useCloseCircle({ id, name }: Circle) {
  return useTeamChange((_: undefined) => api(closeCircle, { circleId: id }), {
    onDone: () => showToast({ title: texts.closed({ circle: name }), tone: 'success' }),
    onFailure: (code) => showCircleFailure(code, texts.closeFailed()),
  })
}

/** An invalid name is shown at its field instead. */
function showCircleFailure(code: ApiError['code'] | undefined, otherwise: string, title?: string): void {
  if (code === 'invalid_input') return
  if (code === 'not_found') showFailure(texts.notYours(), title)
  else showFailure(failureText(code, otherwise), title)
}

function failureText(code: ApiError['code'] | undefined, otherwise: string): string {
  if (code === 'circles_off') return texts.noCirclesOnServer()
  if (code === 'too_many_attempts') return texts.tooOften()
  return otherwise
}
