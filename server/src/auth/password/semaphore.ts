import { AuthError } from '../http/auth-error.ts'

/**
 * A semaphore: runs at most `maxRunning` tasks concurrently and queues at most `maxWaiting` more. Throws a 503 immediately when
 * the queue is full. It prevents a denial of service: each password hash costs 19 MiB and 15 ms of a core.
 */
export function createSemaphore({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }) {
  const queue: (() => void)[] = []
  let running = 0

  async function acquire(): Promise<void> {
    if (running >= maxRunning) {
      if (queue.length >= maxWaiting)
        throw new AuthError('unexpected_failure', { message: 'The server is busy. Try again.' })
      // release() hands its permit to the first in the queue, so `running` does not change.
      return new Promise((resolve) => queue.push(resolve))
    }
    running += 1
  }

  function release(): void {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }
}
