import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import type { Argon2Cost } from '../../config.ts'
import { normalPassword } from './new-password.ts'
import { createSemaphore } from './semaphore.ts'

/** Two, since each one occupies a thread of the pool of four that files and name look-ups share. */
const HASHES = { maxRunning: 2, maxWaiting: 64 }

export interface Passwords {
  /** The PHC string of a password in the form of `newPassword`. Throws a 503 when too many are waiting. */
  hash(password: string): Promise<string>
  /**
   * Whether `password`, as typed, is the one behind `stored`; false for null, an account that does not exist. Computes a
   * hash of each of `costs` and of the current cost, so that with `COSTS_IN_USE` every account costs the same.
   */
  verify(stored: string | null, password: string, costs?: string[]): Promise<boolean>
  /** Whether a hash cost what a new one costs: the operator may have changed that since. */
  isCurrent(hash: string): boolean
}

type Argon2 = Readonly<{ hash: typeof hash; verify: typeof verify }>

/** Argon2id without a pepper: other servers of this protocol can then take the hashes over. */
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

/** The parameters in a PHC string, such as `m=19456,t=2,p=1`; empty if it is no such string. */
function costOf(stored: string): string {
  return stored.split('$')[3] ?? ''
}

/** A hash of this cost that no password has. */
function dummyHash(cost: string): string {
  const [salt, tag] = [16, 32].map((length) => randomBytes(length).toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$${cost}$${salt}$${tag}`
}
