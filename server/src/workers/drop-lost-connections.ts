import type { Worker } from 'node:cluster'

interface ClusterMessage {
  act?: string
  seq?: number
}

/**
 * Closes connections that were in flight to a worker when it died, so that their clients retry. node:cluster passes each
 * new connection to a worker but drops those that a dying worker did not accept: their clients would wait forever.
 *
 * This reads internal messages of node:cluster. If they change, only this repair stops working.
 */
export function dropLostConnections(worker: Worker): void {
  const inFlight = new Map<number, { close?: () => void }>()
  const child = worker.process
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  child.send = ((message: ClusterMessage, handle?: { close?: () => void }, ...rest: unknown[]) => {
    if (handle && message.act === 'newconn' && message.seq !== undefined) inFlight.set(message.seq, handle)
    return send(message, handle, ...rest)
  }) as typeof child.send
  child.on('internalMessage', ({ ack }: { ack?: number }) => ack !== undefined && inFlight.delete(ack))
  child.once('exit', () => {
    for (const handle of inFlight.values()) handle.close?.()
    inFlight.clear()
  })
}
