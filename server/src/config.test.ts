import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { SETTINGS } from './settings-table.ts'

test('readConfig reads every setting of the table and no other variable', () => {
  const read = new Set<string>()
  readConfig(new Proxy({}, { get: (_env, name) => void read.add(String(name)) }))
  expect([...read].sort()).toEqual(Object.keys(SETTINGS).sort())
})
