import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import type { Argon2Cost } from '../../config/config.ts'
import { normalPassword } from './new-password.ts'
import { createSemaphore } from './semaphore.ts'

/** Two, since each hash occupies one of the four threads that file access and DNS lookups share. */
const HASHES = { maxRunning: 2, maxWaiting: 64 }

export interface Passwords {
  /** Hashes a password that `newPassword` returned, as a PHC string. Throws a 503 when too many hashes are queued. */
  hash(password: string): Promise<string>
  /**
   * Whether `password`, as typed, matches the hash `stored`; false for null, the hash of an unknown account.
   *
   * Prevents timing attacks: it computes one hash for each of `costs` and for the current cost, so that with `COSTS_IN_USE` every
   * account takes the same time, an unknown one too.
   */
  verify(stored: string | null, password: string, costs?: string[]): Promise<boolean>
  /** Whether a hash has the current cost. The administrator may have changed AUTH_ARGON2 since. */
  isCurrent(hash: string): boolean
}

type Argon2 = Readonly<{ hash: typeof hash; verify: typeof verify }>

/** Hashes passwords with Argon2id, without a pepper, so that other GoTrue servers can import the hashes. */
export function createPasswords(
  { memoryKiB, passes, threads }: Argon2Cost,
  argon2: Argon2 = { hash, verify },
): Passwords {
  const options: Options = {
    algorithm: 2,
    memoryCost: memoryKiB,
    timeCost: passes,
    parallelism: threads,
    outputLen: 32,
  }
  const withPermit = createSemaphore(HASHES)
  const current = `m=${memoryKiB},t=${passes},p=${threads}`
  return {
    hash: (password) => withPermit(() => argon2.hash(Buffer.from(password), options)),
    async verify(stored, password, costs = []) {
      const normal = normalPassword(password)
      if (normal === null) return false
      return withPermit(() => verifyOneOfEach(argon2, stored, Buffer.from(normal), [...costs, current]))
    },
    isCurrent: (stored) => costOf(stored) === current,
  }
}

async function verifyOneOfEach(
  { verify }: Argon2,
  stored: string | null,
  password: Buffer,
  costs: string[],
): Promise<boolean> {
  const own = stored === null ? null : costOf(stored)
  let isRight = false
  for (const cost of new Set(own === null ? costs : [...costs, own])) {
    if (stored !== null && cost === own) isRight = await verify(stored, password)
    else await verify(dummyHash(cost), password)
  }
  return isRight
}

/** The parameters of a PHC string, such as `m=19456,t=2,p=1`; empty for any other text. */
function costOf(stored: string): string {
  return stored.split('$')[3] ?? ''
}

/** A hash of this cost that matches no password. */
function dummyHash(cost: string): string {
  const [salt, tag] = [16, 32].map((length) => randomBytes(length).toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$${cost}$${salt}$${tag}`
}
