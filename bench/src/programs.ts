import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** The path of a program on PATH; null if not found. */
export function findProgram(name: string): string | null {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  return paths.find((path) => existsSync(path)) ?? null
}

/** Runs a program. Resolves with its output, or rejects with it if the program fails. */
export async function output(path: string, args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(path, args, { maxBuffer: 1e8 })
  return stdout + stderr
}

/** The number in the first group of the pattern. Throws if the text has none. */
export function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`${pattern} is not in: ${text.slice(0, 2000)}`)
  return Number(found)
}
