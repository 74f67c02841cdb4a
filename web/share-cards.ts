import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { LANGUAGES } from '../core/src/languages.ts'
import { renderPage } from './static-pages.ts'

const WEB = fileURLToPath(new URL('.', import.meta.url))

/** The style sheets of the cards. A change of them makes the pictures outdated. */
const SOURCES = ['src/marketing/styles/share.css', 'src/marketing/styles/site.css', 'src/marketing/styles/type.css']

/** The file with the fingerprint of the sources that the committed pictures were made from. */
export const FINGERPRINT = `${WEB}share-cards.sha256`

/** The folder of the pictures. They are served as static files. */
export const PICTURES = `${WEB}public/`

/** A SHA-256 digest of all sources of the pictures. If it differs from the stored one, the pictures are outdated. */
export async function fingerprint(): Promise<string> {
  const sources = [...SOURCES, 'public/icon.svg'].map((name) => readFile(WEB + name, 'utf8'))
  const cards = LANGUAGES.map((language) => renderPage('share-cards', language))
  const parts = await Promise.all([...cards, ...sources])
  const hash = createHash('sha256')
  // Git on Windows may have checked the files out with CRLF.
  for (const part of parts) hash.update(part.replaceAll('\r\n', '\n')).update('\0')
  return hash.digest('hex')
}

/** Serves the cards and the icon from a Vite server on a free port. Returns their URLs. */
export async function serveShareCards(): Promise<{ cards: string; icon: string; close(): Promise<void> }> {
  const vite = await createServer({ root: WEB, configFile: `${WEB}vite.config.ts`, server: { port: 0 } })
  await vite.listen()
  const origin = vite.resolvedUrls?.local[0] ?? ''
  return { cards: `${origin}share-cards.html`, icon: `${origin}icon.svg`, close: () => vite.close() }
}
