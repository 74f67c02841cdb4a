import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'
import { appPageUrl, workerPath } from '../core/src/paths.ts'
import { appPageIn, type MarkedBuild } from './languages.ts'

const FIRST_SCRIPT = fileURLToPath(new URL('src/calls/first-script.ts', import.meta.url))
const WORKER = fileURLToPath(new URL('worker/app-worker.ts', import.meta.url))
const ICON = new URL('public/icon.svg', import.meta.url)

/** Only the native apps load these. */
const NATIVE = '/src/native/'

type Bundle = Rolldown.OutputBundle

/**
 * Writes the page of the app in each language, and its service worker with its precache list: the page and every file that it loads. Not
 * @serwist/vite: it would precache the public pages too, and request the page as `/app.html`, which the server does not serve.
 */
export function appPages(define: Record<string, string>) {
  return async ({ tags, bundle, nameIn, pagesOf, scriptsOf, bundleMarked, emit }: MarkedBuild): Promise<void> => {
    const page = takePage(bundle)
    const firstIn = scriptsOf(await bundleMarked(FIRST_SCRIPT, define))
    const files = appFiles(bundle)
    const workerIn = scriptsOf(await bundleMarked(WORKER))
    for (const tag of tags) {
      // In the page itself: it asks for the data of the first screen while the app is loaded.
      const script = `<script>${(await firstIn(tag)).trim()}</script>`
      const own = nameIn(tag, appPageIn(tag, page)).replace('<head>', () => `<head>\n    ${script}`)
      // A pseudo-locale takes the place of English.
      const language = pagesOf(tag) === '' ? 'en' : tag
      const precached = [
        { url: appPageUrl(language), revision: digest(own) },
        { url: '/icon.svg', revision: digest(readFileSync(ICON)) },
        // Their names have a hash of the content.
        ...files.map((name) => ({ url: `/${nameIn(tag, name)}`, revision: null })),
      ]
      emit(`${pagesOf(tag)}app.html`, own)
      emit(workerPath(language).slice(1), await workerIn(tag, { __APP_FILES__: JSON.stringify(precached) }))
    }
  }
}

/** Removes the built page of the app from a bundle and returns its HTML. */
export function takePage(bundle: Bundle): string {
  const page = bundle['app.html']
  if (page?.type !== 'asset') throw new Error('The bundle has no app.html.')
  delete bundle['app.html']
  return String(page.source)
}

/** The names of all files that the page of the app loads, on start or later by a dynamic import. */
function appFiles(bundle: Bundle): string[] {
  const names = new Set<string>()
  collect(bundle, appEntry(bundle).fileName, names)
  return [...names].sort()
}

/** The script that the page of the app loads. */
export function appEntry(bundle: Bundle): Rolldown.OutputChunk {
  const entry = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.isEntry && file.facadeModuleId?.endsWith('/app.html'),
  )
  if (entry?.type !== 'chunk') throw new Error('The bundle has no script of app.html.')
  return entry
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
