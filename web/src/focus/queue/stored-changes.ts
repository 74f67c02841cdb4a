import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** A press of the switch that the server has not acknowledged yet. */
export interface WaitingChange {
  /** Grows with every press, in whichever tab. */
  place: number
  /** Whose press it was: nobody else sends it. */
  userId: string
  to: 'on' | 'off'
  sessionId: string
  /** The zone at the press. */
  timeZone: string
  /** By this device's clock, in ms. */
  actedAt: number
}

export type Press = Omit<WaitingChange, 'place'>

interface Schema extends DBSchema {
  changes: { key: number; value: Press & { place?: number } }
}

/** How long a press waits for the database. Once it has not come in time, only as long as it takes to see that it is there. */
let patienceMs = 2_000
let opening: Promise<IDBPDatabase<Schema>> | undefined

/** What a call rejects with that came too early. `opened` tells when to come again. */
export class NotOpenYet extends Error {}

/** The database, whenever it opens. Rejects where the browser keeps nothing; the next call tries again. */
export function opened(): Promise<IDBPDatabase<Schema>> {
  opening ??= open().catch((error) => {
    opening = undefined
    throw error
  })
  return opening
}

async function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>('deeb-switch-queue', 1, {
    upgrade: (db) => void db.createObjectStore('changes', { keyPath: 'place', autoIncrement: true }),
    // Closed by the browser, as when storage is cleared: the next call opens it anew.
    terminated: () => {
      opening = undefined
    },
  })
}

/** Rejects as well where the browser does not say so in time: some never answer in private windows. */
function database(): Promise<IDBPDatabase<Schema>> {
  let timer: ReturnType<typeof setTimeout>
  const impatience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      patienceMs = 0
      reject(new NotOpenYet('The database did not open.'))
    }, patienceMs)
  })
  return Promise.race([opened(), impatience]).finally(() => clearTimeout(timer))
}

/** Resolves to its place once it is on the disk. */
export async function storeChange(press: Press): Promise<number> {
  const transaction = (await database()).transaction('changes', 'readwrite', { durability: 'strict' })
  const [place] = await Promise.all([transaction.store.add(press), transaction.done])
  return place
}

/** Everything that waits on this device, of all people, in the order of presses. */
export async function readChanges(): Promise<WaitingChange[]> {
  return (await (await database()).getAll('changes')) as WaitingChange[]
}

export async function forgetChanges(places: number[]): Promise<void> {
  const transaction = (await database()).transaction('changes', 'readwrite', { durability: 'strict' })
  await Promise.all([...places.map((place) => transaction.store.delete(place)), transaction.done])
}
