import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const WEB = join(ROOT, 'web')

/** A copy of the built server with its own build of the web. */
export interface OwnBuild {
  /** The built server. */
  dist: string
  /** Builds the web again as that version, with English or a pseudo-locale. */
  buildWeb(version: string, language?: 'en' | 'en-XA' | 'ar-XB'): Promise<void>
  dispose(): Promise<void>
}

export async function ownBuild(): Promise<OwnBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-build-'))
  const copied = ['dist', 'migrations', 'data', 'outbox-page', 'package.json'].map((name) =>
    cp(join(ROOT, 'server', name), join(folder, 'server', name), { recursive: true }),
  )
  await Promise.all([...copied, symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')])
  return {
    dist: join(folder, 'server', 'dist'),
    async buildWeb(version, language = 'en') {
      process.env.DEEB_LANGUAGE = language
      await build({
        root: WEB,
        configFile: join(WEB, 'vite.config.ts'),
        logLevel: 'warn',
        define: { __APP_VERSION__: JSON.stringify(version) },
        build: { outDir: relative(WEB, join(folder, 'web', 'dist')), emptyOutDir: true },
      })
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}
