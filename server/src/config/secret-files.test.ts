import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { withSecretFiles } from './secret-files.ts'
import { SETTINGS, type Setting } from './settings-table.ts'

const folder = mkdtempSync(join(tmpdir(), 'deeb-secret-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A file with this content. */
function file(content: string): string {
  const path = join(folder, `${Math.random()}`)
  writeFileSync(path, content)
  return path
}

test.each(Object.entries<Setting>(SETTINGS))('%s may be in a file if it is a secret', (name, { isSecret }) => {
  const env = { [`${name}_FILE`]: file('of the file') }
  expect(withSecretFiles(env)[name]).toBe(isSecret ? 'of the file' : undefined)
})

test.each(['', '\n', '\r\n'])('the end of the line %j is no part of a secret, whose other spaces are', (end) => {
  expect(withSecretFiles({ METRICS_TOKEN_FILE: file(` a token with spaces ${end}`) }).METRICS_TOKEN).toBe(
    ' a token with spaces ',
  )
})

test('the server has the settings of the files, and an invalid one is named without its value', () => {
  const secret = 'ab'.repeat(32)
  expect(readConfig(withSecretFiles({ DEEB_SECRET_FILE: file(`${secret}\n`) })).secret).toBe(secret)
  const wrong = () => readConfig(withSecretFiles({ DATABASE_URL_FILE: file('mysql://ann:hunter2@host') }))
  expect(wrong).toThrow(/^DATABASE_URL must (?!.*hunter2)/)
})

test('a secret that is lost or given twice stops the start, and none is taken for not set', () => {
  expect(() => withSecretFiles({ METRICS_TOKEN_FILE: join(folder, 'nowhere') })).toThrow(
    /^METRICS_TOKEN_FILE .*nowhere \(ENOENT\)\.$/,
  )
  expect(() => withSecretFiles({ METRICS_TOKEN_FILE: folder })).toThrow(/^METRICS_TOKEN_FILE .*\(EISDIR\)\.$/)
  expect(() => withSecretFiles({ METRICS_TOKEN_FILE: file('\n') })).toThrow('METRICS_TOKEN_FILE names an empty file')
  const both = { METRICS_TOKEN: 'of the environment', METRICS_TOKEN_FILE: file('of the file') }
  expect(() => withSecretFiles(both)).toThrow('Set METRICS_TOKEN or METRICS_TOKEN_FILE, not both.')
  expect(withSecretFiles({ METRICS_TOKEN: 'of the environment', METRICS_TOKEN_FILE: '' }).METRICS_TOKEN).toBe(
    'of the environment',
  )
})
