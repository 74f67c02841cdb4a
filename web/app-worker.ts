import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { appPageUrl, workerPath } from '../core/src/paths.ts'
import { oneLanguage } from './one-language.ts'
import { isAtRoot } from './page-language.ts'

const WORKER = fileURLToPath(new URL('worker/app-worker.ts', import.meta.url))
const ICON = new URL('public/icon.svg', import.meta.url)

/** At the root of the origin: the scope of a service worker cannot reach above its own folder. */
const workerFile = (language: string) => workerPath(isAtRoot(language) ? 'en' : language).slice(1)

/** Only the native apps load these. */
const NATIVE = '/src/native/'

interface AppFile {
  url: string
  /** Null if the name already contains a hash of the content. */
  revision: string | null
}

type Bundle = Rolldown.OutputBundle

/**
 * Builds the service worker with its precache list: the app's page and every file that it loads. Not @serwist/vite: it would
 * precache the public pages too, and request the app's page as `/app.html`, which the server does not serve.
 */
export function appWorker(language: string): Plugin {
  return {
    name: 'deeb-app-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const source = await buildWorker(language, appFiles(language, bundle))
        this.emitFile({ type: 'asset', fileName: workerFile(language), source })
      },
    },
  }
}

async function buildWorker(language: string, files: AppFile[]): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: {
      __APP_FILES__: JSON.stringify(files),
      __LANGUAGE__: JSON.stringify(language),
      'process.env.NODE_ENV': '"production"',
    },
    plugins: [oneLanguage(language)],
    resolve: { conditions: ['deeb-source', 'module', 'browser'] },
    build: {
      write: false,
      rolldownOptions: { input: WORKER, output: { format: 'iife' } },
    },
  })
  const [worker] = [result].flat().flatMap((built) => ('output' in built ? built.output : []))
  if (worker?.type !== 'chunk') throw new Error('The worker was not built.')
  return worker.code
}

/** The precache list: every file that app.html loads, on start or later by a dynamic import. */
function appFiles(language: string, bundle: Bundle): AppFile[] {
  const names = new Set<string>()
  const entry = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/app.html') && file.isEntry,
  )
  const page = bundle['app.html']
  if (!entry || page?.type !== 'asset') throw new Error('The bundle has no app.html.')
  collect(bundle, entry.fileName, names)
  return [
    { url: appPageUrl(language), revision: digest(page.source) },
    { url: '/icon.svg', revision: digest(readFileSync(ICON)) },
    ...[...names].sort().map((name) => ({ url: `/${name}`, revision: null })),
  ]
}

/** Adds the chunk `name` and all its dependencies to `names`. Files that only native apps load are left out. */
function collect(bundle: Bundle, name: string, names: Set<string>): void {
  const chunk = bundle[name]
  if (names.has(name) || chunk?.type !== 'chunk' || chunk.facadeModuleId?.includes(NATIVE)) return
  names.add(name)
  for (const css of chunk.viteMetadata?.importedCss ?? []) {
    names.add(css)
    for (const font of filesNamedIn(bundle, css)) names.add(font)
  }
  for (const asset of chunk.viteMetadata?.importedAssets ?? []) names.add(asset)
  for (const next of [...chunk.imports, ...chunk.dynamicImports]) collect(bundle, next, names)
}

/** The names of the fonts and pictures that a style sheet refers to. */
function filesNamedIn(bundle: Bundle, css: string): string[] {
  const sheet = bundle[css]
  const text = sheet?.type === 'asset' ? sheet.source.toString() : ''
  return Object.keys(bundle).filter((name) => name !== css && text.includes(name.replace(/^.*\//, '')))
}

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}
