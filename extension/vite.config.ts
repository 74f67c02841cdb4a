import { readFileSync } from 'node:fs'
import * as texts from '@deeb/texts/extension'
import { setLanguage } from '@deeb/texts/runtime'
import { defineConfig, type Plugin } from 'vite'
import { LANGUAGES } from '../core/src/languages.ts'

const PAGES = ['page', 'nudge', 'quiet', 'connected']

export default defineConfig({
  logLevel: 'warn',
  plugins: [manifest()],
  build: {
    emptyOutDir: true,
    reportCompressedSize: false,
    // The browsers of the manifest.
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: {
        away: 'src/away.ts',
        background: 'src/background.ts',
        ...Object.fromEntries(PAGES.map((name) => [name, `${name}.html`])),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
})

/** Writes the manifest with the version, and its texts in each language. */
function manifest(): Plugin {
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
  return {
    name: 'manifest',
    generateBundle() {
      const { version } = read('package.json')
      this.emitFile({
        type: 'asset',
        fileName: 'manifest.json',
        source: JSON.stringify({ ...read('manifest.json'), version }),
      })
      for (const language of LANGUAGES) {
        setLanguage(language)
        const messages = { name: { message: texts.name() }, description: { message: texts.description() } }
        this.emitFile({
          type: 'asset',
          fileName: `_locales/${language}/messages.json`,
          source: JSON.stringify(messages),
        })
      }
    },
  }
}
