import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports above this may be ephemeral: the system can use one for an outgoing connection before a test listens on it. */
const MAX_PORT = 30_000
const PORTS_PER_WORKER = 2_000
const WORKERS = 8

const { TEST_PARALLEL_INDEX, VITEST_POOL_ID } = process.env
/** Each worker process has its own range, so that two that search concurrently do not find the same port. */
const worker = Number(TEST_PARALLEL_INDEX ?? VITEST_POOL_ID ?? 0) % WORKERS
let lastOffset = Math.floor(Math.random() * PORTS_PER_WORKER)

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    lastOffset = (lastOffset + 1) % PORTS_PER_WORKER
    const port = MAX_PORT - worker * PORTS_PER_WORKER - lastOffset
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
