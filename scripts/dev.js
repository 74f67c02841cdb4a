// Compiles core and server on each change and restarts the server; Vite serves the web beside it.
import { run } from './run.js'

if ((await run('tsc', ['-b', 'core', 'server'])) !== 0) process.exit(1)

const programs = [
  run('tsc', ['-b', 'core', 'server', '--watch', '--preserveWatchOutput']),
  run('node', ['--watch', 'server/dist/main.js']),
  run('npm', ['run', '--silent', 'dev', '-w', 'web']),
]
await Promise.race(programs)
