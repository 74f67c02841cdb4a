import type { OutputOf } from '@deeb/core/endpoint'
import { SCOPES } from '@deeb/core/scopes'
import type { readOwnToken as endpoint } from '@deeb/core/tokens/api'
import type { SignedInActor } from '../lib/actor.ts'

/** Reads the scopes and the end of the token that authenticated the actor. */
export async function readOwnToken({ scopes, tokenEndsAtMs }: SignedInActor): Promise<OutputOf<typeof endpoint>> {
  return { scopes: [...(scopes ?? SCOPES)], expiresAt: new Date(tokenEndsAtMs).toISOString() }
}
