import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const WEB = join(ROOT, 'web')
/** Emptied when a run begins. */
const RESULTS = join(ROOT, 'e2e/test-results')

type BuiltLanguage = 'en' | 'en-XA' | 'ar-XB'

/** A copy of the built server with its own build of the web. */
export interface OwnBuild {
  /** The built server. */
  dist: string
  /** Replaces the web by that version, in English or a pseudo-locale. */
  buildWeb(version: string, language?: BuiltLanguage): Promise<void>
  dispose(): Promise<void>
}

export async function ownBuild(): Promise<OwnBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-build-'))
  const copied = ['dist', 'schema', 'migrations', 'data', 'outbox-page', 'package.json'].map((name) =>
    cp(join(ROOT, 'server', name), join(folder, 'server', name), { recursive: true }),
  )
  await Promise.all([...copied, symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')])
  return {
    dist: join(folder, 'server', 'dist'),
    async buildWeb(version, language = 'en') {
      const web = join(folder, 'web', 'dist')
      await rm(web, { recursive: true, force: true })
      await cp(await builtWeb(version, language), web, { recursive: true })
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The folder of a build that all journeys of a run share. */
async function builtWeb(version: string, language: BuiltLanguage): Promise<string> {
  const folder = join(RESULTS, `web-${version}-${language}`)
  if (existsSync(folder)) return folder
  await mkdir(RESULTS, { recursive: true })
  const own = await mkdtemp(join(RESULTS, 'web-'))
  process.env.DEEB_LANGUAGE = language
  await build({
    root: WEB,
    configFile: join(WEB, 'vite.config.ts'),
    logLevel: 'error',
    define: { __APP_VERSION__: JSON.stringify(version) },
    build: { outDir: relative(WEB, own), emptyOutDir: true },
  })
  // Another worker may have built the same.
  await rename(own, folder).catch(() => rm(own, { recursive: true }))
  return folder
}
