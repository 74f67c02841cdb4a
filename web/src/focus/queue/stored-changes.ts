import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** A press of the switch, or of `interrupted?` and its `Undo`, that the server has not acknowledged yet. */
export interface PendingChange {
  /** Increases with every press, across tabs. */
  sequence: number
  /** The id of the user who pressed. A change is never sent as another user. */
  userId: string
  to: 'on' | 'off' | 'interrupted' | 'undo'
  sessionId: string
  /** The time zone at the press. */
  timeZone: string
  /** By this device's clock, in ms. */
  actedAt: number
  /** Only if `to` is `on`. */
  targetMinutes?: number | undefined
  /** Only of an interruption and its undo: the press that counts. */
  pressId?: string | undefined
}

/** Whether a change is a press of the switch. Interruptions do not change deeb mode. */
export function isSwitch(change: PendingChange): change is PendingChange & { to: 'on' | 'off' } {
  return !change.pressId
}

export type Press = Omit<PendingChange, 'sequence'>

/** Stored devices have the key under this name: another one would need a migration of the database. */
export const KEY = 'place'

interface Schema extends DBSchema {
  changes: { key: number; value: Press & { [KEY]?: number } }
}

/** How long a press waits for the database. After one timeout, presses no longer wait. */
let timeoutMs = 2_000
let opening: Promise<IDBPDatabase<Schema>> | undefined

/** The error of a call before the database is open. `opened` resolves when a retry makes sense. */
export class NotOpenYet extends Error {}

/** The database, without a timeout. Rejects if the browser stores nothing; the next call tries again. */
export function opened(): Promise<IDBPDatabase<Schema>> {
  opening ??= open().catch((error) => {
    opening = undefined
    throw error
  })
  return opening
}

async function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>('deeb-switch-queue', 1, {
    upgrade: (db) => void db.createObjectStore('changes', { keyPath: KEY, autoIncrement: true }),
    // The browser closed it, as when storage is cleared. The next call opens it again.
    terminated: () => {
      opening = undefined
    },
  })
}

/** The database, with a timeout: in some private windows opening never ends. */
function database(): Promise<IDBPDatabase<Schema>> {
  let timer: ReturnType<typeof setTimeout>
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      timeoutMs = 0
      reject(new NotOpenYet('The database did not open.'))
    }, timeoutMs)
  })
  return Promise.race([opened(), timeout]).finally(() => clearTimeout(timer))
}

/** Resolves to the sequence number once the press is on the disk. */
export async function storeChange(press: Press): Promise<number> {
  const transaction = (await database()).transaction('changes', 'readwrite', { durability: 'strict' })
  const [sequence] = await Promise.all([transaction.store.add(press), transaction.done])
  return sequence
}

/** All pending changes of this device, of all users, in the order of the presses. */
export async function readChanges(): Promise<PendingChange[]> {
  const stored = await (await database()).getAll('changes')
  return stored.map(({ [KEY]: sequence = 0, ...press }) => ({ ...press, sequence }))
}

export async function deleteChanges(sequences: number[]): Promise<void> {
  const transaction = (await database()).transaction('changes', 'readwrite', { durability: 'strict' })
  await Promise.all([...sequences.map((sequence) => transaction.store.delete(sequence)), transaction.done])
}
