import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { compileTexts } from '../../scripts/texts.js'

const WEB = fileURLToPath(new URL('../../web/', import.meta.url))

/** Builds the web for native apps of `server`, an origin, into `folder`: one page, and the app in each language. */
export async function buildNativeCopy(server, folder) {
  compileTexts()
  process.env.DEEB_SERVER = server
  await build({
    ...{ root: WEB, configFile: `${WEB}vite.config.ts`, mode: 'native', logLevel: 'warn' },
    build: { outDir: relative(WEB, folder) },
  })
}
