// Starts the built server like its own main.js, except that email is sent immediately: nearly every journey waits for one.
import { readConfig } from '../server/dist/config.js'
import { startServer } from '../server/dist/start-server.js'
import { stopOnSignal } from '../server/dist/stop-on-signal.js'

const config = readConfig(process.env)
const server = await startServer(config, { deferMail: (send) => send() })
stopOnSignal(server.stop)
console.log(`deeb runs at ${config.publicUrl}`)
console.log(server.mailNote)
