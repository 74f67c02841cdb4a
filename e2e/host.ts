import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('server-host.js', import.meta.url))
const DIST = fileURLToPath(new URL('../server/dist/', import.meta.url))
/** A journey runs few statements, so optimizing the WebAssembly of the embedded database costs more than it saves. */
const FLAGS = ['--liftoff-only']
/** A process that has started so many servers is replaced, so that what they leave in memory stays small. */
const MAX_STARTS = 20

interface Message {
  id: number
  answer?: string
  error?: string
}

/** A child process that runs servers. It ends with this process. */
export class Host {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #isReady: Promise<unknown>
  #starts = 0
  #running = 0
  #lastId = 0

  /** `dist`: the folder of the built server. */
  constructor(dist = DIST) {
    const child = spawn(process.execPath, [...FLAGS, PROGRAM, dist], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    this.#isReady = this.#answer(0)
    this.#isReady.catch(() => undefined)
    child.on('message', (message: Message) => this.#waiting.get(message.id)?.(message))
    child.once('exit', (code, signal) => {
      for (const [id, settle] of this.#waiting)
        settle({ id, error: `The process of the server ended: ${signal ?? code}` })
    })
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  get isUsedUp(): boolean {
    return this.hasEnded || this.#starts >= MAX_STARTS
  }

  /** Sends an order to server-host.js. Resolves with the answer, rejects if it fails or the process ends. */
  async order(order: 'start' | 'wait' | 'travel' | 'stop', server: { port: number; [name: string]: unknown }) {
    if (order === 'start') {
      this.#starts++
      this.#running++
    }
    try {
      await this.#isReady
      return await this.#send(order, server)
    } catch (error) {
      if (order === 'start') this.#running--
      throw error
    } finally {
      if (order === 'stop') this.#running--
      if (this.isUsedUp && this.#running === 0) await this.end('SIGKILL')
    }
  }

  #send(order: string, server: object): Promise<string> {
    if (this.hasEnded) throw new Error('The process of the server has ended.')
    const id = ++this.#lastId
    const answered = this.#answer(id)
    // If it cannot be sent, the process has ended, and its exit settles the answer.
    this.#child.send({ id, order, ...server }, () => undefined)
    return answered
  }

  #answer(id: number): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ answer = '', error }) => {
        this.#waiting.delete(id)
        if (error === undefined) resolve(answer)
        else reject(new Error(error))
      })
    })
  }

  /** Ends the process. Resolves with its exit code, null after SIGKILL. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.hasEnded) return this.#child.exitCode
    const ended = once(this.#child, 'exit')
    this.#child.kill(signal)
    return ((await ended) as [number | null])[0]
  }
}
