import { spawnSync } from 'node:child_process'
import * as texts from '@deeb/texts/cli'
import { EXIT, Problem } from './exit.ts'

/** A password store of the operating system. The token goes through pipes: `ps` shows the arguments of all processes. */
interface Keychain {
  name: string
  read(server: string): string | null
  /** Whether the token was saved. */
  save(server: string, token: string): boolean
  /** Whether the token was deleted. */
  delete(server: string): boolean
}

/** A person may have to unlock the store first. */
const ANSWER_WITHIN_MS = 60_000

/** The keyring of GNOME or KDE, by `secret-tool` of libsecret. */
const SECRET_SERVICE: Keychain = {
  name: 'secret-tool',
  read: (server) => output('secret-tool', ['lookup', ...attributesOf(server)]),
  save: (server, token) =>
    output('secret-tool', ['store', '--label', texts.keychainLabel({ server }), ...attributesOf(server)], token) !==
    null,
  delete: (server) => output('secret-tool', ['clear', ...attributesOf(server)]) !== null,
}

/** The keychain of macOS. `-i` reads the command with the token from standard input. */
const MACOS: Keychain = {
  name: 'security',
  read: (server) => output('security', ['find-generic-password', '-s', 'deeb', '-a', server, '-w']),
  // A server is an origin and a token is letters, digits and underscores: neither has quotes.
  save: (server, token) =>
    output('security', ['-i'], `add-generic-password -U -s deeb -a "${server}" -w "${token}"\n`) !== null,
  delete: (server) => output('security', ['delete-generic-password', '-s', 'deeb', '-a', server]) !== null,
}

/** None on Windows, which would look for the program in the current folder first. */
function ownKeychain(): Keychain | null {
  if (process.platform === 'win32') return null
  return process.platform === 'darwin' ? MACOS : SECRET_SERVICE
}

/** Saves a token and reads it back. False if this computer has no keychain, or a locked one. */
export function saveInKeychain(server: string, token: string): boolean {
  const keychain = ownKeychain()
  return keychain?.save(server, token) === true && keychain.read(server) === token
}

export function readFromKeychain(server: string): string {
  const keychain = ownKeychain()
  const token = keychain?.read(server)
  if (token) return token
  throw new Problem(EXIT.signedOut, texts.keychainLacksToken({ keychain: keychain?.name ?? '-', server }))
}

/** False if it is locked, or cannot be reached. */
export function deleteFromKeychain(server: string): boolean {
  return ownKeychain()?.delete(server) ?? true
}

function attributesOf(server: string): string[] {
  return ['service', 'deeb', 'server', server]
}

/** Runs a program and returns its output, without the last line end; null if it is missing or fails. */
function output(program: string, args: string[], input = ''): string | null {
  const { status, stdout } = spawnSync(program, args, { input, encoding: 'utf8', timeout: ANSWER_WITHIN_MS })
  return status === 0 ? stdout.replace(/\n$/, '') : null
}
