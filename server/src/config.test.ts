import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { SETTINGS } from './settings-table.ts'

test('readConfig reads every setting of the table and no other variable', () => {
  const read = new Set<string>()
  readConfig(new Proxy({}, { get: (_env, name) => void read.add(String(name)) }))
  expect([...read].sort()).toEqual(Object.keys(SETTINGS).sort())
})

test.each([
  ['https://demo.example.com', 'https://demo.example.com/'],
  ['https://example.com/look?from="deeb"', 'https://example.com/look?from=%22deeb%22'],
  ['http://localhost:3001/demo', 'http://localhost:3001/demo'],
  ['', null],
])('DEMO_URL: %j is %j', (text, demoUrl) => expect(readConfig({ DEMO_URL: text }).demoUrl).toBe(demoUrl))

test.each([
  'http://demo.example.com',
  'https://ann:secret@demo.example.com',
  'javascript:alert(1)',
  '//demo',
  'https://',
])('DEMO_URL: %j stops the start with a sentence that does not repeat it', (text) =>
  expect(() => readConfig({ DEMO_URL: text })).toThrow(/^DEMO_URL must (?!.*(secret|alert)).*\.$/),
)

test('SIGN_UP is on or off, and on by default', () => {
  const read = (SIGN_UP?: string) => readConfig({ SIGN_UP }).isSignUpOn
  expect([read(), read(''), read('on'), read('off')]).toEqual([true, true, true, false])
  for (const wrong of ['false', 'OFF', '0']) expect(() => read(wrong)).toThrow('SIGN_UP must be on or off')
})
