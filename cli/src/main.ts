import { parseArgs } from 'node:util'
import { ownState } from '@deeb/core/focus/own-state'
import { readFocus } from '@deeb/core/focus/program-api'
import * as texts from '@deeb/texts/cli'
import { setLanguage } from '@deeb/texts/runtime'
import manifest from '../package.json' with { type: 'json' }
import { call } from './api.ts'
import { runCommand } from './command-runner.ts'
import { parseMinutes } from './duration.ts'
import { EXIT, type ExitCode, Problem } from './exit.ts'
import { setLanguageOf } from './language.ts'
import { signIn } from './login.ts'
import { sendThroughProxy } from './proxy.ts'
import { deleteLogin, readLogin, savedServer } from './saved-login.ts'
import { clockNote, lengthText, stateText } from './state-text.ts'
import { countInterruption, switchOff, switchOn } from './switch.ts'
import { watch } from './watch.ts'

type Options = Record<string, string | boolean | undefined>

interface Command {
  usage: string
  help(): string
  options: Record<string, { type: 'string' | 'boolean'; short?: string }>
  run(options: Options): Promise<ExitCode>
}

const COMMANDS: Record<string, Command> = {
  login: {
    usage: 'login --server URL',
    help: texts.helpLogin,
    options: { server: { type: 'string' } },
    async run({ server }) {
      print(await signIn(textOf(server) ?? savedServer()))
      return EXIT.done
    },
  },
  logout: {
    usage: 'logout',
    help: texts.helpLogout,
    options: {},
    async run() {
      const server = savedServer()
      if (!deleteLogin()) throw new Problem(EXIT.failed, texts.tokenNotDeleted({ server: server ?? '' }))
      print(server === null ? texts.alreadySignedOut() : texts.tokenDeleted({ server }))
      return EXIT.done
    },
  },
  on: {
    usage: 'on [--for 50m]',
    help: texts.helpOn,
    options: { for: { type: 'string' } },
    async run({ for: length }) {
      const minutes = length === undefined ? null : parseMinutes(`${length}`)
      print(stateText(await switchOn(readLogin(), minutes)))
      return EXIT.done
    },
  },
  off: {
    usage: 'off',
    help: texts.helpOff,
    options: {},
    async run() {
      const seconds = await switchOff(readLogin())
      print(seconds === null ? texts.isOff() : texts.switchedOff({ length: lengthText(seconds) }))
      return EXIT.done
    },
  },
  interrupted: {
    usage: 'interrupted',
    help: texts.helpInterrupted,
    options: {},
    async run() {
      const isCounted = await countInterruption(readLogin())
      print(isCounted ? texts.interruptionCounted() : texts.isOff())
      return isCounted ? EXIT.done : EXIT.free
    },
  },
  status: {
    usage: 'status [--json] [--quiet]',
    help: texts.helpStatus,
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
    usage: 'watch [--on CMD] [--off CMD] [--mqtt URL]',
    help: texts.helpWatch,
    options: { on: { type: 'string' }, off: { type: 'string' }, mqtt: { type: 'string' } },
    async run({ on, off, mqtt }) {
      const login = readLogin()
      const stopped = new AbortController()
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort())
      const fail = (problem: Problem) => stopped.abort(problem)
      const address = textOf(mqtt)
      const broker = address ? (await import('./mqtt.ts')).connectBroker(address, login, { note, fail }) : null
      try {
        await watch(login, {
          async run(state) {
            note(stateText(state))
            const command = textOf(state.inDeebMode ? on : off)
            if (command) await runCommand(command, state)
          },
          known: broker?.show,
          signal: stopped.signal,
          note,
        })
      } finally {
        await broker?.close()
      }
      if (stopped.signal.reason instanceof Problem) throw stopped.signal.reason
      return EXIT.done
    },
  },
  mcp: {
    usage: 'mcp',
    help: texts.helpMcp,
    options: {},
    async run() {
      const { serveAssistant } = await import('./mcp.ts')
      const login = readLogin()
      // Its reader is a program.
      setLanguage('en')
      await serveAssistant(login, manifest.version)
      return EXIT.done
    },
  },
}

function usage(): string {
  const commands = Object.values(COMMANDS).map(({ usage, help }) => `  ${usage.padEnd(28)} ${help()}`)
  return [texts.usage(), ...commands, '  --version, --help', '', texts.exitCodes()].join('\n')
}

async function main([name = '', ...args]: string[]): Promise<ExitCode> {
  if (name === '--version') {
    print(manifest.version)
    return EXIT.done
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command || args.includes('--help')) {
    const isHelp = command || ['--help', '-h', 'help'].includes(name)
    if (!isHelp) throw new Problem(EXIT.usage, usage())
    print(usage())
    return EXIT.done
  }
  return command.run(optionsOf(command, args))
}

function optionsOf({ options }: Command, args: string[]): Options {
  if (args.some((arg) => arg.includes('deeb_pat_'))) {
    throw new Problem(EXIT.usage, texts.tokenInCommand())
  }
  // Not strict: the errors of Node are in English.
  const { values, tokens } = parseArgs({ args, options, strict: false, tokens: true })
  const mistake = tokens.map((token) => mistakeIn(token, options)).find((text) => text !== null)
  if (mistake) throw new Problem(EXIT.usage, `${mistake}\n\n${usage()}`)
  return values as Options
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]

/** Describes the fault of an argument in a sentence; null if there is none. */
function mistakeIn(token: Token, options: Command['options']): string | null {
  if (token.kind === 'option-terminator') return null
  if (token.kind === 'positional') return texts.optionUnknown({ argument: token.value })
  const { name, rawName, value } = token
  const type = Object.hasOwn(options, name) ? options[name]?.type : undefined
  if (type === 'string') return value === undefined ? texts.valueMissing({ option: rawName }) : null
  if (type === 'boolean' && value === undefined) return null
  return texts.optionUnknown({ argument: value === undefined ? rawName : `${rawName}=${value}` })
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

setLanguageOf(process.env)
sendThroughProxy()
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    note(error instanceof Problem ? error.message : `${error instanceof Error ? error.stack : error}`)
    process.exitCode = error instanceof Problem ? error.code : EXIT.failed
  },
)
