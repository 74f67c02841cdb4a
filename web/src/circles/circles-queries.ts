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
import type { Person } from '@deeb/core/team/connection'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ApiError, api } from '../api.ts'
import { shortName } from '../team/members.ts'
import { CIRCLES_KEY } from '../team/team-cache.ts'
import { useTeamChange } from '../team/team-queries.ts'
import { isLater, whenText } from '../team/visible-from.ts'
import { showFailure, showToast } from '../ui/toast.ts'

/** The circles of the user, and the people whom they hide. */
export function useCircles() {
  return useQuery({ queryKey: CIRCLES_KEY, queryFn: () => api(readCircles, {}) })
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
      const from = isLater(visibleFrom) ? `from ${whenText(visibleFrom)}` : 'from now on'
      showToast({ title: `You joined ${name}`, description: `You see each other ${from}.`, tone: 'success' })
    },
    onFailure: () => undefined,
  })
}

/** Why the user has not joined, and what to do. */
export function joinFailure(error: Error, name: string): string {
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'not_found') return 'This link no longer works. Ask your colleague for a new one.'
  if (code === 'circle_full') return `${name} is full. Ask a member to make room, or create a second circle.`
  if (code === 'too_many_circles') return `You are in ${MAX_CIRCLES} circles. Leave one, then join this one.`
  return failureText(code, 'You have not joined. Please try again.')
}

export function useCreateCircle() {
  return useTeamChange((name: string) => api(createCircle, { name }), {
    onDone: () => undefined,
    onFailure: (code) => {
      const title = 'Circle not created'
      if (code === 'too_many_circles')
        showFailure(`You are in ${MAX_CIRCLES} circles, or have created 5 today. Leave one, or try tomorrow.`, title)
      else if (code === 'not_found') showFailure('A circle needs a work address. Change your email in Settings.', title)
      else showCircleFailure(code, 'The circle was not created. Please try again.', title)
    },
  })
}

export function useRenameCircle({ id }: Circle) {
  return useTeamChange((name: string) => api(renameCircle, { circleId: id, name }), {
    onDone: () => undefined,
    onFailure: (code) => showCircleFailure(code, 'The name was not changed. Please try again.'),
  })
}

/** Makes a new link, or removes it. */
export function useChangeCircleLink({ id, invite }: Circle) {
  return useTeamChange((isOpen: boolean) => api(changeCircleLink, { circleId: id, isOpen }), {
    onDone: (_answer, isOpen) => {
      if (!isOpen) showToast({ title: 'Nobody can join now', tone: 'success' })
      else if (invite === null) showToast({ title: 'Link made', tone: 'success' })
      else showToast({ title: 'New link made', description: 'The old link no longer works.', tone: 'success' })
    },
    onFailure: (code) => showCircleFailure(code, 'The link was not changed. Please try again.'),
  })
}

export function useRemoveMember({ id, name }: Circle) {
  return useTeamChange((person: Person) => api(removeMember, { circleId: id, userId: person.id }), {
    onDone: (_answer, person) => showToast({ title: `${shortName(person)} is no longer in ${name}`, tone: 'success' }),
    onFailure: (code) => showCircleFailure(code, 'The member was not removed. Please try again.'),
  })
}

export function useCloseCircle({ id, name }: Circle) {
  return useTeamChange((_: undefined) => api(closeCircle, { circleId: id }), {
    onDone: () => showToast({ title: `${name} is closed`, tone: 'success' }),
    onFailure: (code) => showCircleFailure(code, 'The circle was not closed. Please try again.'),
  })
}

/** An invalid name is shown at its field instead. */
function showCircleFailure(code: ApiError['code'] | undefined, otherwise: string, title = 'Error'): void {
  if (code === 'invalid_input') return
  if (code === 'not_found') showFailure('You can no longer change this circle.', title)
  else showFailure(failureText(code, otherwise), title)
}

function failureText(code: ApiError['code'] | undefined, otherwise: string): string {
  if (code === 'circles_off') return 'This server has no circles.'
  if (code === 'too_many_attempts') return 'That was too often. Please try again later.'
  return otherwise
}
