// Runs in npm run test:all.
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCalendarLink } from '@deeb/core/calendar/api'
import { readFocus, switchFocus } from '@deeb/core/focus/program-api'
import { createSign } from '@deeb/core/signs/api'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { until } from '../../server/src/testing/until.ts'
import { test as base, linesOf, PROGRAM } from './testing/test.ts'

const PAGES = await Promise.all(
  ['integrations', 'recipes'].map((name) => readFile(new URL(`../../docs/use/${name}.md`, import.meta.url), 'utf8')),
)

const test = base.extend('examples', ({ deeb, computer }) => {
  /** The examples of a section in one language, for the server of the tests. */
  function examplesOf(section: string, language: string): string[] {
    const [, text = ''] = PAGES.join('\n').split(`\n## ${section}\n`)
    const blocks = (text.split('\n## ')[0] ?? '').matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))
    return [...blocks].map(([, block = '']) => block.replaceAll('https://deeb.example.com', deeb.origin))
  }
  const install = (name: string, script: string) =>
    writeFile(join(computer.bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const installDeeb = () => install('deeb', `exec ${process.execPath} ${PROGRAM} "$@"`)
  /** Runs the shell lines of a section, with files in the current folder, and `deeb` as the built program. */
  async function runExamples(section: string, files: Record<string, string>) {
    await installDeeb()
    for (const [name, content] of Object.entries(files)) await writeFile(join(computer.folder, name), content)
    const [script = ''] = examplesOf(section, 'sh')
    return computer.runShell(script)
  }
  const signOfAnn = () => deeb.call(deeb.ann, createSign, { label: 'Desk', showsName: false, showsUntil: false })
  /** Switches Ann off, and returns a token of hers that switches. */
  async function switchToken(): Promise<string> {
    await deeb.call(deeb.ann, switchFocus, { on: false })
    return (await deeb.tokenOf(deeb.ann, ['switch'])).token
  }
  const isOn = async () => (await deeb.call(deeb.ann, readFocus, {})).openSession !== null
  return { examplesOf, install, installDeeb, runExamples, signOfAnn, switchToken, isOn }
})

test('the lines about a token read deeb mode and what the token may do', async ({ deeb, examples }) => {
  const { token } = await deeb.tokenOf(deeb.ann, ['switch'])
  const files = { 'token.header': `Authorization: Bearer ${token}` }
  const { code, stdout } = await examples.runExamples('Programs with a token', files)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\{"openSession":null,.*"scopes":\["switch"\]/s)])
})

test('the lines about a door sign read one', async ({ examples }) => {
  const { token } = await examples.signOfAnn()
  const { code, stdout } = await examples.runExamples('Door sign', { 'sign.header': `Authorization: Bearer ${token}` })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^free\n\{"state":"free",/)])
})

test('the line about the calendar reads it', async ({ deeb, examples }) => {
  const { url } = await deeb.call(deeb.ann, createCalendarLink, {})
  const here = deeb.origin + new URL(url).pathname
  const { code, stdout } = await examples.runExamples('Calendar', { 'calendar.link': `url = "${here}"` })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^BEGIN:VCALENDAR/)])
})

test('the lines about the command line switch deeb mode', async ({ deeb, examples }) => {
  const { token } = await deeb.tokenOf(deeb.ann, ['switch'])
  const { code, stdout } = await examples.runExamples('Command line', { 'token.txt': token })
  expect(code).toBe(0)
  expect(stdout).toMatch(/Signed in.*In deeb mode since.*"inDeebMode":true.*Do not disturb\nDeeb mode is off/s)
})

test.for(['curl', 'Android', 'Raycast'])('the recipe for %s switches on', async (name, { computer, examples }) => {
  const token = await examples.switchToken()
  const [script = ''] = examples.examplesOf(name, 'sh')
  await writeFile(join(computer.folder, 'token.header'), `Authorization: Bearer ${token}`)
  // A toggle changes nothing soon after another switch.
  await until(async () => {
    expect((await computer.runShell(script.replace('SECRET', token))).code).toBe(0)
    return examples.isOn()
  })
})

test('the recipe for Raycast has the lines that Raycast reads', async ({ examples }) => {
  expect(examples.examplesOf('Raycast', 'sh')[0]).toMatch(
    /^#!\/bin\/sh\n# @raycast\.schemaVersion 1\n# @raycast\.title .+\n# @raycast\.mode silent\n/,
  )
})

