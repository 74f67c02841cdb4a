import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findBinaries, startCluster } from './postgres-server.ts'
import { isOnPostgres } from './test-database.ts'

afterEach(() => vi.unstubAllEnvs())

const binaries = isOnPostgres() ? await findBinaries() : null

describe.skipIf(!binaries)('the PostgreSQL of the tests', () => {
  test('starts when the locale of the environment is not installed', async () => {
    vi.stubEnv('LC_ALL', 'tr_TR.not-installed')
    const postgres = await startCluster(binaries as string, [])
    onTestFinished(() => postgres.stop())
  })

  test.each([
    { what: 'too old', version: '14.19', extensions: ['pg_trgm'] },
    { what: 'without its extensions', version: '16.10', extensions: [] },
    { what: 'broken', version: '', extensions: ['pg_trgm'] },
  ])('is not an installation that is $what', async ({ version, extensions }) => {
    const folder = await fakeInstallation(version, extensions)
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
    expect(await findBinaries()).toBe(binaries)
  })

  test('is the first usable installation on the path', async () => {
    const folder = await fakeInstallation('16.10', ['pg_trgm'])
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
    expect(await findBinaries()).toBe(folder)
  })
})

/** A folder with programs that only print their version. */
async function fakeInstallation(version: string, extensions: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-postgres-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'extension'))
  for (const name of extensions) await writeFile(join(folder, 'extension', `${name}.control`), '')
  const answer = version ? `echo "VERSION=${version}" >&2; echo "share_path=${folder}" >&2` : 'exit 1'
  for (const path of [join(folder, 'initdb'), join(folder, 'postgres')]) {
    await writeFile(path, `#!/bin/sh\n${answer}\n`)
    await chmod(path, 0o755)
  }
  return folder
}
