import { type Config, readConfig } from '../config/config.ts'
import { SETTINGS } from '../config/settings-table.ts'

/** For tests that need the cost of a real server: of time, or in the stored hash. */
export const REAL_COST = { AUTH_ARGON2: SETTINGS.AUTH_ARGON2.default }

/** Less than a server accepts: at the real cost, password hashes took a third of the time of the tests. */
const CHEAP = { memoryKiB: 8, passes: 1, threads: 1 }

/** The settings of a test app. Password hashes are cheap, unless the test sets their cost. */
export function readTestConfig(env: NodeJS.ProcessEnv): Config {
  const config = readConfig(env)
  return env.AUTH_ARGON2 ? config : { ...config, argon2: CHEAP }
}
