// Runs in npm run test:all.
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createCalendarLink } from '@deeb/core/calendar/api'
import { readHome } from '@deeb/core/home/api'
import { createSign } from '@deeb/core/signs/api'
import { createWebhook } from '@deeb/core/webhooks/api'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { until } from '../../server/src/testing/until.ts'
import { test as base, linesOf, PROGRAM } from './testing/test.ts'

const PAGE = await readFile(new URL('../../docs/use/integrations.md', import.meta.url), 'utf8')

const test = base
  .extend('settings', { scope: 'file' }, { WEBHOOK_ALLOW: '127.0.0.0/8' })
  .extend('examples', ({ deeb, computer }) => {
    /** The examples of a section in one language, for the server of the tests. */
    function examplesOf(section: string, language: string): string[] {
      const [, text = ''] = PAGE.split(`\n## ${section}\n`)
      const blocks = (text.split('\n## ')[0] ?? '').matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))
      return [...blocks].map(([, block = '']) => block.replaceAll('https://deeb.example.com', deeb.origin))
    }
    /** Runs the shell lines of a section, with files in the current folder, and `deeb` as the built program. */
    async function runExamples(section: string, files: Record<string, string>) {
      const program = `#!/bin/sh\nexec ${process.execPath} ${PROGRAM} "$@"\n`
      await writeFile(join(computer.bin, 'deeb'), program, { mode: 0o755 })
      for (const [name, content] of Object.entries(files)) await writeFile(join(computer.folder, name), content)
      const [script = ''] = examplesOf(section, 'sh')
      return computer.runShell(script)
    }
    const signOfAnn = () => deeb.call(deeb.ann, createSign, { label: 'Desk', showsName: false, showsUntil: false })
    return { examplesOf, runExamples, signOfAnn }
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

test('the line about a light runs a command', async ({ deeb, computer, examples }) => {
  await computer.signIn(deeb.origin, (await deeb.tokenOf(deeb.ann, ['switch'])).token)
  const log = join(computer.bin, 'log')
  await writeFile(join(computer.bin, 'blink1-tool'), `#!/bin/sh\necho "$@" > ${log}\n`, { mode: 0o755 })
  const [line = ''] = examples.examplesOf('A light on the desk', 'sh')
  const [, on = '', off = ''] = /--on '(.*)' --off '(.*)'/.exec(line) ?? []
  const watch = computer.start(['watch', '--on', on, '--off', off])
  await until(async () => (await linesOf(log)).join() === '--green')
  watch.kill('SIGTERM')
})

test('the sensor of Home Assistant reads the state of a door sign', async ({ examples }) => {
  const { token } = await examples.signOfAnn()
  const [{ rest }] = examples.examplesOf('Home Assistant', 'yaml').map((text) => parse(text, SECRETS)) as [
    { rest: Sensor[] },
  ]
  const [{ resource, headers, sensor } = { resource: '', headers: {}, sensor: [] }] = rest
  expect(headers).toEqual({ Authorization: 'secret deeb_sign' })
  const response = await fetch(resource, { headers: { Authorization: `Bearer ${token}` } })
  expect(render(sensor[0]?.value_template ?? '', { value_json: await response.json() })).toBe('free')
})

test('the automation of Home Assistant follows a switch', async ({ deeb, computer, examples }) => {
  const [, { automation }] = examples.examplesOf('Home Assistant', 'yaml').map((text) => parse(text, SECRETS)) as [
    unknown,
    { automation: Automation[] },
  ]
  const home = await startHomeAssistant(automation, { 'secret deeb_webhook': 'an-id-that-nobody-guesses' })
  const url = `${home.origin}/api/webhook/an-id-that-nobody-guesses`
  await deeb.call(deeb.ann, createWebhook, { url, events: ['focus.started', 'focus.ended'] })
  await computer.signIn(deeb.origin, (await deeb.tokenOf(deeb.ann, ['switch'])).token)
  await computer.run(['on'])
  await until(() => home.actions.join() === 'light.turn_on')
  await computer.run(['off'])
  await until(() => home.actions.join() === 'light.turn_on,light.turn_off')
  expect((await deeb.call(deeb.ann, readHome, { timeZone: 'UTC' })).openSession).toBeNull()
  home.close()
})

interface Sensor {
  resource: string
  headers: Record<string, string>
  sensor: { value_template: string }[]
}

interface Automation {
  triggers: { trigger: string; webhook_id: string; allowed_methods: string[] }[]
  actions: { if: string; then: { action: string }[]; else: { action: string }[] }[]
}

/** `!secret NAME` of Home Assistant. */
const SECRETS = { customTags: [{ tag: '!secret', resolve: (name: string) => `secret ${name}` }] }

/** Replaces `{{ a.b }}`, the only templates of the page. Like Jinja, an unknown value is an empty text. */
function render(template: string, values: unknown): string {
  return template.replaceAll(/\{\{ ([\w.]+) \}\}/g, (_, path: string) => {
    const value = path
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values)
    return value === undefined ? '' : String(value)
  })
}

/** A stand-in for the webhook endpoint of Home Assistant: it answers 200 also to an unknown id, and runs the actions. */
async function startHomeAssistant(automations: Automation[], secrets: Record<string, string>) {
  const actions: string[] = []
  const server = createServer(async (request, response) => {
    const body = await json(request)
    for (const { triggers, actions: steps } of automations) {
      const isMeant = ({ trigger, webhook_id, allowed_methods }: Automation['triggers'][number]) =>
        trigger === 'webhook' &&
        request.url === `/api/webhook/${secrets[webhook_id]}` &&
        allowed_methods.includes(request.method ?? '')
      if (!triggers.some(isMeant)) continue
      for (const step of steps) {
        const isTrue = render(step.if, { trigger: { json: body } }) === 'true'
        actions.push(...(isTrue ? step.then : step.else).map(({ action }) => action))
      }
    }
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, actions, close: () => server.close() }
}
