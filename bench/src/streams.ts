import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { LIVE_PATH } from '@deeb/core/live-events'
import { wire } from './http-connection.ts'
import type { Person } from './tokens.ts'

const AT_ONCE = 64

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

async function openStream(port: number, { accessToken }: Person, hear: Hear): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.setEncoding('latin1')
  const greeted = new Promise<void>((resolve, reject) => {
    let text = ''
    socket.on('data', (chunk: string) => {
      text += chunk
      const end = text.lastIndexOf('\n\n') + 2
      if (end < 2) return
      const whole = text.slice(0, end)
      text = text.slice(end)
      for (const [, userId = ''] of whole.matchAll(/"type":"presence","userId":"([^"]+)"/g)) hear(userId)
      if (whole.includes('"type":"hello"')) resolve()
    })
    socket.once('close', () => reject(new Error(`A stream was closed: ${text.slice(0, 500)}`)))
  })
  // Ended by us later on: nobody waits for the greeting by then.
  greeted.catch(() => undefined)
  socket.on('error', () => undefined)
  socket.write(wire({ method: 'GET', path: LIVE_PATH, accessToken }))
  await greeted
  return socket
}
