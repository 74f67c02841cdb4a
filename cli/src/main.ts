import { parseArgs } from 'node:util'
import { readFocus } from '@deeb/core/focus/api'
import manifest from '../package.json' with { type: 'json' }
import { call } from './api.ts'
import { runCommand } from './command-runner.ts'
import { parseMinutes } from './duration.ts'
import { EXIT, type ExitCode, Problem } from './exit.ts'
import { signIn } from './login.ts'
import { ownState } from './own-state.ts'
import { deleteLogin, readLogin, savedServer } from './saved-login.ts'
import { clockNote, lengthText, stateText } from './state-text.ts'
import { switchOff, switchOn } from './switch.ts'
import { watch } from './watch.ts'

const USAGE = `Usage: deeb COMMAND
  login --server URL           sign in with a token from Settings, Connected apps; it is asked for
  logout                       delete the saved token
  on [--for 50m]               switch deeb mode on, until about then
  off                          switch deeb mode off
  status [--json] [--quiet]    show whether deeb mode is on; --quiet prints nothing: exit code 0 is on, 3 is off
  watch [--on CMD] [--off CMD] run a command on each change, and one for the state at the start
  mcp                          serve an assistant by the Model Context Protocol, on standard input and output
  --version, --help

Exit codes: 0 done, 1 unexpected error, 2 wrong usage, 3 not in deeb mode (status --quiet),
4 not signed in or the token is not valid any more, 5 server not reachable, 6 refused by the server`

type Options = Record<string, string | boolean | undefined>

interface Command {
  options: Record<string, { type: 'string' | 'boolean'; short?: string }>
  run(options: Options): Promise<ExitCode>
}

const COMMANDS: Record<string, Command> = {
  login: {
    options: { server: { type: 'string' } },
    async run({ server }) {
      print(await signIn(textOf(server) ?? savedServer()))
      return EXIT.done
    },
  },
  logout: {
    options: {},
    async run() {
      const server = savedServer()
      deleteLogin()
      print(
        server === null
          ? 'You are not signed in.'
          : `The token is deleted here. To revoke it, open ${server} at Settings, Connected apps.`,
      )
      return EXIT.done
    },
  },
  on: {
    options: { for: { type: 'string' } },
    async run({ for: length }) {
      const minutes = length === undefined ? null : parseMinutes(`${length}`)
      print(stateText(await switchOn(readLogin(), minutes)))
      return EXIT.done
    },
  },
  off: {
    options: {},
    async run() {
      const seconds = await switchOff(readLogin())
      print(seconds === null ? 'Not in deeb mode.' : `Deeb mode is off after ${lengthText(seconds)}.`)
      return EXIT.done
    },
  },
  status: {
    options: { json: { type: 'boolean' }, quiet: { type: 'boolean', short: 'q' } },
    async run({ json, quiet }) {
      const focus = await call(readLogin(), readFocus, {})
      const state = ownState(focus)
      if (quiet) return state.inDeebMode ? EXIT.done : EXIT.free
      print(json ? JSON.stringify(state) : stateText(state))
      const clock = clockNote(focus.serverTime, new Date())
      if (clock !== null) note(clock)
      return EXIT.done
    },
  },
  watch: {
    options: { on: { type: 'string' }, off: { type: 'string' } },
    async run({ on, off }) {
      const stopped = new AbortController()
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort())
      await watch(
        readLogin(),
        async (state) => {
          note(stateText(state))
          const command = textOf(state.inDeebMode ? on : off)
          if (command !== undefined) await runCommand(command, state)
        },
        { signal: stopped.signal, note },
      )
      return EXIT.done
    },
  },
  mcp: {
    options: {},
    async run() {
      const { serveAssistant } = await import('./mcp.ts')
      await serveAssistant(readLogin(), manifest.version)
      return EXIT.done
    },
  },
}

async function main([name = '', ...args]: string[]): Promise<ExitCode> {
  if (name === '--version') {
    print(manifest.version)
    return EXIT.done
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command || args.includes('--help')) {
    const isHelp = command || ['--help', '-h', 'help'].includes(name)
    if (!isHelp) throw new Problem(EXIT.usage, USAGE)
    print(USAGE)
    return EXIT.done
  }
  return command.run(optionsOf(command, args))
}

function optionsOf({ options }: Command, args: string[]): Options {
  if (args.some((arg) => arg.includes('deeb_pat_'))) {
    throw new Problem(
      EXIT.usage,
      'Others on this computer can see a token in a command line. Revoke this one, and paste a new one when deeb login asks for it.',
    )
  }
  try {
    return parseArgs({ args, options, strict: true }).values as Options
  } catch (error) {
    throw new Problem(EXIT.usage, `${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
}

function textOf(value: Options[string]): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function note(line: string): void {
  process.stderr.write(`${line}\n`)
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    note(error instanceof Problem ? error.message : `${error instanceof Error ? error.stack : error}`)
    process.exitCode = error instanceof Problem ? error.code : EXIT.failed
  },
)
