import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import { MOST_CHARACTERS, normalPassword } from './new-password.ts'
import { createSlots } from './slots.ts'

/** OWASP's argon2id. No pepper: other servers of this protocol can then take the hashes over. */
const PARAMETERS: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }

/** Two, since each one occupies a thread of the pool of four that files and name look-ups share. */
const SLOTS = { atOnce: 2, waiting: 64 }

export interface Passwords {
  /** The PHC string of a password in the form of `newPassword`. Throws a 503 when too many are waiting. */
  hash(password: string): Promise<string>
  /** Whether `password`, as typed, is the one behind `hash`. Null, for nobody's, takes as long and is false. */
  verify(hash: string | null, password: string): Promise<boolean>
}

export async function createPasswords(): Promise<Passwords> {
  const inSlot = createSlots(SLOTS)
  const nobodys = await hash(randomBytes(32), PARAMETERS)
  return {
    hash: (password) => inSlot(() => hash(Buffer.from(password), PARAMETERS)),
    async verify(stored, password) {
      const normal = normalPassword(password)
      if ([...normal].length > MOST_CHARACTERS) return false
      const isRight = await inSlot(() => verify(stored ?? nobodys, Buffer.from(normal)))
      return isRight && stored !== null
    },
  }
}
