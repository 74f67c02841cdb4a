import { MAX_TARGET_MINUTES, MIN_TARGET_MINUTES } from '@deeb/core/focus/target'
import { readTeam } from '@deeb/core/team/api'
import { readOwnToken } from '@deeb/core/tokens/api'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as z from 'zod'
import { call, type Login } from './api.ts'
import { Problem } from './exit.ts'
import { FREE_ANSWER, freeAnswer } from './is-free.ts'
import { switchOff, switchOn } from './switch.ts'
import { readToday, TODAY } from './today.ts'

const INSTRUCTIONS =
  'deeb says whether people focus. In deeb mode somebody does not want to be interrupted: ask is_free before you write to a colleague. Switch deeb mode only when the user asks for it.'

/** Serves the tools that the scopes of the token allow, until standard input ends. */
export async function serveAssistant(login: Login, version: string): Promise<void> {
  const { scopes } = await call(login, readOwnToken, {})
  const server = new McpServer({ name: 'deeb', version }, { instructions: INSTRUCTIONS })
  if (scopes.includes('switch')) addSwitch(server, login)
  if (scopes.includes('read')) addToday(server, login)
  if (scopes.includes('team')) addIsFree(server, login)
  const transport = new StdioServerTransport()
  await server.connect(transport)
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    server.server.onclose = resolve
  })
  await server.close()
}

function addSwitch(server: McpServer, login: Login): void {
  server.registerTool(
    'start_focus',
    {
      title: 'Switch deeb mode on',
      description:
        'Switches deeb mode of the user on. Colleagues see it. With minutes they also see until about when; if deeb mode is on already, the minutes count from now.',
      inputSchema: { minutes: z.int().min(MIN_TARGET_MINUTES).max(MAX_TARGET_MINUTES).optional() },
      outputSchema: { since: z.string().nullable(), until: z.string().nullable() },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ minutes }) =>
      answer(async () => {
        const { since, until } = await switchOn(login, minutes ?? null)
        return { since, until }
      }),
  )
  server.registerTool(
    'stop_focus',
    {
      title: 'Switch deeb mode off',
      description: 'Switches deeb mode of the user off.',
      outputSchema: { wasOn: z.boolean(), minutes: z.int().nullable() },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    () =>
      answer(async () => {
        const seconds = await switchOff(login)
        return { wasOn: seconds !== null, minutes: seconds === null ? null : Math.floor(seconds / 60) }
      }),
  )
}

function addToday(server: McpServer, login: Login): void {
  server.registerTool(
    'my_focus_today',
    {
      title: 'Focus time of today',
      description: 'Reads how many minutes the user has focused today, and the goal of the day.',
      outputSchema: TODAY,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => answer(() => readToday(login)),
  )
}

function addIsFree(server: McpServer, login: Login): void {
  server.registerTool(
    'is_free',
    {
      title: 'Whether a colleague is free',
      description:
        'Reads whether a colleague who shares deeb mode with the user can be interrupted now. The name is a first name, a full name, a username or an email address. If several people match, ask the user for the full name.',
      inputSchema: { name: z.string().min(1).max(200) },
      outputSchema: FREE_ANSWER,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ name }) => answer(async () => freeAnswer(await call(login, readTeam, {}), name)),
  )
}

/** The result of a tool: structured, and the same as JSON text for older clients. A `Problem` is a sentence for the user. */
async function answer(work: () => Promise<Record<string, unknown>>) {
  try {
    const structuredContent = await work()
    return { structuredContent, content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }] }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { isError: true, content: [{ type: 'text' as const, text: error.message }] }
  }
}
