/*
 * The switch queue: presses of the switch that the server has not acknowledged, also offline. Two presses offline are two pending
 * changes; the server replays them in order (core/focus/replay.ts).
 */
import type { FocusSession } from '@deeb/core/focus/api'
import { useMemo, useSyncExternalStore } from 'react'
import { useSignedInUserId } from '../../session/auth-session.ts'
import {
  deleteChanges,
  NotOpenYet,
  opened,
  type PendingChange,
  type Press,
  readChanges,
  storeChange,
} from './stored-changes.ts'

/** Result of a sent batch, broadcast to all tabs so that each updates its query cache. */
export interface BatchResult {
  userId: string
  /** The accepted changes; refused ones are left out. */
  taken: PendingChange[]
  /** Undefined if the response has no such field. */
  openSession: FocusSession | null | undefined
}

/** Sequence numbers from here on are of presses that the browser could not store. They are lost with the page. */
const FIRST_UNSTORED = 2 ** 52
let nextUnstored = FIRST_UNSTORED

let stored: readonly PendingChange[] = []
let unstored: readonly PendingChange[] = []
/** The changes of both arrays; a new array after every change. */
let pending: readonly PendingChange[] = []
/** Keys of answered changes: even if the browser cannot delete one, it is not sent again. */
const answered = new Set<string>()
/** The sequence alone is not unique: it restarts when storage is cleared, and each tab counts its own unstored presses. */
const keyOf = ({ sequence, actedAt }: PendingChange) => `${sequence} ${actedAt}`
const queueListeners = new Set<() => void>()
const resultListeners = new Set<(result: BatchResult) => void>()

let last: Promise<unknown> = Promise.resolve()
/** A mutex: serializes tasks, so that a slow read does not restore what was removed after it began. */
function serialize<T>(task: () => Promise<T>): Promise<T> {
  const result = last.then(task)
  last = result.catch(() => undefined)
  return result
}

/** A reload is already scheduled for when IndexedDB opens. */
let isReloadScheduled = false

const tabs = new BroadcastChannel('deeb-switch-queue')
tabs.onmessage = ({ data }: MessageEvent<BatchResult | null>) => {
  if (data) applyResult(data, data.taken)
  void reloadQueue()
}
void reloadQueue()

function update(next: { stored?: readonly PendingChange[]; unstored?: readonly PendingChange[] }): void {
  const isPending = (change: PendingChange) => !answered.has(keyOf(change))
  stored = (next.stored ?? stored).filter(isPending)
  unstored = (next.unstored ?? unstored).filter(isPending)
  pending = [...stored, ...unstored]
  for (const listener of queueListeners) listener()
}

/** Updates the caches just before the changes leave the queue: the screen shows them neither twice nor not at all. */
function applyResult(result: BatchResult, changes: readonly PendingChange[]): void {
  for (const listener of resultListeners) listener(result)
  for (const change of changes) answered.add(keyOf(change))
  update({})
}

/** Loads what other tabs or an earlier visit stored. If the database is not open yet, loads again once it is. */
export function reloadQueue(): Promise<void> {
  return serialize(async () => {
    const read = await readChanges().catch((error) => {
      if (error instanceof NotOpenYet) reloadOnceOpened()
      return stored
    })
    update({ stored: read })
  })
}

/** Loads the queue as soon as the database is open, without a press: a phone that has just started may need many seconds. */
function reloadOnceOpened(): void {
  if (isReloadScheduled) return
  isReloadScheduled = true
  void opened()
    .finally(() => {
      isReloadScheduled = false
    })
    .then(reloadQueue, () => undefined)
}

/** Adds a press. Resolves once it is on the disk, or immediately if the browser stores nothing; then screens show it. */
export function enqueue(press: Press): Promise<void> {
  return serialize(async () => {
    try {
      update({ stored: [...stored, { ...press, sequence: await storeChange(press) }] })
      tabs.postMessage(null)
    } catch {
      update({ unstored: [...unstored, { ...press, sequence: nextUnstored++ }] })
    }
  })
}

/** Removes answered changes and applies their result, in every tab. */
export function dequeue(changes: readonly PendingChange[], result: BatchResult): Promise<void> {
  return serialize(async () => {
    applyResult(result, changes)
    const sequences = changes.filter(isStored).map(({ sequence }) => sequence)
    if (sequences.length > 0) await deleteChanges(sequences).catch(() => undefined)
    tabs.postMessage(result)
  })
}

/** Discards the pending changes of a user. */
export function discardPending(userId: string): Promise<void> {
  return dequeue(pendingOf(userId), { userId, taken: [], openSession: undefined })
}

/** Whether a change survives a reload of the page. */
export function isStored({ sequence }: PendingChange): boolean {
  return sequence < FIRST_UNSTORED
}

/** The pending changes of a user, in the order of the presses. */
export function pendingOf(userId: string): readonly PendingChange[] {
  return pending.filter((change) => change.userId === userId)
}

/** Calls the listener after changes were added or removed, in this tab or another. */
export function onQueueChange(listener: () => void): () => void {
  queueListeners.add(listener)
  return () => queueListeners.delete(listener)
}

/** Calls the listener with the result of a batch, before its changes leave the queue. */
export function onResult(listener: (result: BatchResult) => void): () => void {
  resultListeners.add(listener)
  return () => resultListeners.delete(listener)
}

/** The pending changes of the signed-in user. */
export function usePending(): readonly PendingChange[] {
  const userId = useSignedInUserId()
  const all = useSyncExternalStore(onQueueChange, () => pending)
  return useMemo(() => all.filter((change) => change.userId === userId), [all, userId])
}
