import { once } from 'node:events'
import { createServer } from 'node:net'

/** An unused port of this machine. */
export async function freePort() {
  const socket = createServer().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
