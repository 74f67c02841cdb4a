import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { LIVE_PATH } from '@deeb/core/live-events'
import { wire } from './http-connection.ts'
import type { Person } from './tokens.ts'

const AT_ONCE = 64
const WHO = Buffer.from('"type":"presence","userId":"')
const ID_LENGTH = 36

/** Told of each time that a stream says that somebody else switched. */
type Hear = (userId: string) => void

/** Many live streams, each on a connection of its own and open until the hello was heard. */
export async function openStreams(port: number, people: Person[], hear: Hear): Promise<{ close(): void }> {
  const sockets: Socket[] = []
  const left = people.values()
  const openNext = async (): Promise<void> => {
    for (const person of left) sockets.push(await openStream(port, person, hear))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, openNext))
  return {
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** What comes is looked through as bytes: the client shares the machine with the server that it measures. */
async function openStream(port: number, { accessToken }: Person, hear: Hear): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.write(wire({ method: 'GET', path: LIVE_PATH, accessToken }))
  let greeting = ''
  while (!greeting.includes('"type":"hello"')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    greeting += chunk.toString('latin1')
  }
  let rest: Buffer | null = null
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest ? Buffer.concat([rest, chunk]) : chunk
    let at = bytes.indexOf(WHO)
    while (at >= 0 && at + WHO.length + ID_LENGTH <= bytes.length) {
      const idAt = at + WHO.length
      hear(bytes.toString('latin1', idAt, idAt + ID_LENGTH))
      at = bytes.indexOf(WHO, idAt + ID_LENGTH)
    }
    // An event that is not whole yet is looked at again with what follows.
    rest = at < 0 ? null : bytes.subarray(at)
  })
  socket.on('error', () => undefined)
  return socket
}
