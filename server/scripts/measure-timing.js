/**
 * Measures whether response times allow user enumeration (timing attack): known against unknown addresses at sign-in with a
 * wrong password, sign-up and recover, alternating, on its own server with a fresh database. Also times the requests that
 * follow a recover. Prints medians.
 *
 *     npm run build && node server/scripts/measure-timing.js
 *
 * Not a test: on a busy machine the figures differ by chance.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const PORT = process.env.PORT ?? '3999'
const ACCOUNTS = 60
/** Below the ten failures per account after which strangers get a backoff. */
const SIGN_INS_EACH = 4
const PASSWORD = 'seven quiet otters'
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

let callers = 0
const dataDir = await mkdtemp(join(tmpdir(), 'deeb-timing-'))
// With a trusted proxy, each request can have its own IP address, so no rate limit applies.
const env = { ...process.env, PORT, DATA_DIR: dataDir, TRUST_PROXY: 'loopback' }
const server = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'inherit'] })
try {
  await untilReady()
  const known = await makeAccounts()
  const unknown = known.map((email) => `nobody.${email}`)
  await measure('sign-in', SIGN_INS_EACH, known, unknown, (email) =>
    timeOf('/token?grant_type=password', { email, password: 'not the password' }),
  )
  await measure('sign-up', 1, known, unknown, (email) => timeOf('/signup', { email, password: PASSWORD }))
  await measure('recover', 1, known, unknown, (email) => timeOf('/recover', { email }))
  await measure('8 requests after recover', 2, known, unknown, async (email) => {
    await timeOf('/recover', { email })
    let ms = 0
    for (let n = 0; n < 8; n++) ms += await timeOf('/recover', { email: `nobody${n}@fjordlab.example` })
    return ms
  })
} finally {
  server.kill()
  await new Promise((resolve) => server.once('exit', resolve))
  await rm(dataDir, { recursive: true, force: true })
}

/** @returns {Promise<string[]>} the addresses of new, confirmed accounts */
async function makeAccounts() {
  const emails = Array.from({ length: ACCOUNTS }, (_, n) => `person${n}@fjordlab.example`)
  for (const email of emails) await timeOf('/signup', { email, password: PASSWORD })
  const links = await linksInOutbox(ACCOUNTS)
  for (const token_hash of links) await timeOf('/verify', { type: 'signup', token_hash, password: PASSWORD })
  return emails
}

/**
 * @param {number} count the number of links to wait for
 * @returns {Promise<string[]>}
 */
async function linksInOutbox(count) {
  const folder = join(dataDir, 'outbox')
  for (;;) {
    const names = await readdir(folder).catch(() => [])
    const emails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    const links = emails.flatMap((email) => /#token_hash=([\w-]{43})&type=signup/.exec(email)?.[1] ?? [])
    if (links.length >= count) return links
    await sleep(100)
  }
}

/**
 * @param {string} name
 * @param {number} rounds
 * @param {string[]} known
 * @param {string[]} unknown
 * @param {(email: string) => Promise<number>} time
 */
async function measure(name, rounds, known, unknown, time) {
  /** @type {{ known: number[], unknown: number[] }} */
  const times = { known: [], unknown: [] }
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < ACCOUNTS; n++) {
      times.known.push(await time(known[n] ?? ''))
      times.unknown.push(await time(unknown[n] ?? ''))
    }
  }
  console.log(`${name}: known ${summary(times.known)}, unknown ${summary(times.unknown)}`)
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<number>} milliseconds
 */
async function timeOf(path, body) {
  callers += 1
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': `203.0.${callers >> 8}.${callers & 255}`,
  }
  const start = performance.now()
  const answer = await fetch(`http://localhost:${PORT}/auth/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  await answer.text()
  if (answer.status === 429 || answer.status === 503) throw new Error(`${path} was answered with ${answer.status}.`)
  return performance.now() - start
}

async function untilReady() {
  for (;;) {
    const answer = await fetch(`http://localhost:${PORT}/auth/v1/health`).catch(() => null)
    if (answer?.ok) return
    if (server.exitCode !== null) throw new Error('The server did not start.')
    await sleep(200)
  }
}

/** @param {number[]} times */
function summary(times) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ share) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return `${at(0.5)} ms (middle half ${at(0.25)} to ${at(0.75)}, n=${sorted.length})`
}
