// The built server as its own main.js starts it, except that mail goes out immediately: nearly every journey waits for one.
import { readConfig } from '../server/dist/config.js'
import { startServer } from '../server/dist/start-server.js'
import { stopOnSignal } from '../server/dist/stop-on-signal.js'

const config = readConfig(process.env)
const server = await startServer(config, { deferMail: (send) => send() })
stopOnSignal(server.stop)
console.log(`deeb runs at ${config.publicUrl}`)
console.log(server.mailNote)
