import { basename } from 'node:path'
import type { Plugin } from 'vite'
import { directionOf, isLanguage } from '../core/src/languages.ts'

const PLACEHOLDER = /%(\w+)%/g

/** Whether a build is at the root of its folder: English, and a pseudo-locale in its place. */
export function isAtRoot(tag: string): boolean {
  return tag === 'en' || !isLanguage(tag)
}

/** The page of the app in a language: its texts, `lang` and `dir`. `html` has English ones and placeholders such as `%noScript%`. */
export async function inLanguage(html: string, tag: string): Promise<string> {
  const texts: Record<string, () => string> = await import(
    new URL(`../texts/dist/page/${tag}.js`, import.meta.url).href
  )
  return html
    .replace('<html lang="en">', `<html lang="${tag}"${directionOf(tag) === 'rtl' ? ' dir="rtl"' : ''}>`)
    .replaceAll(PLACEHOLDER, (placeholder, key: string) => texts[key]?.() ?? placeholder)
}

/** Translates the page of the app. */
export function pageLanguage(tag: string): Plugin {
  return {
    name: 'deeb-page-language',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { path }) => (path === '/app.html' ? inLanguage(html, tag) : html),
    },
  }
}

/** Moves all pages of the build into the folder of its language. The last plugin that sees them. */
export function languageFolder(tag: string): Plugin {
  return {
    name: 'deeb-language-folder',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        if (isAtRoot(tag)) return
        for (const [name, page] of Object.entries(bundle)) {
          if (page.type !== 'asset' || !name.endsWith('.html')) continue
          delete bundle[name]
          this.emitFile({ type: 'asset', fileName: `${tag}/${basename(name)}`, source: page.source })
        }
      },
    },
  }
}
