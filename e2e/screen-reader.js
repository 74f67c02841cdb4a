// Operates the demo with the keyboard in Firefox, and prints what the screen reader Orca speaks as the rows of a table:
// `npm run build && npm run screen-reader -w e2e`. On Linux; where a program is missing it says so and does nothing.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The actions, and the keys for it by their X names. `type ` enters a text; EMAIL and PASSWORD are those of the demo. */
const STEPS = [
  ['Sign-in: Tab, address, Tab', 'Tab', 'type EMAIL', 'Tab'],
  ['a wrong password, Enter', 'type wrong-otter-41', 'Return'],
  ['the right one, Enter: Home', 'ctrl+a', 'type PASSWORD', 'Return'],
  ['Shift+Tab: the switch', 'shift+Tab'],
  ['Space: on', 'space'],
  ['Tab: until', 'Tab'],
  ['Enter: its sheet', 'Return'],
  ['Tab: the first length', 'Tab'],
  ['Enter', 'Return'],
  ['Shift+Tab, Space: off', 'shift+Tab', 'space'],
  ['Tab, Tab, Enter: Profile', 'Tab', 'Tab', 'Return'],
  ['Tab, Enter: the week before', 'Tab', 'Return'],
  ['Tab, Enter: this week again', 'Tab', 'Return'],
  ['Tab: the chart', 'Tab'],
  ['Left arrow', 'Left'],
  ['Tab: the line of weeks', 'Tab'],
  ['Tab, Enter: Goal Settings', 'Tab', 'Return'],
  ['Tab, Tab, Enter: a day', 'Tab', 'Tab', 'Return'],
  ['Tab: the wheel', 'Tab'],
  ['Down arrow', 'Down'],
  ['back to Profile', 'shift+Tab', 'shift+Tab', 'shift+Tab', 'Return'],
  ['to the bar, Enter: Team', ...Array(7).fill('Tab'), 'Return'],
  ['Tab: the search', 'Tab'],
  ['"ada"', 'type ada'],
  ['Tab, Tab: requests', 'Tab', 'Tab'],
  ['Enter: its sheet', 'Return'],
  ['Tab: the first answer', 'Tab'],
  ['Escape, back to the search, none', 'Escape', 'shift+Tab', 'shift+Tab', 'ctrl+a', 'BackSpace'],
  ['Tab, Tab: a newcomer of a circle', 'Tab', 'Tab'],
  ['Tab: the filter by circle', 'Tab'],
  ['Tab, Tab: a colleague in deeb mode', 'Tab', 'Tab'],
  ['Tab: the bell', 'Tab'],
  ['Space', 'space'],
  ['Shift+Tab, Enter: a dialog', 'shift+Tab', 'Return'],
  ['Escape', 'Escape'],
]

const PROGRAMS = ['dbus-run-session', 'Xvfb', 'xfwm4', 'xdotool', 'gsettings', 'orca', 'firefox-esr']
const DEMO = fileURLToPath(new URL('../server/dist/demo/main.js', import.meta.url))
const SELF = fileURLToPath(import.meta.url)

/** So narrow that the screens have one column, and with it one tab order. */
const SCREEN = '480x900x24'
/** Firefox starts, and Orca reads the page to its end. */
const STARTING_MS = 15_000
/** Orca may need so long before it speaks, and a step ends when it has been silent for so long. */
const THINKING_MS = 2500
const SILENCE_MS = 1500
const MAX_SILENCES = 5

const ORCA_SETTINGS = 'import orca.settings\norca.settings.enableKeyEcho = False\n'
const FIREFOX_SETTINGS = `user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.newtabpage.enabled", false);
user_pref("browser.startup.page", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("permissions.default.desktop-notification", 2);
user_pref("signon.rememberSignons", false);
user_pref("termsofuse.bypassNotification", true);
`

