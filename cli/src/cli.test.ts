// Runs in npm run test:all.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import * as http from 'node:http'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readFocus } from '@deeb/core/focus/program-api'
import { readHome } from '@deeb/core/home/api'
import type { Scope } from '@deeb/core/scopes'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { until } from '../../server/src/testing/until.ts'
import { test as base, linesOf, PROGRAM } from './testing/test.ts'

const test = base.extend('program', ({ deeb, computer }) => {
  /** Signs in with a new token of Ann, or of somebody else. */
  async function signInWith(scope: Scope, accessToken = deeb.ann) {
    const made = await deeb.tokenOf(accessToken, [scope])
    await computer.signIn(deeb.origin, made.token)
    return made
  }
  const openSession = async (accessToken = deeb.ann) => (await deeb.call(accessToken, readFocus, {})).openSession
  /** `deeb login` in a terminal, and what it has shown. */
  async function loginInTerminal(server: string) {
    const args = [process.execPath, PROGRAM, 'login', '--server', server]
    const script = process.platform === 'darwin' ? ['-q', '/dev/null', ...args] : ['-qec', args.join(' '), '/dev/null']
    const terminal = spawn('/usr/bin/script', script, { env: { ...computer.env, TERM: 'dumb', SHELL: '/bin/sh' } })
    let screen = ''
    terminal.stdout.on('data', (chunk) => {
      screen += chunk
    })
    await until(() => screen.includes('Token for'))
    return { type: (keys: string) => terminal.stdin.write(keys), screen: () => screen, exit: once(terminal, 'exit') }
  }
  /** Lets the programs of this computer believe that they run on another platform. */
  function runAs(platform: string): void {
    const script = `Object.defineProperty(process, 'platform', { value: '${platform}' })`
    Object.assign(computer.env, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` })
  }
  const login = (server: string) => computer.run(['login', '--server', server], TOKEN)
  return { signInWith, openSession, loginInTerminal, runAs, login }
})

const { version: VERSION } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

test.afterEach(async ({ deeb }) => {
  const { openSession } = await deeb.call(deeb.ann, readFocus, {})
  if (openSession) await deeb.call(deeb.ann, stopFocus, { sessionId: openSession.id })
})

test('login saves a token that only the user can read, and says what it allows', async ({ deeb, computer }) => {
  const { token } = await deeb.tokenOf(deeb.ann, ['switch', 'team'])
  const { code, stdout, stderr } = await computer.run(['login', '--server', `${deeb.origin}/app/home`], `${token}\n`)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`Signed in at ${deeb.origin}. The token allows switch, team until `)
  expect(stdout).toContain(computer.loginFile)
  expect(stdout).not.toContain(token)
  expect((await stat(computer.loginFile)).mode & 0o777).toBe(0o600)
  expect((await stat(join(computer.loginFile, '..'))).mode & 0o777).toBe(0o700)
})

test('login does not show a token that is typed into a terminal', async ({ deeb, program }) => {
  const { token } = await deeb.tokenOf(deeb.ann, ['switch'])
  const terminal = await program.loginInTerminal(deeb.origin)
  terminal.type(`${token}x\u007f\r`)
  await terminal.exit
  expect(terminal.screen()).toContain('Signed in at')
  expect(terminal.screen()).not.toContain(token.slice(0, 12))
})

test('Ctrl-C ends a login that waits for the server', async ({ program }) => {
  let isAsked = false
  const silent = createServer(() => {
    isAsked = true
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const terminal = await program.loginInTerminal(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  terminal.type(`${TOKEN}\r`)
  await until(() => isAsked)
  terminal.type('\u0003')
  await terminal.exit
  expect(terminal.screen()).not.toContain('did not answer')
  silent.closeAllConnections()
  silent.close()
})

test('interrupted counts an interruption with a token that may only switch, and exits with 3 outside deeb mode', async ({
  deeb,
  computer,
  program,
}) => {
  await program.signInWith('switch')
  expect(await computer.run(['interrupted'])).toMatchObject({ code: 3, stdout: 'Not in deeb mode.\n' })
  await computer.run(['on'])
  for (const _ of [1, 2]) {
    expect(await computer.run(['interrupted'])).toMatchObject({ code: 0, stdout: 'Counted one interruption.\n' })
  }
  expect((await deeb.call(deeb.ann, readHome, { timeZone: 'UTC' })).presses).toHaveLength(2)
})

/** Stand-ins for the programs of the keychains: what they do with a first argument, with the secret in a file. */
const KEYCHAINS = {
  linux: { name: 'secret-tool', save: 'store', find: 'lookup', remove: 'clear', read: '/bin/cat > "$secret"' },
  darwin: {
    ...{ name: 'security', save: '-i', find: 'find-generic-password', remove: 'delete-generic-password' },
    read: `/usr/bin/cut -d '"' -f 4 > "$secret"`,
  },
}

test('login runs no keychain on Windows, where it could be a program of the current folder', async ({
  computer,
  program,
}) => {
  const log = join(computer.bin, 'log')
  await writeFile(join(computer.bin, 'secret-tool'), `#!/bin/sh\necho "$@" >> ${log}`, { mode: 0o755 })
  program.runAs('win32')
  const { token } = await program.signInWith('switch')
  expect(await readFile(computer.loginFile, 'utf8')).toContain(token)
  expect(await linesOf(log)).toEqual([])
})

test.for(['linux', 'darwin'] as const)(
  'login keeps the token in the keychain of %s, out of command lines',
  async (platform, { computer, program }) => {
    const { name, save, find, remove, read } = KEYCHAINS[platform]
    const [log, secret] = [join(computer.bin, 'log'), join(computer.bin, 'secret')]
    const tool = `#!/bin/sh
secret=${secret}
echo "$@" >> ${log}
case $1 in
  ${save}) ${read} ;;
  ${find}) /bin/cat "$secret" ;;
  ${remove}) [ ! -e ${computer.bin}/locked ] && /bin/rm "$secret" ;;
esac`
    await writeFile(join(computer.bin, name), tool, { mode: 0o755 })
    program.runAs(platform)
    const { token } = await program.signInWith('switch')
    expect(await linesOf(secret)).toEqual([token])
    expect(await readFile(computer.loginFile, 'utf8')).not.toContain(token)
    expect((await computer.run(['status'])).code).toBe(0)
    expect((await computer.run(['logout'])).code).toBe(0)
    expect((await linesOf(log)).map((line) => line.split(' ')[0])).toEqual([save, find, find, remove])
    expect((await linesOf(log)).join()).not.toContain('deeb_pat_')
    expect(await linesOf(secret)).toEqual([])

    await program.signInWith('switch')
    await writeFile(join(computer.bin, 'locked'), '')
    expect(await computer.run(['logout'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('did not delete the token. Revoke it'),
    })
  },
)

test('threat 205: a token in a command line is refused before it is used', async ({ deeb, computer }) => {
  const { token } = await deeb.tokenOf(deeb.ann, ['switch'])
  const { code, stderr } = await computer.run(['login', '--server', deeb.origin, token])
  expect([code, stderr]).toEqual([2, expect.stringContaining('Revoke this one')])
})

test('on and off switch deeb mode, and say since and until when', async ({ computer, program }) => {
  await program.signInWith('switch')
  expect((await computer.run(['off'])).stdout).toBe('Not in deeb mode.\n')
  expect((await computer.run(['on', '--for', '1h30m'])).stdout).toMatch(
    /^In deeb mode since \d\d:\d\d, until about \d\d:\d\d\.\n$/,
  )
  expect(await program.openSession()).toMatchObject({ targetMinutes: 90 })
  expect((await computer.run(['off'])).stdout).toBe('Deeb mode is off after 0h 0m.\n')
  expect(await program.openSession()).toBeNull()
})

test.for(['', 'Foo/Bar', ':', 'Etc/Unknown'])(
  'on works on a computer whose time zone is %j',
  async (TZ, { computer, program }) => {
    await program.signInWith('switch')
    Object.assign(computer.env, { TZ })
    expect(await computer.run(['on'])).toMatchObject({ code: 0, stderr: '' })
    expect(await program.openSession()).not.toBeNull()
    await computer.run(['off'])
  },
)

test('on keeps an open session, and counts a length from now', async ({ deeb, computer, program }) => {
  // Of somebody without an earlier session, which would clip this one.
  await program.signInWith('switch', deeb.cleo)
  const sessionId = uuidv7()
  const [actedAt, sentAt] = [new Date(Date.now() - 30 * 60_000).toISOString(), new Date().toISOString()]
  await deeb.call(deeb.cleo, startFocus, { sessionId, timeZone: 'UTC', times: { actedAt, sentAt } })
  expect((await computer.run(['on'])).code).toBe(0)
  expect(await program.openSession(deeb.cleo)).not.toHaveProperty('targetMinutes')
  expect((await computer.run(['on', '--for', '25m'])).code).toBe(0)
  expect(await program.openSession(deeb.cleo)).toMatchObject({
    id: sessionId,
    targetMinutes: expect.toSatisfy((m) => m === 55 || m === 56),
  })
  // The target of a session is at most 8 hours.
  expect((await computer.run(['on', '--for', '8h'])).code).toBe(0)
  expect(await program.openSession(deeb.cleo)).toMatchObject({ id: sessionId, targetMinutes: 480 })
})

test('status answers by text, JSON and exit code', async ({ computer, program }) => {
  await program.signInWith('switch')
  expect(await computer.run(['status'])).toEqual({ code: 0, stdout: 'Not in deeb mode.\n', stderr: '' })
  expect(await computer.run(['status', '--quiet'])).toEqual({ code: 3, stdout: '', stderr: '' })
  await computer.run(['on'])
  const { startedAt } = (await program.openSession()) ?? {}
  expect(JSON.parse((await computer.run(['status', '--json'])).stdout)).toEqual({
    inDeebMode: true,
    since: startedAt,
    until: null,
  })
  expect(await computer.run(['status', '-q'])).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('logout deletes the token', async ({ computer, program }) => {
  await program.signInWith('switch')
  expect((await computer.run(['logout'])).stdout).toContain('To revoke it')
  expect(await computer.run(['status'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('You are not signed in.'),
  })
})

test('a revoked token has exit code 4, and the sentence names a way out', async ({ deeb, computer, program }) => {
  const { revoke } = await program.signInWith('switch')
  await revoke()
  const { code, stdout, stderr } = await computer.run(['on'])
  expect([code, stdout]).toEqual([4, ''])
  expect(stderr).toContain(`deeb login --server ${deeb.origin}`)
})

test('a token without the permission has exit code 6', async ({ computer, program }) => {
  await program.signInWith('read')
  expect((await computer.run(['status'])).code).toBe(0)
  expect(await computer.run(['on'])).toMatchObject({ code: 6, stderr: expect.stringContaining('does not allow this') })
})

test('a file that others can read is refused', async ({ computer, program }) => {
  await program.signInWith('switch')
  await chmod(computer.loginFile, 0o644)
  expect(await computer.run(['status'])).toMatchObject({ code: 4, stderr: expect.stringContaining('chmod 600') })
})

const TOKEN = `deeb_pat_${'a'.repeat(49)}`

test.for([
  [
    'http on another host',
    'http://deeb.example.com',
    'http would send your token unencrypted. Use https://deeb.example.com',
  ],
  ['an address without https', 'deeb.example.com', 'Write it like https://'],
  ['another protocol', 'ftp://localhost', 'Write it like https://'],
  ['a quote in the address', 'https://deeb".example.com', 'Write it like https://'],
  ['a password in the address', 'https://ann:secret@deeb.example.com', 'Write it like https://'],
] as const)('threat 206: login refuses %s', async ([_, server, sentence], { program }) => {
  expect(await program.login(server)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
})

test('a saved address is checked again before the token is sent', async ({ computer, program }) => {
  await program.signInWith('switch')
  await writeFile(computer.loginFile, JSON.stringify({ server: 'http://deeb.example.com', token: TOKEN }))
  expect(await computer.run(['status'])).toMatchObject({ code: 2, stderr: expect.stringContaining('unencrypted') })
})

test('no server at the address has exit code 5', async ({ program }) => {
  expect(await program.login('http://127.0.0.1:9')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('Is the server running?'),
  })
  expect(await program.login('https://nowhere.invalid')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('was not found'),
  })
})

test('login uses HTTPS_PROXY, or says that this Node.js does not', async ({ computer, program }) => {
  const asked: (string | undefined)[] = []
  const proxy = createServer().listen(0, '127.0.0.1')
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url)
    socket.end('HTTP/1.1 502 Bad gateway\r\n\r\n')
  })
  await once(proxy, 'listening')
  computer.env.HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const { code, stderr } = await program.login('https://nowhere.invalid')
  const isUsed = 'setGlobalProxyFromEnv' in http
  expect([code, asked.length > 0, stderr.includes('This Node.js does not use HTTPS_PROXY.')]).toEqual([
    5,
    isUsed,
    !isUsed,
  ])
  proxy.close()
})

test.for<[string, RequestListener, string]>([
  ['a web page', (_, response) => response.end('<h1>Hello</h1>'), 'does not answer like a deeb server'],
  ['JSON of something else', (_, response) => response.end('{"scopes":[]}'), 'does not answer like a deeb server'],
  ['a page that is missing', (_, response) => response.writeHead(404).end(), 'does not answer like a deeb server'],
  ['a proxy without its server', (_, response) => response.writeHead(502).end('Bad gateway'), 'answers 502'],
  [
    'a redirect',
    (_, response) => response.writeHead(302, { location: 'https://login.example/sso' }).end(),
    'redirects to https://login.example.',
  ],
  [
    'a proxy that adds a slash',
    ({ url, headers }, response) => response.writeHead(301, { location: `http://${headers.host}${url}/` }).end(),
    'redirects /api/tokens/own to another path.',
  ],
  ['https is expected', (_, response) => response.end(), 'does not answer by https'],
])('login says that %s is not deeb', async ([name, answer, sentence], { program }) => {
  const other = createServer(answer).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const protocol = name === 'https is expected' ? 'https' : 'http'
  expect(await program.login(`${protocol}://127.0.0.1:${port}`)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining(sentence),
  })
  other.close()
})

test('an answer that breaks off is not taken for one of another version', async ({ program }) => {
  const headers = { [OLDEST_CLIENT_HEADER]: '0.1.0', 'content-length': 100 }
  const other = createServer((_, response) => {
    response.writeHead(200, headers).write('{', () => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  expect(await program.login(`http://127.0.0.1:${(other.address() as AddressInfo).port}`)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('Is the server running?'),
  })
  other.close()
})

test.for<[string[], string]>([
  [[], 'Usage: deeb COMMAND'],
  [['frobnicate'], 'Usage: deeb COMMAND'],
  [['on', '--until', '5'], '"--until" is not an option of this command.'],
  [['on', '--for'], '--for needs a value.'],
  [['on', '--for', 'lunch'], '"lunch" is not a length'],
  [['on', '--for', '4m'], '"4m" is not a length'],
  [['status', 'now'], '"now" is not an option of this command.'],
  [['status', '--json=yes'], '"--json=yes" is not an option of this command.'],
  [['status', '--constructor'], '"--constructor" is not an option of this command.'],
])('wrong usage has exit code 2: %s', async ([args, text], { computer }) => {
  expect(await computer.run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) })
})

test('the package has no dependencies, and each command is in its guide', async ({ computer }) => {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  const guide = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const { stdout } = await computer.run(['--help'])
  const commands = [...stdout.matchAll(/^ {2}([a-z]+)/gm)].map(([, command]) => command)
  expect(commands.filter((command) => !guide.includes(`deeb ${command}`))).toEqual([])
})

test('a computer gets it from its server, in the version of the server, and it works there', async ({
  deeb,
  computer,
  program,
}) => {
  await program.signInWith('switch')
  const install = `npm install --global --registry=http://127.0.0.1:9 --prefix "$HOME/npm" "${deeb.origin}/cli.tgz"`
  const installed = await computer.runShell(
    `PATH="$PATH:${dirname(process.execPath)}"; ${install} >&2; "$HOME/npm/bin/deeb" --version; "$HOME/npm/bin/deeb" on`,
  )
  expect([installed.code, installed.stdout.split('\n')[0]], installed.stderr).toEqual([0, VERSION])
  expect(await program.openSession()).not.toBeNull()
})
