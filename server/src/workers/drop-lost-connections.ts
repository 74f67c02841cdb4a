import type { Worker } from 'node:cluster'

interface Handed {
  act?: string
  seq?: number
}

/**
 * node:cluster hands each new connection to a worker, and forgets those that were on their way to one that died: their
 * clients would wait for ever, and whoever comes back the moment it died is among them. These are closed, so that the
 * clients try again. The messages are of node:cluster itself; should they change, only this is lost.
 */
export function dropLostConnections(worker: Worker): void {
  const handed = new Map<number, { close?: () => void }>()
  const child = worker.process
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  child.send = ((message: Handed, handle?: { close?: () => void }, ...rest: unknown[]) => {
    if (handle && message.act === 'newconn' && message.seq !== undefined) handed.set(message.seq, handle)
    return send(message, handle, ...rest)
  }) as typeof child.send
  child.on('internalMessage', ({ ack }: { ack?: number }) => ack !== undefined && handed.delete(ack))
  child.once('exit', () => {
    for (const handle of handed.values()) handle.close?.()
    handed.clear()
  })
}
