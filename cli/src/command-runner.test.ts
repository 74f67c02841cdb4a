import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { until } from '../../server/src/testing/until.ts'
import { runCommand } from './command-runner.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deeb-command-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

test('a command that ignores SIGTERM ends after a minute, with what it has started', async () => {
  const beats = join(folder, 'beats')
  const size = async () => (await stat(beats).catch(() => null))?.size ?? 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const command = `trap '' TERM; while :; do echo >> ${beats}; sleep 0.01; done & wait; sleep 300`
  const ended = runCommand(command, { inDeebMode: false, since: null, until: null })
  await until(async () => (await size()) > 1)
  vi.advanceTimersByTime(60_000)
  await ended
  const last = await size()
  await pause(300)
  expect(await size()).toBe(last)
})
