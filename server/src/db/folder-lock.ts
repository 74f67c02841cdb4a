import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pipeOf, shortest } from './local-socket.ts'

const TRIES = 20

/** Another process holds the folder. */
export class FolderHeld extends Error {
  constructor(folder: string) {
    super(`Another deeb is running on ${folder}. Stop it first.`)
  }
}

/**
 * Locks `folder` for this process until the returned function is called or the process ends, also by a crash. Throws
 * `FolderHeld` if another process holds it.
 *
 * The lock is a listening socket, not a pid file: a crash leaves no stale lock, and a reused process id (always 1 in a
 * container) cannot deceive it. Each process first listens on a socket with a unique name, then connects to all others. So
 * of two concurrent starts at least one sees the other, and the socket file of a dead process can be removed without a
 * race.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  if (process.platform === 'win32') return lockByPipe(folder)
  const sockets = join(folder, 'lock')
  await mkdir(sockets, { recursive: true, mode: 0o700 })
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const name = `${randomUUID().slice(0, 8)}.sock`
    const own = shortest(join(sockets, name))
    const state = { answer: 'starting' }
    const server = await listen(own, state)
    const others = await answersOf(sockets, name)
    const seen = await stat(own).then(
      () => true,
      () => false,
    )
    if (others.length === 0 && seen) {
      state.answer = 'held'
      return () => close(server, own)
    }
    await close(server, own)
    if (others.includes('held')) throw new FolderHeld(folder)
    // Two concurrent starts have seen each other: both retry after a random pause (jitter).
    await pause(50 + Math.random() * 200)
  }
  throw new Error(`Other processes keep starting on ${folder}. Try again.`)
}

/** Windows: a named pipe is exclusive and disappears with its process, so no search for others is needed. */
async function lockByPipe(folder: string): Promise<() => Promise<void>> {
  try {
    const server = await listen(await pipeOf(folder), { answer: 'held' })
    return () => close(server)
  } catch {
    throw new FolderHeld(folder)
  }
}

function listen(path: string, state: { answer: string }): Promise<Server> {
  const server = createServer((socket) => socket.end(state.answer))
  server.unref()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })
}

async function close(server: Server, path?: string): Promise<void> {
  await new Promise((resolve) => server.close(resolve))
  if (path) await rm(path, { force: true })
}

/** Asks all other sockets in the folder for their state. Removes sockets of dead processes. */
async function answersOf(sockets: string, own: string): Promise<string[]> {
  const names = (await readdir(sockets)).filter((name) => name !== own)
  const answers = await Promise.all(
    names.map(async (name) => {
      const path = shortest(join(sockets, name))
      const answer = await ask(path)
      if (answer === null) await rm(path, { force: true })
      return answer
    }),
  )
  return answers.filter((answer) => answer !== null)
}

/** The state of the process behind a socket, or null if it is dead. */
function ask(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(path)
    socket.setEncoding('utf8')
    socket.on('data', (data: string) => {
      answer += data
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', () => resolve(null))
    // A stopped or busy process accepts but does not answer. It may hold the folder.
    socket.setTimeout(2_000, () => {
      socket.destroy()
      resolve('held')
    })
  })
}
