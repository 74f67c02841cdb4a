import { readFileSync } from 'node:fs'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { LANGUAGES } from '../core/src/languages.ts'
import { appPages } from './app-pages.ts'
import { chunkOf, TOGETHER } from './chunks.ts'
import { compressed } from './compressed.ts'
import { devPages } from './dev-pages.ts'
import { languages, scriptName } from './languages.ts'
import { nativePage } from './native-page.ts'
import { STATIC_PAGE_SOURCES, staticPages } from './static-pages.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }
/** With `--mode native`: the origin of the server that the native copy is for. */
const SERVER = process.env.DEEB_SERVER ?? ''
/** In tests a pseudo-locale, in place of English. */
const TAGS = process.env.DEEB_LANGUAGE ? [process.env.DEEB_LANGUAGE] : LANGUAGES
const API = process.env.DEEB_API ?? 'http://localhost:3000'

/** The chunks that the first paint needs. */
const FIRST_PAINT_CHUNKS = { name: chunkOf, debugName: 'first paint', includeDependenciesRecursively: false }

export default defineConfig(({ mode, command }) => {
  const isNative = mode === 'native'
  const define = {
    __APP_VERSION__: JSON.stringify(version),
    __SERVER__: JSON.stringify(isNative ? SERVER : ''),
  }
  return {
    appType: 'mpa',
    // The language stays a global variable until languages.ts copies the scripts. The dev server has all languages.
    define: { ...define, ...(command === 'build' ? {} : { __LANGUAGE__: '""' }) },
    plugins: [
      react(),
      tailwindcss(),
      devPages(API),
      ...(command === 'build'
        ? languages(TAGS, isNative ? [nativePage(SERVER)] : [staticPages, appPages(define)])
        : []),
      // The server compresses what the build has not compressed.
      ...(process.env.DEEB_RELEASE ? [compressed()] : []),
    ],
    publicDir: isNative ? false : 'public',
    // Scripts name each other relatively, so that the copies of a language name those of the same language.
    experimental: { renderBuiltUrl: (_name, { hostType }) => (hostType === 'js' ? { relative: true } : undefined) },
    build: {
      emptyOutDir: true,
      // languages.ts does it, when the texts are in.
      minify: false,
      cssMinify: true,
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: isNative ? ['app.html'] : ['app.html', ...STATIC_PAGE_SOURCES],
        output: {
          entryFileNames: scriptName,
          chunkFileNames: scriptName,
          codeSplitting: { groups: [FIRST_PAINT_CHUNKS, ...TOGETHER] },
        },
      },
      // A preload polyfill would be an inline script; every browser that runs the app knows modulepreload.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  }
})
