import cluster, { type Worker } from 'node:cluster'

interface Message<About> {
  about: About
  /** The number of a question; what is only told has none. */
  question?: number
}

interface Answer {
  answerTo: number
  value: unknown
}

/** A worker's way to the first process. */
export interface Channel<About> {
  /** Puts a question. It never comes back if the first process is gone, and neither does this process then. */
  ask(about: About): Promise<unknown>
  /** Says what needs no answer. */
  tell(about: About): void
}

/** For a worker. */
export function openChannel<About>(): Channel<About> {
  const waiting = new Map<number, (value: unknown) => void>()
  let last = 0
  const send = (message: Message<About>) => process.send?.(message)
  process.on('message', (message: Partial<Answer>) => {
    const { answerTo, value } = message
    if (answerTo === undefined) return
    waiting.get(answerTo)?.(value)
    waiting.delete(answerTo)
  })
  return {
    ask(about) {
      last += 1
      const question = last
      const answer = new Promise((resolve) => waiting.set(question, resolve))
      send({ about, question })
      return answer
    },
    tell: (about) => void send({ about }),
  }
}

/** For the first process: answers what workers ask, and hears what they tell. `answer` must not reject. */
export function answerWorkers<About>(answer: (about: About) => Promise<unknown>): void {
  cluster.on('message', async (worker: Worker, message: Partial<Message<About>>) => {
    const { about, question } = message
    if (about === undefined) return
    const value = await answer(about)
    // One that died meanwhile asks no more.
    if (question !== undefined && worker.isConnected()) worker.send({ answerTo: question, value } satisfies Answer)
  })
}
