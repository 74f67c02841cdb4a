import { run } from './start/run.ts'
import { VERSION } from './version.ts'

if (process.argv.includes('--version')) console.log(VERSION)
else {
  run().catch((error: Error) => {
    console.error(`deeb cannot start: ${error.message}`)
    process.exit(1)
  })
}
