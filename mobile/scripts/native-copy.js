import { fileURLToPath } from 'node:url'
import { run } from '../../scripts/run.js'

const WEB = fileURLToPath(new URL('../../web', import.meta.url))

/** Builds the web for native apps of `server`, an origin, into `folder`. Throws if the build fails. */
export async function buildNativeCopy(server, folder) {
  const args = [
    'build',
    WEB,
    '--config',
    `${WEB}/vite.config.ts`,
    '--mode',
    'native',
    '--outDir',
    folder,
    '--emptyOutDir',
  ]
  const code = await run('vite', [...args, '--logLevel', 'warn'], { DEEB_SERVER: server })
  if (code !== 0) throw new Error('The native copy could not be built.')
}