test.for([
  ['iOS Focus', true],
  ['Stream Deck', true],
  ['macOS Shortcuts', false],
] as const)('the request of %s switches', async ([name, expected], { deeb, examples }) => {
  const token = await examples.switchToken()
  if (!expected) await deeb.call(deeb.ann, switchFocus, { on: true, timeZone: 'UTC' })
  const [text = ''] = examples.examplesOf(name, 'http')
  const [head = '', body] = text.trim().split('\n\n')
  const [request = '', ...lines] = head.split('\n')
  const [method, url = ''] = request.split(' ')
  const headers = Object.fromEntries(lines.map((line) => line.replace('SECRET', token).split(': ')))
  await until(async () => {
    expect((await fetch(url, { method, headers, body } as RequestInit)).status).toBe(200)
    return (await examples.isOn()) === expected
  })
})

test('the recipe for PowerShell switches on', async ({ computer, examples, skip }) => {
  skip(spawnSync('pwsh', ['-v']).error !== undefined, 'Skipped: there is no PowerShell (pwsh).')
  await writeFile(join(computer.folder, 'token.txt'), await examples.switchToken())
  const [script = ''] = examples.examplesOf('PowerShell', 'powershell')
  const { status } = spawnSync('pwsh', ['-NoProfile', '-Command', script], { cwd: computer.folder })
  expect([status, await examples.isOn()]).toEqual([0, true])
})

test.for([
  ['GNOME', 'gsettings', / false$/, / true$/],
  ['tmux', 'tmux', / in deeb mode$/, /status-right $/],
  ['A light on the desk', 'busylight', /^on red$/, /^on green$/],
] as const)('the recipe for %s follows deeb mode', async ([name, program, on, off], { deeb, computer, examples }) => {
  await computer.signIn(deeb.origin, await examples.switchToken())
  await examples.installDeeb()
  const log = join(computer.folder, 'log')
  await examples.install(program, `echo "$@" >> ${log}`)
  const [script = ''] = examples.examplesOf(name, 'sh')
  const watch = computer.startShell(`exec ${script}`)
  await until(async () => off.test((await linesOf(log)).at(-1) ?? ''))
  await deeb.call(deeb.ann, switchFocus, { on: true, timeZone: 'UTC' })
  await until(async () => on.test((await linesOf(log)).at(-1) ?? ''))
  watch.kill('SIGTERM')
})

test('the module of Waybar shows a word in deeb mode, and switches by a click', async ({
  deeb,
  computer,
  examples,
}) => {
  await computer.signIn(deeb.origin, await examples.switchToken())
  await examples.installDeeb()
  const [text = ''] = examples.examplesOf('Waybar', 'json')
  const module = JSON.parse(text)['custom/deeb']
  const watch = computer.startShell(`exec ${module.exec}`)
  let shown = ''
  watch.stdout.on('data', (data) => {
    shown += data
  })
  await until(() => shown === '\n')
  expect((await computer.runShell(module['on-click'])).code).toBe(0)
  await until(() => shown === '\ndeeb\n')
  expect((await computer.runShell(module['on-click-right'])).code).toBe(0)
  await until(() => shown === '\ndeeb\n\n')
  watch.kill('SIGTERM')
})

test('the sensor of ESPHome reads the state of a door sign', async ({ examples }) => {
  await examples.switchToken()
  const { token } = await examples.signOfAnn()
  const tags = [...SECRETS.customTags, { tag: '!lambda', resolve: (code: string) => code }]
  const [config] = examples.examplesOf('ESPHome', 'yaml').map((text) => parse(text, { customTags: tags }))
  const get = config.interval[0].then[0]['http_request.get']
  expect(get.request_headers).toEqual({ Authorization: 'secret deeb_sign' })
  const response = await fetch(get.url, { headers: { Authorization: `Bearer ${token}` } })
  expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/^free\n?$/)])
  expect(get.on_error[0]['text_sensor.template.publish']).toEqual({ id: config.text_sensor[0].id, state: 'unknown' })
})

/** `!secret NAME` of ESPHome. */
const SECRETS = { customTags: [{ tag: '!secret', resolve: (name: string) => `secret ${name}` }] }
