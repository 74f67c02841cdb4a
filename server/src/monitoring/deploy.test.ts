// Runs in npm run test:all.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram } from '../testing/find-program.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const DEPLOY = join(ROOT, 'deploy')
const execute = promisify(execFile)

/** Runs a checker of this machine. Rejects with its output if it finds a fault. */
async function run(program: string, args: string[]): Promise<void> {
  await execute(findProgram(program) ?? program, args)
}

/** A test that needs a program. Where it is missing, a line says so. */
function testWith(program: string, name: string, work: () => Promise<void>): void {
  const isMissing = findProgram(program) === null
  if (isMissing) console.log(`Skipped: no ${program} on this machine.`)
  test.skipIf(isMissing)(name, { timeout: 180_000 }, work)
}

describe('the files in deploy/', () => {
  let testApp: TestApp
  let folder: string
  beforeAll(async () => {
    testApp = await startTestApp()
    folder = await mkdtemp(join(tmpdir(), 'deeb-deploy-'))
  })
  afterAll(async () => {
    await testApp.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('alerts and dashboard use metrics that exist', async () => {
    const { body } = await testApp.app.inject('/metrics')
    const known = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const files = ['prometheus/alerts.yml', 'prometheus/grafana-dashboard.json']
    const texts = await Promise.all(files.map((file) => readFile(join(DEPLOY, file), 'utf8')))
    const used = texts.flatMap((text) => text.match(/\b(deeb|nodejs|process)_\w+/g) ?? [])
    expect(used.length).toBeGreaterThan(20)
    expect(used.filter((name) => !known.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([])
  })

  testWith('promtool', 'promtool accepts the alert rules', () =>
    run('promtool', ['check', 'rules', join(DEPLOY, 'prometheus/alerts.yml')]),
  )

  testWith('promtool', 'the alerts report each kind of outage', () =>
    run('promtool', ['test', 'rules', join(DEPLOY, 'prometheus/alerts.test.yml')]),
  )

  test('alerts use every metric that the guide says they use', async () => {
    const [, table = ''] = (await readFile(join(ROOT, 'docs/operate/self-hosting.md'), 'utf8')).split(
      'The rules use these metrics',
    )
    const named = (table.split('\n## ')[0] ?? '').match(/\bdeeb_\w+/g) ?? []
    const alerts = await readFile(join(DEPLOY, 'prometheus/alerts.yml'), 'utf8')
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !alerts.includes(name))).toEqual([])
  })

  testWith('nginx', 'nginx accepts its configuration', async () => {
    const key = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=deeb.example.com']
    await run('openssl', [...key, '-keyout', join(folder, 'deeb.key'), '-out', join(folder, 'deeb.pem')])
    const own = (await readFile(join(DEPLOY, 'nginx.conf'), 'utf8'))
      .replaceAll('/etc/ssl/', `${folder}/`)
      .replaceAll('/var/log/nginx/', `${folder}/`)
    const config = join(folder, 'nginx.conf')
    await writeFile(config, `pid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n${own}}\n`)
    await run('nginx', ['-t', '-q', '-c', config])
  })

  for (const file of ['haproxy.cfg', 'postgresql/haproxy.cfg', 'postgresql/haproxy-patroni.cfg'])
    testWith('haproxy', `HAProxy accepts ${file}`, () => run('haproxy', ['-c', '-q', '-f', join(DEPLOY, file)]))

  testWith('systemd-analyze', 'systemd accepts the unit', async () => {
    const unit = await readFile(join(DEPLOY, 'deeb.service'), 'utf8')
    // Only the Debian package brings the folder and the program.
    const own = unit.replace('/usr/lib/deeb/node', process.execPath).replace('/usr/lib/deeb', '/')
    await writeFile(join(folder, 'deeb.service'), own)
    await run('systemd-analyze', ['verify', join(folder, 'deeb.service')])
  })
})
