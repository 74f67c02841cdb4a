/** The request of the extension of the browser, in the fragment of its link to Connected apps. */
export interface BrowserConnection {
  /** The page of the extension that takes the token. */
  back: string
  key: CryptoKey
}

/** A page of an extension. Nothing else gets a token by a link. */
const EXTENSION_PAGE = /^(chrome|moz)-extension:\/\/[\w-]+\/connected\.html$/

/** Reads the fragment, and takes it out of the address. Null without one that is whole. */
export async function takeBrowserConnection(): Promise<BrowserConnection | null> {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const back = fragment.get('connect')
  if (back === null) return null
  history.replaceState(history.state, '', location.pathname)
  if (!EXTENSION_PAGE.test(back)) return null
  const spki = Uint8Array.from(atob(fragment.get('key') ?? ''), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('spki', spki, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt'])
  return { back, key }
}

/** Opens the page of the extension with the token, which only the extension can read: addresses stay in the history. */
export async function giveToken({ back, key }: BrowserConnection, token: string): Promise<void> {
  const encrypted = await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, key, new TextEncoder().encode(token))
  location.assign(`${back}#${btoa(String.fromCharCode(...new Uint8Array(encrypted)))}`)
}
