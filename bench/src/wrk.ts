import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Load } from './closed-loop.ts'
import { numberIn, output } from './programs.ts'
import type { Person } from './tokens.ts'

/** For switches each connection is a thread of its own, so that a script knows whose turn it is. */
const THREADS = `local number = 0
function setup(thread)
  number = number + 1
  local token, prefix = people[number]:match('(%S+) (%S+)')
  thread:set('token', token)
  thread:set('prefix', prefix)
end`

/** Everybody in turn. */
const HOME = `local count = 0
local texts = {}
function init()
  for number, person in ipairs(people) do
    wrk.headers['Authorization'] = 'Bearer ' .. person:match('%S+')
    wrk.headers['X-Client-Info'] = 'deeb-web/0.1.0'
    texts[number] = wrk.format('GET', '/api/home?timeZone=Europe%2FBerlin')
  end
end
function request()
  count = count % #people + 1
  return texts[count]
end`

/** On, off, on, off: each pair a session with an id of its own. Before them one read, as wrk makes a request more than it sends. */
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

/** What wrk makes of a screen's read or of switches, with one connection for each of these people. Throws if an answer was not 200. */
export async function wrkRun(
  wrk: string,
  port: number,
  what: 'home' | 'switches',
  people: Person[],
  seconds: number,
): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-wrk-'))
  const path = join(folder, 'script.lua')
  // The beginning of the ids of this run's sessions.
  const prefix = (index: number) => `${hex(8)}-${(index + 4096).toString(16).padStart(4, '0')}`
  const list = people.map(({ accessToken }, index) => `'${accessToken} ${prefix(index)}'`).join(', ')
  const script = what === 'home' ? HOME : `${THREADS}\n${SWITCHES}`
  await writeFile(path, `local people = { ${list} }\n${script}\n`)
  const size = ['-t', what === 'home' ? '1' : `${people.length}`, '-c', `${people.length}`, '-d', `${seconds}s`]
  const printed = await output(wrk, [...size, '-s', path, `http://127.0.0.1:${port}`])
  await rm(folder, { recursive: true, force: true })
  if (/Non-2xx|Socket errors/.test(printed)) throw new Error(`wrk was not answered well: ${printed}`)
  return { perSecond: numberIn(printed, /Requests\/sec:\s+([\d.]+)/), answers: numberIn(printed, /(\d+) requests in/) }
}

function hex(digits: number): string {
  return Math.floor(Math.random() * 16 ** digits)
    .toString(16)
    .padStart(digits, '0')
}
