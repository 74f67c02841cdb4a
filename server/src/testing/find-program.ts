import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of an installed program, also where a user's PATH lacks the folders of daemons. Null if there is none. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

/** The version that a program prints, as 100 times the major number plus the minor one. Null if it prints none. */
export function versionOf(path: string): number | null {
  const printed = execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [, major, minor] = /(\d+)\.(\d+)/.exec(printed) ?? []
  return major === undefined ? null : Number(major) * 100 + Number(minor)
}
