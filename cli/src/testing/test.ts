import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Endpoint, InputOf, OutputOf } from '@deeb/core/endpoint'
import type { Scope } from '@deeb/core/scopes'
import { createToken, revokeToken } from '@deeb/core/tokens/api'
import { test as base } from 'vitest'
import { type ChildServer, startChildServer } from '../../../server/src/testing/child-server.ts'
import type { FirstWords } from '../../../server/src/testing/killable-server.ts'

const SERVER = fileURLToPath(new URL('../../../server/dist/testing/killable-server.js', import.meta.url))
export const PROGRAM = fileURLToPath(new URL('../../bin/deeb.js', import.meta.url))

/** The test function of the command line: one server per file, and a new computer per test. */
export const test = base
  /** Environment variables of the server. */
  .extend('settings', { scope: 'file' }, {} as Record<string, string>)
  .extend('deeb', { scope: 'file' }, async ({ settings }, { onCleanup }): Promise<TestServer> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'deeb-cli-server-'))
    const server = await startTestServer({ DATA_DIR: dataDir, ...settings })
    onCleanup(async () => {
      await server.stop('SIGKILL')
      await rm(dataDir, { recursive: true, force: true })
    })
    return server
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the needed fixtures from a pattern.
  .extend('computer', async ({}, { onCleanup }): Promise<Computer> => {
    const computer = await makeComputer()
    onCleanup(() => computer.close())
    return computer
  })

/** A server as a child process, on the embedded engine, with three people. */
interface TestServer extends ChildServer {
  /** The access tokens of the sign-ins of these people. */
  ann: string
  ben: string
  cleo: string
  /** Calls an endpoint as one of them. Rejects unless it succeeds. */
  call<E extends Endpoint>(accessToken: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>
  /** A personal access token of the owner of a sign-in, and how to revoke it. */
  tokenOf(accessToken: string, scopes: Scope[]): Promise<{ token: string; revoke(): Promise<unknown> }>
}

async function startTestServer(env: Record<string, string>): Promise<TestServer> {
  const server = await startChildServer({ ...env, PEOPLE: '3' }, { program: SERVER })
  const words = server
    .output()
    .split('\n')
    .find((line) => line.startsWith('{"held"'))
  const { tokens } = JSON.parse(words ?? '') as FirstWords
  const [ann = '', ben = '', cleo = ''] = tokens
  async function call<E extends Endpoint>(accessToken: string, { method, path }: E, input: InputOf<E>) {
    const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
    const response = await fetch(server.origin + path + query, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as OutputOf<E>
  }
  return {
    ...{ ...server, ann, ben, cleo, call },
    async tokenOf(accessToken, scopes) {
      const { token, details } = await call(accessToken, createToken, { name: 'A test', scopes, days: 1 })
      return { token, revoke: () => call(accessToken, revokeToken, { id: details.id }) }
    },
  }
}

/** The output of a command, and its exit code. */
interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** A computer of one person: a configuration folder, and a PATH with no programs but those of the test. */
interface Computer {
  /** The folder of the PATH. */
  bin: string
  loginFile: string
  folder: string
  env: Record<string, string>
  run(args: string[], input?: string): Promise<Outcome>
  /** Runs shell lines in the folder, until one fails. Programs of the system follow those of the test. */
  runShell(script: string): Promise<Outcome>
  /** Starts shell lines in the folder. */
  startShell(script: string): ChildProcessWithoutNullStreams
  /** Starts a command that keeps running. */
  start(args: string[]): ChildProcessWithoutNullStreams
  /** Signs in with a token. Rejects unless it succeeds. */
  signIn(server: string, token: string): Promise<void>
  close(): Promise<void>
}

async function makeComputer(): Promise<Computer> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-cli-'))
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const env = { PATH: bin, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), TZ: 'Europe/Berlin' }
  const start = (args: string[]) => spawn(process.execPath, [PROGRAM, ...args], { env, cwd: folder })
  async function run(args: string[], input = ''): Promise<Outcome> {
    const child = start(args)
    child.stdin.end(input)
    return outcomeOf(child)
  }
  const startShell = (script: string) =>
    spawn('/bin/sh', ['-e', '-c', script], { env: { ...env, PATH: `${bin}:/usr/bin:/bin` }, cwd: folder })
  return {
    ...{ folder, bin, env, run, start, startShell, loginFile: join(env.XDG_CONFIG_HOME, 'deeb', 'login.json') },
    runShell: (script) => outcomeOf(startShell(script)),
    async signIn(server, token) {
      const { code, stderr } = await run(['login', '--server', server], `${token}\n`)
      if (code !== 0) throw new Error(stderr)
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, stdout, stderr }
}

/** The lines of a file, none if it does not exist. */
export async function linesOf(path: string): Promise<string[]> {
  const content = await readFile(path, 'utf8').catch(() => '')
  return content.split('\n').filter((line) => line !== '')
}
