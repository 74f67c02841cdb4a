import cluster from 'node:cluster'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { stopOnSignal } from '../stop-on-signal.ts'
import { openChannel } from '../workers/channel.ts'
import { runWorkers } from '../workers/run-workers.ts'
import { createSharedLimitStore } from '../workers/shared-rate-limits.ts'

/*
 * Fault injection: a program with two workers, run in the same way as those of the server. Run it as a child process.
 *
 * The second worker connects to the port WATCHED_AT and dies when it receives data there. Before that it halts the primary and
 * sends it more than fits into the pipe, so that the messages stay unread. The first fork of its replacement fails.
 */
if (cluster.isPrimary) {
  const { stop } = await runWorkers(2, fileURLToPath(import.meta.url))
  stopOnSignal(stop)
  cluster.once('exit', () => {
    cluster.setupPrimary({ cwd: '/nowhere' })
    cluster.once('fork', () => cluster.setupPrimary({ cwd: process.cwd() }))
  })
  console.log('deeb runs at no port')
} else {
  const rule = { name: 'asked', burst: 10, seconds: 60 }
  const limitStore = createSharedLimitStore(openChannel())
  stopOnSignal(async () => undefined)
  const id = cluster.worker?.id
  console.log(`worker ${id} listens`)
  process.send?.({ mailNote: '' })
  if (id === 2) {
    connect(Number(process.env.WATCHED_AT), '127.0.0.1').once('data', () => {
      process.kill(process.ppid, 'SIGSTOP')
      for (let n = 0; n < 1_000; n++) void limitStore.take(rule, 'key', new Date())
      process.kill(process.pid, 'SIGKILL')
    })
  }
}
