import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { findProgram } from './find-program.ts'
import { freePort } from './free-port.ts'
import { killAtExit } from './kill-at-exit.ts'
import { until } from './until.ts'

const program = findProgram('nats-server')
if (program === null)
  console.log('Skipped: the tests of several servers with a broker. There is no nats-server on this machine.')

/** A NATS broker on this machine. */
export interface Broker {
  /** For BUS_URL. */
  url: string
  start(): Promise<void>
  /** Kills it, if it runs. */
  kill(): Promise<void>
}

/** Starts a broker. Null where none is installed. */
export async function startBroker(): Promise<Broker | null> {
  if (program === null) return null
  const port = await freePort()
  let child: ChildProcess | null = null
  const broker: Broker = {
    url: `nats://127.0.0.1:${port}`,
    async start() {
      child = killAtExit(spawn(program, ['-a', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' }))
      await until(() => answers(port))
    },
    async kill() {
      if (!child) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      child = null
    },
  }
  await broker.start()
  return broker
}

function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).finally(() => socket.destroy()) as Promise<boolean>
}
