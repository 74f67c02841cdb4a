import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readHome } from '@deeb/core/home/api'
import type { Load } from './closed-loop.ts'
import { numberIn, output } from './programs.ts'
import type { Work } from './requests.ts'
import type { Person } from './tokens.ts'

/** For switches each connection has its own thread, so that the script knows its person. */
const THREADS = `local number = 0
function setup(thread)
  number = number + 1
  local token, prefix = people[number]:match('(%S+) (%S+)')
  thread:set('token', token)
  thread:set('prefix', prefix)
end`

/** Reads of all people, round robin. */
const reads = (path: string) => `local count = 0
local texts = {}
function init()
  for number, person in ipairs(people) do
    wrk.headers['Authorization'] = 'Bearer ' .. person:match('%S+')
    wrk.headers['X-Client-Info'] = 'deeb-web/0.1.0'
    texts[number] = wrk.format('GET', '${path}?timeZone=Europe%2FBerlin')
  end
end
function request()
  count = count % #people + 1
  return texts[count]
end`

/** Start, stop, start, stop: each pair has a new session id. One read comes first, because wrk builds one request that it does not send. */
const SWITCHES = `local count = -1
function init()
  wrk.headers['Authorization'] = 'Bearer ' .. token
  wrk.headers['X-Client-Info'] = 'deeb-web/0.1.0'
  wrk.headers['Content-Type'] = 'application/json'
end
function request()
  if count < 0 then
    count = 0
    return wrk.format('GET', '/api/home?timeZone=Europe%2FBerlin')
  end
  local id = string.format('%s-7%03x-8%03x-%012x', prefix, 0, 0, math.floor(count / 2))
  count = count + 1
  if count % 2 == 1 then
    return wrk.format('POST', '/api/focus/start', nil, '{"sessionId":"' .. id .. '","timeZone":"Europe/Berlin"}')
  end
  return wrk.format('POST', '/api/focus/stop', nil, '{"sessionId":"' .. id .. '"}')
end`

/** Runs wrk with home reads or switches and one connection per person. Throws if an answer is not 200. */
export async function wrkRun(wrk: string, port: number, what: Work, people: Person[], seconds: number): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-wrk-'))
  const path = join(folder, 'script.lua')
  // The prefix of the focus session ids of this run.
  const prefix = (index: number) => `${hex(8)}-${(index + 4096).toString(16).padStart(4, '0')}`
  const list = people.map(({ accessToken }, index) => `'${accessToken} ${prefix(index)}'`).join(', ')
  const script = what === 'switches' ? `${THREADS}\n${SWITCHES}` : reads(what === 'home' ? readHome.path : '/constant')
  await writeFile(path, `local people = { ${list} }\n${script}\n`)
  const size = ['-t', what === 'switches' ? `${people.length}` : '1', '-c', `${people.length}`, '-d', `${seconds}s`]
  const printed = await output(wrk, [...size, '-s', path, `http://127.0.0.1:${port}`])
  await rm(folder, { recursive: true, force: true })
  if (/Non-2xx|Socket errors/.test(printed)) throw new Error(`wrk got an answer that is not 200: ${printed}`)
  return { perSecond: numberIn(printed, /Requests\/sec:\s+([\d.]+)/), answers: numberIn(printed, /(\d+) requests in/) }
}

function hex(digits: number): string {
  return Math.floor(Math.random() * 16 ** digits)
    .toString(16)
    .padStart(digits, '0')
}
