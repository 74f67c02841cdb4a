import cluster, { type Worker } from 'node:cluster'

interface Question<About> {
  question: number
  about: About
}

interface Answer {
  answerTo: number
  value: unknown
}

/** Puts a question to the first process. It never comes back if that one is gone, and neither does this process then. */
export type Ask<About> = (about: About) => Promise<unknown>

/** For a worker: what asks the first process. */
export function createAsk<About>(): Ask<About> {
  const waiting = new Map<number, (value: unknown) => void>()
  let last = 0
  process.on('message', (message: Partial<Answer>) => {
    const { answerTo, value } = message
    if (answerTo === undefined) return
    waiting.get(answerTo)?.(value)
    waiting.delete(answerTo)
  })
  return (about) => {
    last += 1
    const question = last
    const answer = new Promise((resolve) => waiting.set(question, resolve))
    process.send?.({ question, about } satisfies Question<About>)
    return answer
  }
}

/** For the first process: answers what workers ask. `answer` must not reject. */
export function answerWorkers<About>(answer: (about: About) => Promise<unknown>): void {
  cluster.on('message', async (worker: Worker, message: Partial<Question<About>>) => {
    const { question, about } = message
    if (question === undefined || about === undefined) return
    const value = await answer(about)
    // One that died meanwhile asks no more.
    if (worker.isConnected()) worker.send({ answerTo: question, value } satisfies Answer)
  })
}
