import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { LIVE_PATH } from '@deeb/core/live-events'
import { wire } from './http-connection.ts'
import type { Person } from './tokens.ts'

const MAX_CONCURRENT = 64
const WHO = Buffer.from('"type":"presence","userId":"')
const ID_LENGTH = 36

/** Called for each presence event that a stream receives. */
type OnPresence = (userId: string) => void

interface OpenStreams {
  /** How many the server or the network has ended. */
  lost(): number
  close(): void
}

/** Opens many live streams, each on its own connection. Resolves when all have received the hello event. */
export async function openStreams(port: number, people: Person[], onPresence: OnPresence): Promise<OpenStreams> {
  const sockets: Socket[] = []
  const left = people.values()
  const openNext = async (): Promise<void> => {
    for (const person of left) sockets.push(await openStream(port, person, onPresence))
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, openNext))
  return {
    lost: () => sockets.filter(({ closed }) => closed).length,
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Searches the stream as bytes, without parsing: the client shares the CPU with the server. */
async function openStream(port: number, { accessToken }: Person, onPresence: OnPresence): Promise<Socket> {
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
      onPresence(bytes.toString('latin1', idAt, idAt + ID_LENGTH))
      at = bytes.indexOf(WHO, idAt + ID_LENGTH)
    }
    // An incomplete event is searched again with the next chunk.
    rest = at < 0 ? null : bytes.subarray(at)
  })
  socket.on('error', () => undefined)
  return socket
}
