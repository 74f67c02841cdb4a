import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const TEXTS = '@deeb/texts/'

/** Resolves texts to those of one language, so that a build contains no other. `tag` may be a pseudo-locale. */
export function oneLanguage(tag: string): Plugin {
  return {
    name: 'deeb-one-language',
    enforce: 'pre',
    resolveId(id) {
      if (!id.startsWith(TEXTS)) return null
      return fileURLToPath(new URL(`../texts/dist/${id.slice(TEXTS.length)}/${tag}.js`, import.meta.url))
    },
  }
}
