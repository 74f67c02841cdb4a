import { fileURLToPath } from 'node:url'
import { run } from './run.ts'

run(fileURLToPath(import.meta.url)).catch((error: Error) => {
  console.error(`deeb cannot start: ${error.message}`)
  process.exit(1)
})