const missing = PROGRAMS.filter((program) => spawnSync('which', [program]).status !== 0)
if (missing.length > 0) console.log(`Skipped: install ${missing.join(', ')}.`)
else if (process.argv[2] === 'in-own-session')
  await drive().catch(({ message }) => {
    console.log(message)
    process.exitCode = 1
  })
else {
  // With its own message bus it leaves the desktop of its user alone.
  const inside = spawn('dbus-run-session', ['--', process.execPath, SELF, 'in-own-session'], {
    stdio: ['ignore', 'inherit', 'ignore'],
  })
  process.exitCode = (await once(inside, 'exit'))[0] ?? 1
}

async function drive() {
  const home = mkdtempSync(join(tmpdir(), 'deeb-screen-reader-'))
  const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, LC_ALL: 'C.UTF-8', GNOME_ACCESSIBILITY: '1' }
  const started = []
  const start = (program, args, stdio = 'ignore') => {
    const child = spawn(program, args, { stdio, env })
    started.push(child)
    return child
  }
  try {
    env.PORT = `${await freePort()}`
    const demo = start(process.execPath, [DEMO], ['ignore', 'pipe', 'inherit'])
    env.DISPLAY = await display(start)
    start('xfwm4', ['--compositor=off'])
    spawnSync('gsettings', ['set', 'org.gnome.desktop.interface', 'toolkit-accessibility', 'true'], { env })
    const log = join(home, 'orca.log')
    write(join(home, '.local/share/orca'), 'orca-customizations.py', ORCA_SETTINGS)
    start('orca', [`--debug-file=${log}`, '--disable=braille', '--disable=braille-monitor'])
    const address = await addressOf(demo)
    const { email, password } = await (await fetch(new URL('/demo/person', address), { method: 'POST' })).json()
    write(join(home, 'firefox'), 'user.js', FIREFOX_SETTINGS)
    start('firefox-esr', ['--profile', join(home, 'firefox'), '--kiosk', new URL('/app', address).href])
    const takeSpoken = readSpeech(log)
    await wait(STARTING_MS)
    const opened = await takeSpoken()
    if (!opened.includes('Password')) throw new Error('Orca did not read the page. Try again.')
    for (const [action, ...keys] of STEPS) {
      for (const key of keys) await press(key.replace('EMAIL', email).replace('PASSWORD', password), env)
      console.log(`| ${action} | ${(await takeSpoken()).join(' · ')} |`)
    }
  } finally {
    const ended = started.map((child) => child.exitCode ?? once(child, 'exit'))
    for (const child of started.reverse()) child.kill()
    await Promise.race([Promise.all(ended), wait(5000)])
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

function write(folder, name, text) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), text)
}

async function press(key, env) {
  const args = key.startsWith('type ') ? ['type', '--delay', '40', key.slice(5)] : ['key', key]
  await once(spawn('xdotool', args, { env }), 'exit')
  await wait(700)
}

/** Returns a function that waits until Orca is silent, and returns what it has spoken since the call before. */
function readSpeech(log) {
  let reported = 0
  return async () => {
    let spoken = []
    await wait(THINKING_MS)
    for (let silences = 0, before = -1; silences < MAX_SILENCES && spoken.length !== before; silences++) {
      before = spoken.length
      await wait(SILENCE_MS)
      const lines = readFileSync(log, 'utf8').split('\n')
      spoken = lines.flatMap((line) => /SPEECH OUTPUT: '(.*?)'(?:\s*\{.*)?$/.exec(line)?.[1]?.trim() ?? [])
    }
    const fresh = spoken.slice(reported)
    reported = spoken.length
    return fresh
  }
}

/** Starts an X server without a screen. Resolves with its name. */
async function display(start) {
  const args = ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp']
  const server = start('Xvfb', args, ['ignore', 'ignore', 'ignore', 'pipe'])
  const [number] = await once(server.stdio[3], 'data')
  return `:${String(number).trim()}`
}

async function addressOf(demo) {
  for await (const line of createInterface(demo.stdout)) {
    const address = /The demo runs at (\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('The demo has ended.')
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  return port
}
