import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as texts from '@deeb/texts/cli'
import * as v from 'valibot'
import type { Login } from './api.ts'
import { EXIT, Problem } from './exit.ts'
import { deleteFromKeychain, readFromKeychain, saveInKeychain } from './keychain.ts'
import { parseServer } from './server-url.ts'

/** The content of the file. `token` is null if the keychain has it. */
const SavedLogin = v.object({ server: v.string(), token: v.nullable(v.string()) })

/** Saves the login, with the token in the keychain if there is one. Returns the file with the token; null for the keychain. */
export function saveLogin({ server, token }: Login): string | null {
  const path = loginFile()
  const isInKeychain = saveInKeychain(server, token)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // Not written in place: an existing file would keep its mode, and a crash would leave a part.
  const next = `${path}.${process.pid}.part`
  writeFileSync(next, `${JSON.stringify({ server, token: isInKeychain ? null : token })}\n`, {
    mode: 0o600,
    flag: 'wx',
  })
  chmodSync(next, 0o600)
  renameSync(next, path)
  return isInKeychain ? null : path
}

/** The saved login. Throws a `Problem` if there is none. */
export function readLogin(): Login {
  const saved = readFile()
  if (!saved) throw new Problem(EXIT.signedOut, texts.signedOut())
  // A file that was edited by hand must not send the token by http.
  const server = parseServer(saved.server)
  return { server, token: saved.token ?? readFromKeychain(server) }
}

/** The server of the saved login, if there is one. */
export function savedServer(): string | null {
  return readFile()?.server ?? null
}

/** Deletes the saved login. Idempotent. Returns false if the keychain did not delete the token. */
export function deleteLogin(): boolean {
  const saved = readFile()
  const isDeleted = saved?.token !== null || deleteFromKeychain(saved.server)
  rmSync(loginFile(), { force: true })
  return isDeleted
}

function readFile(): v.InferOutput<typeof SavedLogin> | null {
  const path = loginFile()
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return null
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
    throw new Problem(EXIT.signedOut, texts.fileReadable({ path }))
  }
  const content = v.safeParse(SavedLogin, parsed(readFileSync(path, 'utf8')))
  if (!content.success) throw new Problem(EXIT.signedOut, texts.fileDamaged({ path }))
  return content.output
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function loginFile(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env
  return join(XDG_CONFIG_HOME || APPDATA || join(homedir(), '.config'), 'deeb', 'login.json')
}
