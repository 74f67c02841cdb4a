import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import type { Argon2Cost } from '../../config.ts'
import { MOST_CHARACTERS, normalPassword } from './new-password.ts'
import { createSlots } from './slots.ts'

/** Two, since each one occupies a thread of the pool of four that files and name look-ups share. */
const SLOTS = { atOnce: 2, waiting: 64 }

export interface Passwords {
  /** The PHC string of a password in the form of `newPassword`. Throws a 503 when too many are waiting. */
  hash(password: string): Promise<string>
  /** Whether `password`, as typed, is the one behind `hash`. Null, for nobody's, takes as long and is false. */
  verify(hash: string | null, password: string): Promise<boolean>
  /** Whether a hash cost what a new one costs: the operator may have changed that since. */
  isCurrent(hash: string): boolean
}

/** Argon2id without a pepper: other servers of this protocol can then take the hashes over. */
export async function createPasswords({ memoryKiB, passes, threads }: Argon2Cost): Promise<Passwords> {
  const options: Options = {
    algorithm: 2,
    memoryCost: memoryKiB,
    timeCost: passes,
    parallelism: threads,
    outputLen: 32,
  }
  const inSlot = createSlots(SLOTS)
  const nobodys = await hash(randomBytes(32), options)
  return {
    hash: (password) => inSlot(() => hash(Buffer.from(password), options)),
    async verify(stored, password) {
      const normal = normalPassword(password)
      if ([...normal].length > MOST_CHARACTERS) return false
      const isRight = await inSlot(() => verify(stored ?? nobodys, Buffer.from(normal)))
      return isRight && stored !== null
    },
    isCurrent: (stored) => stored.startsWith(`$argon2id$v=19$m=${memoryKiB},t=${passes},p=${threads}$`),
  }
}
