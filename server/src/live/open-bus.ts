import type { Config } from '../config/config.ts'
import type { Keys } from '../config/keys.ts'
import type { Db } from '../db/db.ts'
import { createLocalBus, type SharedBus } from '../lib/event-bus.ts'
import { createNatsBus } from './nats-bus.ts'
import { createPostgresBus } from './postgres-bus.ts'

interface BusDeps {
  config: Pick<Config, 'databaseDirectUrl' | 'busUrl'>
  db: Db
  keys: Keys
  now(): Date
  log(line: string): void
}

/** Opens the event bus of the settings. Rejects if the database does not answer. */
export async function openBus({ config, ...deps }: BusDeps): Promise<SharedBus> {
  const { databaseDirectUrl, busUrl } = config
  if (databaseDirectUrl === null) return { ...createLocalBus(), close: async () => undefined }
  const other = await createPostgresBus(databaseDirectUrl, deps.db)
  return busUrl === null ? other : createNatsBus({ url: busUrl, other, ...deps })
}
