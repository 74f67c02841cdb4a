// Runs in npm run test:all.
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readFocus } from '@deeb/core/focus/program-api'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, expect } from 'vitest'
import { until } from '../../server/src/testing/until.ts'
import { test as base, linesOf } from './testing/test.ts'

const test = base.extend('terminal', ({ deeb, computer }) => {
  /** A running `deeb watch` whose commands write into a file. */
  function startWatch({ on = 'echo "$DEEB_MODE"', off = 'echo "$DEEB_MODE"', file = 'log' } = {}) {
    const log = join(computer.bin, file)
    const child = computer.start(['watch', '--on', `{ ${on}; } >> ${log}`, '--off', `{ ${off}; } >> ${log}`])
    running.push(child)
    let notes = ''
    child.stderr.on('data', (chunk: Buffer) => {
      notes += chunk
    })
    return {
      child,
      lines: () => linesOf(log),
      notes: () => notes,
      /** Waits until the commands have written this. */
      untilLines: (expected: string[]) => until(async () => (await linesOf(log)).join() === expected.join()),
      untilNote: (text: string) => until(() => notes.includes(text)),
      exit: async () => (await once(child, 'exit')) as [number | null, string | null],
    }
  }
  const switchOn = () => deeb.call(deeb.ann, startFocus, { sessionId: uuidv7(), timeZone: 'UTC' })
  async function switchOff() {
    const { openSession } = await deeb.call(deeb.ann, readFocus, {})
    await deeb.call(deeb.ann, stopFocus, { sessionId: openSession?.id ?? '' })
  }
  return { startWatch, switchOn, switchOff }
})

let token: { token: string; revoke(): Promise<unknown> }
test.beforeEach(async ({ deeb, computer, terminal }) => {
  token = await deeb.tokenOf(deeb.ann, ['switch'])
  await computer.signIn(deeb.origin, token.token)
  const { openSession } = await deeb.call(deeb.ann, readFocus, {})
  if (openSession) await terminal.switchOff()
})
const running: ChildProcessWithoutNullStreams[] = []
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

const WITH_START = 'echo "$DEEB_MODE $DEEB_SINCE"'

test('watch runs a command for the state at the start and on each change, with the state in its environment', async ({
  terminal,
}) => {
  const watch = terminal.startWatch({ on: WITH_START, off: WITH_START })
  await watch.untilLines(['off '])
  const { session } = await terminal.switchOn()
  await watch.untilLines(['off ', `on ${session.startedAt}`])
  await terminal.switchOff()
  await watch.untilLines(['off ', `on ${session.startedAt}`, 'off '])
})

test('threat 208: watch survives a killed and a stopped server, and runs a command for real changes only', {
  timeout: 120_000,
}, async ({ deeb, terminal }) => {
  const watch = terminal.startWatch()
  await watch.untilLines(['off'])
  await terminal.switchOn()
  await watch.untilLines(['off', 'on'])

  await deeb.stop('SIGKILL')
  await watch.untilNote('Reconnecting ...')
  await deeb.start()
  await watch.untilNote('Connected again.')
  expect(await watch.lines()).toEqual(['off', 'on'])

  await deeb.stop('SIGTERM')
  const late = terminal.startWatch({ file: 'late' })
  await late.untilNote('Is the server running? Reconnecting ...')
  await deeb.start()
  await late.untilLines(['on'])
  await terminal.switchOff()
  await late.untilLines(['on', 'off'])
  await watch.untilLines(['off', 'on', 'off'])
})

test('watch ends with exit code 4 when its token is revoked', async ({ terminal }) => {
  const watch = terminal.startWatch()
  await watch.untilLines(['off'])
  const exit = watch.exit()
  await token.revoke()
  expect(await exit).toEqual([4, null])
  expect(watch.notes()).toContain('The token is not valid.')
  expect(await watch.lines()).toEqual(['off'])
})

test('watch runs one command at a time, and after a slow one only the newest state', async ({ computer, terminal }) => {
  const hold = join(computer.bin, 'hold')
  const watch = terminal.startWatch({
    on: 'echo on',
    off: `echo off; echo > ${hold}; while [ -e ${hold} ]; do /bin/sleep 0.05; done`,
  })
  await until(async () => (await linesOf(hold)) && (await watch.lines()).length === 1)
  await terminal.switchOn()
  await terminal.switchOff()
  await terminal.switchOn()
  await terminal.switchOff()
  await terminal.switchOn()
  await rm(hold)
  await watch.untilLines(['off', 'on'])
})

test('watch runs nothing for an empty command, as of a variable that is not set', async ({ computer, terminal }) => {
  const log = join(computer.bin, 'log')
  const child = computer.start(['watch', '--off', '', '--on', `echo on >> ${log}`])
  running.push(child)
  let notes = ''
  child.stderr.on('data', (chunk: Buffer) => {
    notes += chunk
  })
  await until(() => notes.includes('Not in deeb mode.'))
  await terminal.switchOn()
  await until(async () => (await linesOf(log)).join() === 'on')
  expect(child.exitCode).toBeNull()
})

test('watch continues after a command that fails', async ({ terminal }) => {
  const watch = terminal.startWatch({ on: 'echo on; exit 3' })
  await terminal.switchOn()
  await watch.untilNote('The command ended with code 3')
  await terminal.switchOff()
  await until(async () => (await watch.lines()).at(-1) === 'off')
  expect(watch.child.exitCode).toBeNull()
})

test.for(['SIGINT', 'SIGTERM'] as const)('watch ends with exit code 0 on %s', async (signal, { terminal }) => {
  const watch = terminal.startWatch()
  await watch.untilLines(['off'])
  const exit = watch.exit()
  watch.child.kill(signal)
  expect(await exit).toEqual([0, null])
})
