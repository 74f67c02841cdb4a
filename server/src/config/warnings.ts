import type { Config } from './config.ts'
import { SETTINGS } from './settings-table.ts'

/** Older versions of Node get no more security fixes. */
const OLDEST_MAINTAINED = 22

/** Lists what is probably wrong in the environment of a server, one sentence each, for the terminal. */
export function warningsOf(env: NodeJS.ProcessEnv, config: Config): string[] {
  const names = Object.keys(SETTINGS)
  const misspelt = Object.keys(env).flatMap((name) => {
    const meant = Object.hasOwn(SETTINGS, name) ? undefined : names.find((other) => isSlip(name, other))
    return meant === undefined ? [] : [`${name} is no setting. Did you mean ${meant}?`]
  })
  const isPublic = config.publicUrl.startsWith('https:')
  return isPublic && config.smtpUrl === null
    ? [...misspelt, 'Without SMTP_URL nobody gets an email: they are only written to files.']
    : misspelt
}

/** A sentence for the terminal if a version of Node, such as `v20.19.0`, is no longer maintained. */
export function warningOfNode(version: string): string | null {
  if (Number.parseInt(version.slice('v'.length), 10) >= OLDEST_MAINTAINED) return null
  return `Node ${version} is past its end of life and gets no security fixes. Install Node 24.`
}

/** Whether one name becomes the other by one letter more, less or another, or by two that changed places. */
function isSlip(name: string, other: string): boolean {
  if (Math.abs(name.length - other.length) > 1) return false
  let start = 0
  while (start < name.length && name[start] === other[start]) start++
  let end = 0
  const rest = Math.min(name.length, other.length) - start
  while (end < rest && name.at(-1 - end) === other.at(-1 - end)) end++
  const [a, b] = [name.slice(start, name.length - end), other.slice(start, other.length - end)]
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && a === [...b].reverse().join(''))
}
