import { fileURLToPath } from 'node:url'
import { run } from '../run.ts'
import { withoutLimits } from './without-limits.ts'

/* The program of main.ts for load tests: a few people stand for many, so their calls are counted and never refused. */
await run(fileURLToPath(import.meta.url), withoutLimits())
