import { run } from './run.ts'

run().catch((error: Error) => {
  console.error(`deeb cannot start: ${error.message}`)
  process.exit(1)
})
