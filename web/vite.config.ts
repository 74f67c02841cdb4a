import { readFileSync } from 'node:fs'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { LANGUAGES } from '../core/src/languages.ts'
import { appPages } from './app-pages.ts'
import { chunkOf } from './chunks.ts'
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

/** Parts of the team that the circles use too, and the screens of circles. The first visit has the name of every chunk. */
const TEAM_CHUNK = {
  name: 'team',
  test: /web\/src\/team\/(copy-link|members|team-edits|team-queries|visible-from)\.ts$/,
  includeDependenciesRecursively: false,
}
const CIRCLES_CHUNK = {
  name: 'circles',
  test: /web\/src\/circles\/(?!ShareDialog)/,
  includeDependenciesRecursively: false,
}

/** The part of Settings for cases, for the same reason. */
const CASES_CHUNK = {
  name: 'cases',
  test: /web\/src\/cases\/(?!use-tap|TappedCase)|core\/src\/(cases\/|link-secret)/,
  includeDependenciesRecursively: false,
}

/** Dialogs, and the form for an address: small files that are always loaded together. */
const DIALOGS_CHUNK = {
  name: 'dialogs',
  test: /web\/src\/ui\/(Dialog|FormDialog|dialog|use-focus-after-removal|use-modal)\b/,
  includeDependenciesRecursively: false,
}
const ADDRESS_CHUNK = {
  name: 'address',
  test: /web\/src\/account\/(Address|EmailForm|use-email-request)\b/,
  includeDependenciesRecursively: false,
}

/** The page of the company and its parts on other screens, for the same reason. */
const REPORT_CHUNK = {
  name: 'report',
  test: /web\/src\/(company-page|download|report\/(?!ReportStart)|ui\/(BandLine|ShareBars|charts))/,
  includeDependenciesRecursively: false,
}

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
          codeSplitting: {
            groups: [
              FIRST_PAINT_CHUNKS,
              TEAM_CHUNK,
              CIRCLES_CHUNK,
              CASES_CHUNK,
              DIALOGS_CHUNK,
              ADDRESS_CHUNK,
              REPORT_CHUNK,
            ],
          },
        },
      },
      // A preload polyfill would be an inline script; every browser that runs the app knows modulepreload.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  }
})
