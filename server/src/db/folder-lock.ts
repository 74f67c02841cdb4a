import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const TRIES = 20

/** Another process holds the folder. */
export class FolderHeld extends Error {
  constructor(folder: string) {
    super(`Another deeb is running on ${folder}. Stop it first.`)
  }
}

/**
 * Holds `folder` for this process until the returned function is called or the process ends, however it ends.
 * Throws a sentence if another process holds it.
 *
 * The lock is a socket that answers, not a number in a file: a crash leaves nothing standing, and a process id used
 * again (in a container the server is always 1) fools nobody. Everyone first puts up a socket of their own, under a
 * name that is never used again, and only then looks for others that answer: of two that start together at least one
 * sees the other, and a name whose owner is gone can be removed without a race.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  if (process.platform === 'win32') return lockByPipe(folder)
  const sockets = join(folder, 'lock')
  await mkdir(sockets, { recursive: true, mode: 0o700 })
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const name = `${randomUUID().slice(0, 8)}.sock`
    const own = shortest(join(sockets, name))
    const state = { word: 'waiting' }
    const server = await listen(own, state)
    const others = await answers(sockets, name)
    const seen = await stat(own).then(
      () => true,
      () => false,
    )
    if (others.length === 0 && seen) {
      state.word = 'held'
      return () => close(server, own)
    }
    await close(server, own)
    if (others.includes('held')) throw new FolderHeld(folder)
    // Two that started together have seen each other: both step back for a while that differs.
    await pause(50 + Math.random() * 200)
  }
  throw new Error(`Others keep starting on ${folder}. Try again.`)
}

/** A named pipe belongs to the system, not to the folder: taken means taken, and it goes with its process. */
async function lockByPipe(folder: string): Promise<() => Promise<void>> {
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32)
  try {
    const server = await listen(`\\\\.\\pipe\\deeb-${name}`, { word: 'held' })
    return () => close(server)
  } catch {
    throw new FolderHeld(folder)
  }
}

/** A socket's path may have about 100 bytes, less than many a path to a folder. */
function shortest(path: string): string {
  const short = [path, relative(process.cwd(), path)].sort((a, b) => a.length - b.length)[0] ?? path
  if (Buffer.byteLength(short) > 100) throw new Error(`The path of DATA_DIR is too long: ${path}. Use a shorter one.`)
  return short
}

function listen(path: string, state: { word: string }): Promise<Server> {
  const server = createServer((socket) => socket.end(state.word))
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

/** What the other sockets in the folder say. One that nobody answers is left over from a crash, and removed. */
async function answers(sockets: string, own: string): Promise<string[]> {
  const names = (await readdir(sockets)).filter((name) => name !== own)
  const words = await Promise.all(
    names.map(async (name) => {
      const path = shortest(join(sockets, name))
      const word = await ask(path)
      if (word === null) await rm(path, { force: true })
      return word
    }),
  )
  return words.filter((word) => word !== null)
}

function ask(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    let word = ''
    const socket = connect(path)
    socket.setEncoding('utf8')
    socket.on('data', (data: string) => {
      word += data
    })
    socket.on('end', () => resolve(word))
    socket.on('error', () => resolve(null))
    // A process that is stopped or very busy accepts but does not answer: it is there, and may hold the folder.
    socket.setTimeout(2_000, () => {
      socket.destroy()
      resolve('held')
    })
  })
}
