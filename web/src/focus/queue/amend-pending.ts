import { underSendLock } from './send-lock.ts'
import { KEY, opened, type PendingChange } from './stored-changes.ts'
import { isStored, pendingOf, reloadQueue } from './switch-queue.ts'

/**
 * Gives the pending on of this session a target, if the server does not have it yet: under the lock, so that it is not being sent.
 * Resolves to whether there was one.
 */
export function amendPendingOn(userId: string, sessionId: string, targetMinutes: number | undefined): Promise<boolean> {
  return underSendLock(userId, async () => {
    await reloadQueue()
    const on = pendingOf(userId).find((change) => change.to === 'on' && change.sessionId === sessionId)
    if (!on || !isStored(on)) return false
    await replace({ ...on, targetMinutes })
    await reloadQueue()
    return true
  })
}

/** Stores a new version of a change, unless it was deleted in between. */
async function replace({ sequence, ...press }: PendingChange): Promise<void> {
  const transaction = (await opened()).transaction('changes', 'readwrite', { durability: 'strict' })
  const isThere = (await transaction.store.getKey(sequence)) !== undefined
  await Promise.all([isThere && transaction.store.put({ ...press, [KEY]: sequence }), transaction.done])
  // To the tabs of this browser, which load the queue again.
  const tabs = new BroadcastChannel('deeb-switch-queue')
  tabs.postMessage(null)
  tabs.close()
}
