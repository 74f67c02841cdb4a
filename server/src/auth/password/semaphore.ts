import { AuthError } from '../http/auth-error.ts'

/**
 * Lets `atOnce` pieces of work run and `waiting` more wait in line. Throws a 503 for what comes on top, at once: a hash
 * costs 19 MiB and a core for 15 ms, and whoever sends thousands of them must not be able to stop the server.
 */
export function createSemaphore({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }) {
  const line: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running >= maxRunning) {
      if (line.length >= maxWaiting)
        throw new AuthError('unexpected_failure', { message: 'The server is busy. Try again.' })
      // Whoever leaves passes the slot on, so the count stays.
      return new Promise((resolve) => line.push(resolve))
    }
    running += 1
  }

  function leave(): void {
    const next = line.shift()
    if (next) next()
    else running -= 1
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
