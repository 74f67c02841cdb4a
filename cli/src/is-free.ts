import type { OutputOf } from '@deeb/core/endpoint'
import { comeBackAt } from '@deeb/core/presence/come-back'
import type { readTeam } from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import * as z from 'zod'

/**
 * The answer about a colleague. It has no text that another person wrote, such as a name or a username: an assistant could take
 * that for an instruction.
 */
export const FREE_ANSWER = {
  answer: z.enum(['free', 'in_deeb_mode', 'not_found', 'several']),
  since: z.string().nullable(),
  /** The time to come back, rounded to 5 minutes. */
  until: z.string().nullable(),
}

/** Whether the only colleague with this name is free. Every word of the name must be a whole word of theirs. */
export function freeAnswer(team: OutputOf<typeof readTeam>, name: string) {
  const words = wordsOf([name])
  const seen = [...team.connections, ...(team.throughCircles ?? [])]
  const [found, ...others] = seen.filter(
    ({ person }) => words.length > 0 && words.every((word) => namesOf(person).includes(word)),
  )
  if (!found) return { answer: 'not_found', since: null, until: null }
  if (others.length > 0) return { answer: 'several', since: null, until: null }
  const { inDeebMode, since } = found.presence
  const until = comeBackAt(found.presence, new Date(team.serverTime))?.toISOString() ?? null
  return { answer: inDeebMode ? 'in_deeb_mode' : 'free', since, until }
}

/** All words by which somebody can be meant, with the whole address. */
function namesOf({ firstName, lastName, username, email }: Person): string[] {
  return [...wordsOf([firstName, lastName, username]), email.toLowerCase()]
}

function wordsOf(texts: (string | null)[]): string[] {
  return texts
    .flatMap((text) =>
      (text ?? '')
        .normalize('NFC')
        .toLowerCase()
        .split(/[\s,]+/),
    )
    .filter((word) => word !== '')
}
