import type { OutputOf } from '@deeb/core/endpoint'
import { readInvitation } from '@deeb/core/invitations/api'
import * as texts from '@deeb/texts/links'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { api } from '../calls/api.ts'

/** The number that stands for hundreds of people. */
const HUNDREDS = 200

/**
 * Who invites to what, by the fragment of a link. The secret must not be in the query cache. With a key for each mounted screen, a second
 * link in the same tab never shows the first one.
 */
export function useInvitation(invite: string) {
  const id = useId()
  return useQuery({ queryKey: [readInvitation.path, id], queryFn: () => api(readInvitation, { invite }), gcTime: 0 })
}

/** `More than 10 people at acme.com` */
export function aboutText({ people, domain }: OutputOf<typeof readInvitation>): string {
  if (people === null) return texts.at({ domain })
  return people === HUNDREDS ? texts.hundredsAt({ domain }) : texts.aboutAt({ number: people, domain })
}
