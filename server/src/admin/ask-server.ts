import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { localSocket } from '../db/local-socket.ts'

/** The folder of the socket in DATA_DIR. */
export const ADMIN_SOCKET = 'admin'

/** The command whose answer is a backup. */
export const BACKUP = ['backup', '-']

/**
 * Runs an administration command in the server that has the embedded database of `dataDir` open. Resolves to what it answers: the lines
 * to print, or a backup. Throws what is wrong, for the terminal. Reads standard input only if the command does.
 */
export async function askServer(dataDir: string, words: string[]): Promise<IncomingMessage> {
  const socketPath = await localSocket(dataDir, ADMIN_SOCKET)
  const path = `/?${new URLSearchParams(words.map((word): [string, string] => ['words', word]))}`
  const headers = { expect: '100-continue' }
  const sending = request({ socketPath, agent: new Agent(), method: 'POST', path, headers })
  sending.once('continue', () => process.stdin.pipe(sending))
  sending.flushHeaders()
  const [answer] = (await once(sending, 'response').catch((error: Error) => {
    throw new Error(`The server on ${dataDir} did not do it (${error.message}). Look at its log, or stop it first.`)
  })) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(await text(answer))
  return answer
}
