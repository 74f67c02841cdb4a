import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const COMPARE = fileURLToPath(new URL('../../scripts/compare-free-mail.js', import.meta.url))

test('compare-free-mail prints the versions and the added and removed domains', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-sources-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const install = async (name: string, version: string, files: Record<string, string[]>) => {
    const home = join(folder, 'node_modules', name)
    await mkdir(home, { recursive: true })
    const all = { 'package.json': { version }, ...files }
    for (const [file, value] of Object.entries(all)) await writeFile(join(home, file), JSON.stringify(value))
  }
  await install('free-email-domains', '99.0.0', { 'domains.json': ['kept.example', 'no domain'] })
  await install('email-providers', '2.26.0', { 'all.json': ['gmx.ch'] })
  await install('disposable-email-domains', '1.0.62', { 'index.json': [], 'wildcard.json': [] })
  const list = join(folder, 'list.txt')
  const compare = () => execFileSync(process.execPath, [COMPARE, folder, list], { encoding: 'utf8' }).trim().split('\n')
  await writeFile(list, '')
  const all = compare().flatMap((line) => (line.startsWith('+ ') ? line.slice(2) : []))
  expect(all).toContain('kept.example')
  await writeFile(list, ['# A comment', ...all, 'gone.example', ''].join('\n'))
  await install('free-email-domains', '99.0.0', { 'domains.json': ['kept.example', 'New-Mail.example', 'no domain'] })
  await install('disposable-email-domains', '1.0.62', { 'index.json': [], 'wildcard.json': ['thrown-away.example'] })

  const printed = compare()
  expect(printed).toEqual([
    expect.stringMatching(/^free-email-domains: [\d.]+ in use, 99\.0\.0 available$/),
    expect.stringMatching(/^email-providers: [\d.]+ in use, 2\.26\.0 available$/),
    expect.stringMatching(/^disposable-email-domains: [\d.]+ in use, 1\.0\.62 available$/),
    '+ new-mail.example',
    '+ thrown-away.example',
    '- gone.example',
    '2 added, 1 removed',
  ])
})
