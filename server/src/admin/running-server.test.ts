// Runs in npm run test:all, on the embedded engine.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { FIRST_ACCOUNT } from '@deeb/core/account/first-account'
import { test as base, expect } from 'vitest'
import { startChildServer } from '../testing/child-server.ts'
import { PASSWORD } from '../testing/make.ts'
import { until } from '../testing/until.ts'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const EMAIL = 'ann@fjordlab.example'

/** A server on an embedded database, whose first account is Ann's, and the administration command beside it. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the needed fixtures from a pattern.
const test = base.extend('running', { scope: 'file' }, async ({}, { onCleanup }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-running-'))
  const server = await startChildServer({ DATA_DIR: dataDir })
  onCleanup(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true })
  })
  const firstOf = (output: string) => /#deeb_first=([\w-]+)\n/.exec(output)?.[1]
  await until(async () => firstOf(server.output()) !== undefined)
  const first = firstOf(server.output())
  const headers = { 'content-type': 'application/json' }
  const body = { email: EMAIL, password: PASSWORD, data: { [FIRST_ACCOUNT]: first } }
  const made = await fetch(`${server.origin}/auth/v1/signup`, { method: 'POST', headers, body: JSON.stringify(body) })
  const cookie = made.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  const { access_token } = (await made.json()) as { access_token: string }
  const statusOfHome = async () => {
    const own = { authorization: `Bearer ${access_token}`, cookie }
    return (await fetch(`${server.origin}/api/home?timeZone=UTC`, { headers: own })).status
  }
  /** Runs a shell command in which $DEEB is the administration command. */
  async function sh(script: string, { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {}) {
    const own = { PATH: process.env.PATH, DEEB: `${process.execPath} ${CLI}`, DATA_DIR: dataDir }
    const shell = spawn('sh', ['-c', script], { env: { ...own, ...env } })
    shell.stdin.end(input)
    const outputs = Promise.all([buffer(shell.stdout), text(shell.stderr)])
    const code = await new Promise((resolve) => shell.once('close', resolve))
    const [stdout, stderr] = await outputs
    return { code, stdout, out: stdout.toString(), stderr }
  }
  return { dataDir, sh, statusOfHome }
})

test('a command runs in the server that has the embedded database, and takes effect immediately', async ({
  running,
}) => {
  const listed = await running.sh(`$DEEB user list ${EMAIL}`)
  expect([listed.code, listed.out]).toEqual([0, expect.stringContaining(EMAIL)])
  expect(await running.statusOfHome()).toBe(200)
  const blocked = await running.sh(`$DEEB user block ${EMAIL}`)
  expect([blocked.code, blocked.stderr]).toEqual([0, ''])
  expect(await running.statusOfHome()).toBe(401)
})

test('a fault of a command in the server is one sentence and exit code 1', async ({ running }) => {
  for (const [words, sentence] of [
    ['user block nobody@fjordlab.example', 'nobody@fjordlab.example has no account.'],
    ['company secret fjordlab.example', /no company/i],
    ['secret lost', /Another deeb is running on .+ Stop it first\./],
    ['restore /nowhere.backup', /Another deeb is running on .+ Stop it first\./],
  ] as const) {
    const { code, out, stderr } = await running.sh(`$DEEB ${words}`, { input: 'a secret' })
    expect([code, out, stderr.trim()]).toEqual([1, '', expect.stringMatching(sentence)])
  }
})

test('a command that reads standard input gets it, and one that does not leaves it to the shell', async ({
  running,
}) => {
  const added = await running.sh('$DEEB company add fjordlab.example https://id.fjordlab.example deeb', {
    input: 's3cret',
  })
  expect([added.code, added.stderr]).toEqual([0, ''])
  const none = await running.sh('$DEEB company secret fjordlab.example', { input: '' })
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('secret')])
  const { out } = await running.sh('while read key; do $DEEB company domains $key fjordlab.example; cat; done', {
    input: 'fjordlab.example\nthe rest\n',
  })
  expect(out).toMatch(/the rest\n$/)
})

test('a backup to standard output restores from standard input, and npm may not write into it', async ({ running }) => {
  const { code, stdout, stderr } = await running.sh('$DEEB backup -')
  expect([code, stderr]).toEqual([0, ''])
  const other = await mkdtemp(join(tmpdir(), 'deeb-restored-'))
  await writeFile(join(other, 'the.backup'), stdout)
  const restored = await running.sh(`$DEEB restore - < ${other}/the.backup`, { env: { DATA_DIR: join(other, 'data') } })
  expect([restored.code, restored.out]).toEqual([0, expect.stringMatching(/^Restored \d+ rows of \d+ tables/)])
  const listed = await running.sh(`$DEEB user list ${EMAIL}`, { env: { DATA_DIR: join(other, 'data') } })
  expect(listed.out).toContain(EMAIL)
  const byNpm = await running.sh('$DEEB backup -', { env: { npm_lifecycle_event: 'backup' } })
  expect([byNpm.code, byNpm.out, byNpm.stderr]).toEqual([1, '', expect.stringContaining('npm run --silent backup')])
  const cut = await running.sh(`head -c 900 ${other}/the.backup | $DEEB restore -`, {
    env: { DATA_DIR: `${other}/cut` },
  })
  expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('Standard input is not a complete backup')])
  expect((await readFile(join(other, 'the.backup'))).length).toBe(stdout.length)
  await rm(other, { recursive: true })
})
