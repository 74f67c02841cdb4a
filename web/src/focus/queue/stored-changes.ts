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

/** Rejects where the browser keeps nothing, or does not say so in time: some never answer in private windows. */
function database(): Promise<IDBPDatabase<Schema>> {
  opening ??= openDB<Schema>('deeb-switch-queue', 1, {
    upgrade: (db) => void db.createObjectStore('changes', { keyPath: 'place', autoIncrement: true }),
    // Closed by the browser, as when storage is cleared: the next call opens it anew.
    terminated: () => {
      opening = undefined
    },
  })
  let timer: ReturnType<typeof setTimeout>
  const impatience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      patienceMs = 0
      reject(new Error('The database did not open.'))
    }, patienceMs)
  })
  return Promise.race([opening, impatience]).finally(() => clearTimeout(timer))
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
