import type { FocusSession } from '@deeb/core/focus/api'
import { useMemo, useSyncExternalStore } from 'react'
import { usePersonId } from '../../auth-session.ts'
import {
  forgetChanges,
  NotOpenYet,
  opened,
  type Press,
  readChanges,
  storeChange,
  type WaitingChange,
} from './stored-changes.ts'

/** What became of changes that were sent, for every tab of the browser to take into what it has read. */
export interface Settlement {
  userId: string
  /** They are the server's now. Those that it refused are not among them. */
  taken: WaitingChange[]
  /** Known after most answers. */
  openSession: FocusSession | null | undefined
}

/** After all that is stored; for presses that the browser could not store. They go with the page. */
let nextUnstoredPlace = 2 ** 52

let stored: readonly WaitingChange[] = []
let unstored: readonly WaitingChange[] = []
/** Both together; a new array whenever something changed. */
let waiting: readonly WaitingChange[] = []
/** What has been answered. Should the browser not be able to remove it, it is at least not sent without end. */
const answered = new Set<string>()
/** Not by its place alone: that begins anew when storage is cleared, and means nothing in another tab if nothing was stored. */
const nameOf = ({ place, actedAt }: WaitingChange) => `${place} ${actedAt}`
const listeners = new Set<() => void>()
const settled = new Set<(settlement: Settlement) => void>()

/** One after the other, so that a slow read never brings back what was removed after it began. */
let turn: Promise<unknown> = Promise.resolve()
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = turn.then(work)
  turn = result.catch(() => undefined)
  return result
}

/** Whether a look comes by itself, once the database has opened. */
let looksOnceOpened = false

const tabs = new BroadcastChannel('deeb-switch-queue')
tabs.onmessage = ({ data }: MessageEvent<Settlement | null>) => {
  if (data) settle(data, data.taken)
  void lookAgain()
}
void lookAgain()

function show(next: { stored?: readonly WaitingChange[]; unstored?: readonly WaitingChange[] }): void {
  const isLeft = (change: WaitingChange) => !answered.has(nameOf(change))
  stored = (next.stored ?? stored).filter(isLeft)
  unstored = (next.unstored ?? unstored).filter(isLeft)
  waiting = [...stored, ...unstored]
  for (const listener of listeners) listener()
}

/** What was read takes the changes in just before they go: the screen never shows them twice, nor for a moment not at all. */
function settle(settlement: Settlement, changes: readonly WaitingChange[]): void {
  for (const listener of settled) listener(settlement)
  for (const change of changes) answered.add(nameOf(change))
  show({})
}

/** Reads what other tabs, or this device before, have stored: now, and should it be too early for that, once it can. */
export function lookAgain(): Promise<void> {
  return inTurn(async () => {
    const read = await readChanges().catch((error) => {
      if (error instanceof NotOpenYet) lookOnceOpened()
      return stored
    })
    show({ stored: read })
  })
}

/** A phone that has just started may take many seconds, and nobody may touch it after that. */
function lookOnceOpened(): void {
  if (looksOnceOpened) return
  looksOnceOpened = true
  void opened()
    .finally(() => {
      looksOnceOpened = false
    })
    .then(lookAgain, () => undefined)
}

/** Adds a press. Resolves once it is on the disk, or at once where the browser keeps nothing; then the screen shows it. */
export function enqueue(press: Press): Promise<void> {
  return inTurn(async () => {
    try {
      show({ stored: [...stored, { ...press, place: await storeChange(press) }] })
      tabs.postMessage(null)
    } catch {
      show({ unstored: [...unstored, { ...press, place: nextUnstoredPlace++ }] })
    }
  })
}

/** Takes changes out, together with what their answer said. */
export function dequeue(changes: readonly WaitingChange[], settlement: Settlement): Promise<void> {
  return inTurn(async () => {
    settle(settlement, changes)
    const kept = changes.filter(isStored).map(({ place }) => place)
    if (kept.length > 0) await forgetChanges(kept).catch(() => undefined)
    tabs.postMessage(settlement)
  })
}

/** Forgets what a person has not sent. */
export function discardWaiting(userId: string): Promise<void> {
  return dequeue(waitingOf(userId), { userId, taken: [], openSession: undefined })
}

/** Whether a change survives the page. */
export function isStored({ place }: WaitingChange): boolean {
  return place < 2 ** 52
}

/** What a person has switched and the server has not acknowledged, in the order of presses. */
export function waitingOf(userId: string): readonly WaitingChange[] {
  return waiting.filter((change) => change.userId === userId)
}

/** Calls when something was added, here or in another tab, or removed. */
export function onWaiting(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls when the server has answered, before the changes leave the queue. */
export function onSettled(listener: (settlement: Settlement) => void): () => void {
  settled.add(listener)
  return () => settled.delete(listener)
}

/** What the signed-in person has waiting. */
export function useWaiting(): readonly WaitingChange[] {
  const userId = usePersonId()
  const all = useSyncExternalStore(onWaiting, () => waiting)
  return useMemo(() => all.filter((change) => change.userId === userId), [all, userId])
}
