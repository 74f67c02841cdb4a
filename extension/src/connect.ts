import { APP_PATHS } from '@deeb/core/paths'
import { keep, readCurrent, setCurrent } from './storage.ts'

const KEY = { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }
const PENDING_MS = 15 * 60_000

/**
 * The address of the app's screen that connects this browser. It has a new public key: the app returns the token encrypted for it, since
 * addresses stay in the history.
 */
export async function beginConnection(server: string): Promise<string> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(KEY, true, ['encrypt', 'decrypt'])
  const key = await crypto.subtle.exportKey('jwk', privateKey)
  await setCurrent({ pending: { key, server, at: Date.now() } })
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
  const fragment = new URLSearchParams({ connect: chrome.runtime.getURL('connected.html'), key: base64(spki) })
  return `${server}${APP_PATHS.settings}/apps#${fragment}`
}

/** Keeps the token that the app has encrypted for the connection that has begun. Returns false for anything else, and the second time. */
export async function finishConnection(encrypted: string): Promise<boolean> {
  const { pending } = await readCurrent()
  if (!pending || Date.now() - pending.at > PENDING_MS) return false
  const key = await crypto.subtle.importKey('jwk', pending.key, KEY, false, ['decrypt'])
  const token = await crypto.subtle.decrypt(KEY, key, bytes(encrypted)).then(
    (decrypted) => new TextDecoder().decode(decrypted),
    () => null,
  )
  if (!token?.startsWith('deeb_pat_')) return false
  await setCurrent({ pending: null })
  await keep({ login: { server: pending.server, token } })
  return true
}

function base64(data: Uint8Array): string {
  return btoa(String.fromCharCode(...data))
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
