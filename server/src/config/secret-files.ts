import { readFileSync } from 'node:fs'
import { SETTINGS, type Setting } from './settings-table.ts'

/**
 * The environment with the secrets that are in files: `NAME_FILE` names the file of a secret setting `NAME`, as container platforms
 * mount them. Throws one sentence, without the secret, if a file cannot be read or is empty, or if both are set.
 */
export function withSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const secrets = Object.entries<Setting>(SETTINGS).filter(([, { isSecret }]) => isSecret)
  const read = secrets.flatMap(([name]) => {
    const path = env[`${name}_FILE`]
    if (!path) return []
    if (env[name]) throw new Error(`Set ${name} or ${name}_FILE, not both.`)
    return [[name, readSecretFile(`${name}_FILE`, path)]]
  })
  return { ...env, ...Object.fromEntries(read) }
}

/** Without the line break at its end. An empty value would be a setting that is not set. */
function readSecretFile(name: string, path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${name} names a file that cannot be read: ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '') throw new Error(`${name} names an empty file: ${path}.`)
  return secret
}
