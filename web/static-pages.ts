import { fileURLToPath } from 'node:url'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type HtmlTagDescriptor, type Plugin, runnerImport } from 'vite'
import { isLanguage, LANGUAGE_QUERY, type Language } from '../core/src/languages.ts'
import { siteLanguageOf } from '../core/src/paths.ts'
import { oneLanguage } from './one-language.ts'

const PLACEHOLDER = /<!-- page: (\S+) -->/

/** The one font file of the static pages. */
const FONT = /hanken-grotesk-latin-wght-normal/

/** A module that static pages import lazily, by the name in their markup. */
const LAZY_MODULE = 'src/ui/toast.ts'

/**
 * Replaces `<!-- page: src/marketing/XPage.tsx -->` in an HTML entry with the static markup of that file's component, in dev
 * and in the build. The component's script does not reach the browser. A build has one language; in dev the URL says which.
 */
export function staticPages(language: string): Plugin[] {
  return [fillPages(language), nameBuiltFiles()]
}

function fillPages(language: string): Plugin {
  return {
    name: 'deeb-static-pages',
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { originalUrl = '' }) {
        const [placeholder, path] = PLACEHOLDER.exec(html) ?? []
        if (!placeholder || !path) return html
        const markup = await renderPage(path, language || languageOfUrl(originalUrl))
        return html.replace(placeholder, () => markup)
      },
    },
  }
}

/** Adds the file names that are known at the end of the build: a preload of the font, and the lazily imported module. */
function nameBuiltFiles(): Plugin {
  return {
    name: 'deeb-static-pages-built-files',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: LAZY_MODULE, preserveSignature: 'strict' })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        if (!html.includes(LAZY_MODULE)) return html
        const files = Object.values(bundle)
        const font = files.find(({ fileName }) => FONT.test(fileName))
        const lazy = files.find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(LAZY_MODULE))
        if (!font || !lazy) throw new Error('The bundle has no font or no toast module for the static pages.')
        return { html: html.replace(LAZY_MODULE, lazy.fileName), tags: [preload(font.fileName)] }
      },
    },
  }
}

/** Renders the component that `path`, relative to this folder, exports under its file's name. */
export async function renderPage(path: string, language: string): Promise<string> {
  const module = await importModule<Record<string, FunctionComponent>>(path, language)
  const name = path.replace(/^.*\/(\w+)\.tsx$/, '$1')
  const page = module[name]
  if (!page) throw new Error(`${path} must export ${name}.`)
  return renderToStaticMarkup(createElement(page))
}

/** The language of a page on the dev server: that of its path, else that of its query. */
export function languageOfUrl(url: string): Language {
  const ofPath = siteLanguageOf(url)
  const asked = new URLSearchParams(url.split('?')[1]).get(LANGUAGE_QUERY)
  return ofPath === 'en' && isLanguage(asked) ? asked : ofPath
}

/** Imports a module from its source, with the texts of a language. `path` is relative to this folder. */
export async function importModule<Module>(path: string, language = 'en'): Promise<Module> {
  const { module } = await runnerImport<Module>(fileURLToPath(new URL(path, import.meta.url)), {
    configFile: false,
    define: { __LANGUAGE__: JSON.stringify(language) },
    plugins: [oneLanguage(language)],
    // Node itself would import core as it was built, and texts in all languages.
    environments: { inline: { resolve: { conditions: ['deeb-source'], noExternal: [/^@deeb\//] } } },
  })
  return module
}

function preload(file: string): HtmlTagDescriptor {
  const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' }
  return { tag: 'link', attrs, injectTo: 'head' }
}
