import { run } from '../start/run.ts'
import { withoutLimits } from './without-limits.ts'

/* The program of main.ts without rate limits, for load tests: a few users make the calls of many. */
await run(withoutLimits())
