import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { renderPage } from './static-pages.ts'

const WEB = fileURLToPath(new URL('.', import.meta.url))

/** What the cards look like is decided here, beside their markup. */
const SOURCES = ['src/marketing/styles/share.css', 'src/marketing/styles/site.css', 'src/marketing/styles/type.css']

/** Where the fingerprint of what the pictures were taken of is kept. */
export const FINGERPRINT = `${WEB}share-cards.sha256`

/** Where the pictures are kept, to be served as they are. */
export const PICTURES = `${WEB}public/`

/** A digest of all that the pictures are taken of. When it is another than the kept one, they are out of date. */
export async function fingerprint(): Promise<string> {
  const sources = [...SOURCES, 'public/icon.svg'].map((name) => readFile(WEB + name, 'utf8'))
  const parts = await Promise.all([renderPage('src/marketing/ShareCards.tsx'), ...sources])
  const hash = createHash('sha256')
  // Windows may have checked the files out with line ends of its own.
  for (const part of parts) hash.update(part.replaceAll('\r\n', '\n')).update('\0')
  return hash.digest('hex')
}

/** The cards and the icon on a server of their own, which nobody else meets. */
export async function serveShareCards(): Promise<{ cards: string; icon: string; close(): Promise<void> }> {
  const vite = await createServer({ root: WEB, configFile: `${WEB}vite.config.ts`, server: { port: 0 } })
  await vite.listen()
  const origin = vite.resolvedUrls?.local[0] ?? ''
  return { cards: `${origin}share-cards.html`, icon: `${origin}icon.svg`, close: () => vite.close() }
}
