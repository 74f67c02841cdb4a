import cluster, { type Worker } from 'node:cluster'

interface Message<About> {
  about: About
  /** The id of a request; a message without one expects no response. */
  requestId?: number
}

interface Response {
  responseTo: number
  value: unknown
}

/** IPC from a worker to the primary process. */
export interface Channel<About> {
  /** Sends a request. Stays pending if the primary process is gone; this process ends then, too. */
  ask(about: About): Promise<unknown>
  /** Sends a message that expects no response. */
  send(about: About): void
}

/** Opens the channel of a worker. */
export function openChannel<About>(): Channel<About> {
  const pending = new Map<number, (value: unknown) => void>()
  let last = 0
  const sendMessage = (message: Message<About>) => process.send?.(message)
  process.on('message', (message: Partial<Response>) => {
    const { responseTo, value } = message
    if (responseTo === undefined) return
    pending.get(responseTo)?.(value)
    pending.delete(responseTo)
  })
  return {
    ask(about) {
      last += 1
      const requestId = last
      const response = new Promise((resolve) => pending.set(requestId, resolve))
      sendMessage({ about, requestId })
      return response
    },
    send: (about) => void sendMessage({ about }),
  }
}

/** For the primary process: calls `answer` for each message of a worker and responds to requests. It must not reject. */
export function answerWorkers<About>(answer: (about: About) => Promise<unknown>): void {
  cluster.on('message', async (worker: Worker, message: Partial<Message<About>>) => {
    const { about, requestId } = message
    if (about === undefined) return
    const value = await answer(about)
    // The worker may have died since.
    if (requestId !== undefined && worker.isConnected())
      worker.send({ responseTo: requestId, value } satisfies Response)
  })
}
