import { readFileSync } from 'node:fs'
import * as pageTexts from '@deeb/texts/page'
import { VERSION } from 'rolldown'
import { minify, transform } from 'rolldown/utils'
import { build, type Plugin, type Rolldown } from 'vite'
import { directionOf } from '../core/src/languages.ts'
import { markedTexts } from '../scripts/texts.js'

const TEXTS = '@deeb/texts/'
/** In the names of scripts, the folder in whose place each language has its own. */
const MARKED = 'assets/marked/'
/** They have no texts: all languages have the same files. */
const SHARED = ['framework', 'rolldown-runtime']
const PLACEHOLDER = /%(\w+)%/g
const MAKER = [
  VERSION,
  ...['languages.ts', '../scripts/texts.js'].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')),
].join()

/** One build before it becomes a build of each language. */
export interface MarkedBuild {
  tags: readonly string[]
  /** Its scripts have a global variable in place of each text and of the language. */
  bundle: Rolldown.OutputBundle
  /** The name of a file, or a text with such names, in a language. */
  nameIn(tag: string, name: string): string
  /** The folder of the pages in a language: the root of the build for the first one. */
  pagesOf(tag: string): string
  /** Makes a script, minified, in a language. `more` are the sources of further global variables. */
  scriptsOf(code: string): (tag: string, more?: Record<string, string>) => Promise<string>
  /** Bundles a script that is one file of its own. */
  bundleMarked(input: string, define?: Record<string, string>): Promise<string>
  emit(fileName: string, source: string): void
}

/** The name of a built script. */
export function scriptName({ name }: { name: string }): string {
  return `${SHARED.includes(name) ? 'assets/' : MARKED}[name]-[hash].js`
}

/** The page of the app in a language: its texts, `lang` and `dir`. `html` has English ones and placeholders such as `%noScript%`. */
export function appPageIn(tag: string, html: string): string {
  const texts: Record<string, (inputs: object, options: { locale: string }) => string> = pageTexts
  return html
    .replace('<html lang="en">', `<html lang="${tag}"${directionOf(tag) === 'rtl' ? ' dir="rtl"' : ''}>`)
    .replaceAll(PLACEHOLDER, (placeholder, key: string) => texts[key]?.({}, { locale: tag }) ?? placeholder)
}

/**
 * Makes one build a build of each language: writes a copy of its scripts per language. `emitPages` add the pages and all else that differs.
 * Five builds would take five times as long, and texts that a script loads would delay the first paint.
 */
export function languages(tags: readonly string[], emitPages: ((build: MarkedBuild) => Promise<void>)[]): Plugin[] {
  const { modules, valuesOf } = markedTexts()
  const values = new Map<string, Record<string, string>>(
    tags.map((tag) => [tag, { ...valuesOf(tag), __LANGUAGE__: JSON.stringify(tag) }]),
  )
  const names = [...new Set([...values.values()].flatMap(Object.keys))]
  const texts: Plugin = {
    name: 'deeb-marked-texts',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(TEXTS) && id.slice(TEXTS.length) in modules ? `\0${id}` : null),
    load: (id) => (id.startsWith(`\0${TEXTS}`) ? modules[id.slice(TEXTS.length + 1)] : null),
  }
  const nameIn = (tag: string, name: string) => name.replaceAll(MARKED, `assets/${tag}/`)
  const scriptsOf = (code: string) => {
    const used = names.filter((name) => code.includes(name))
    return (tag: string, more: Record<string, string> = {}) => {
      const own = used.map((name) => [name, values.get(tag)?.[name]])
      return withValues(code, { ...Object.fromEntries(own), ...more })
    }
  }
  const copies: Plugin = {
    name: 'deeb-languages',
    enforce: 'post',
    // The name of a file has a hash of its content before the values are in, so what puts them in belongs to it.
    augmentChunkHash: () => MAKER,
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const emit = (fileName: string, source: string) => void this.emitFile({ type: 'asset', fileName, source })
        const pagesOf = (tag: string) => (tag === tags[0] ? '' : `${tag}/`)
        const bundleMarked = (input: string, define?: Record<string, string>) => bundleScript(input, texts, define)
        for (const emitPage of emitPages)
          await emitPage({ tags, bundle, nameIn, pagesOf, scriptsOf, bundleMarked, emit })
        const scripts = Object.values(bundle).filter((file) => file.type === 'chunk')
        const copied = scripts.flatMap((script) => {
          const scriptIn = scriptsOf(script.code)
          return tagsOf(script).map(async (tag) => [nameIn(tag, script.fileName), await scriptIn(tag)] as const)
        })
        for (const { fileName } of scripts) delete bundle[fileName]
        for (const [name, code] of await Promise.all(copied)) emit(name, code)
      },
    },
  }
  const tagsOf = ({ fileName, imports }: Rolldown.OutputChunk) => {
    if (fileName.startsWith(MARKED)) return tags
    if (imports.some((name) => name.startsWith(MARKED))) throw new Error(`${fileName} imports a script with texts.`)
    return tags.slice(0, 1)
  }
  return [texts, copies]
}

/** Bundles a script into one file, not minified. */
async function bundleScript(input: string, texts: Plugin, define: Record<string, string> = {}): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { ...define, 'process.env.NODE_ENV': '"production"' },
    plugins: [texts],
    build: { write: false, minify: false, rolldownOptions: { input, output: { format: 'iife' } } },
  })
  const [script] = [result].flat().flatMap((built) => ('output' in built ? built.output : []))
  if (script?.type !== 'chunk') throw new Error(`${input} was not bundled.`)
  return script.code
}

/** Puts values in place of global variables, and minifies. */
async function withValues(code: string, define: Record<string, string>): Promise<string> {
  const { code: whole, errors } = await transform('script.js', code, { define })
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  const minified = await minify('script.js', whole, { module: true })
  if (minified.errors.length > 0) throw new Error(minified.errors.map(({ message }) => message).join('\n'))
  return minified.code
}
