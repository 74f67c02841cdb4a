import { readFileSync } from 'node:fs'
import { SERVER_FOLDER } from './folders.ts'

/** The version of this server. */
export const { version: VERSION } = JSON.parse(readFileSync(`${SERVER_FOLDER}package.json`, 'utf8')) as {
  version: string
}
