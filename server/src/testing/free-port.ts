import { once } from 'node:events'
import { createServer } from 'node:net'

/** Above this the system takes ports for connections that go out: one that is free now may be gone when it is listened on. */
const TOP = 30_000
const OF_EACH_WORKER = 2_000
const WORKERS = 8

const { TEST_PARALLEL_INDEX, VITEST_POOL_ID } = process.env
/** So that no two that look at the same time find the same. */
const worker = Number(TEST_PARALLEL_INDEX ?? VITEST_POOL_ID ?? 0) % WORKERS
let looked = Math.floor(Math.random() * OF_EACH_WORKER)

/** A port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    looked = (looked + 1) % OF_EACH_WORKER
    const port = TOP - worker * OF_EACH_WORKER - looked
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
