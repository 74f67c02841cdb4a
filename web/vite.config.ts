import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { appWorker } from './app-worker.ts'
import { chunkOf } from './chunks.ts'
import { devPages } from './dev-pages.ts'
import { firstScript } from './first-script.ts'
import { nativePage } from './native-page.ts'
import { oneLanguage } from './one-language.ts'
import { isAtRoot, languageFolder, pageLanguage } from './page-language.ts'
import { precompress } from './precompress.ts'
import { staticPages } from './static-pages.ts'
import { withoutSummaries } from './without-summaries.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }
/** With `--mode native`: the origin of the server that the native copy is for. */
const SERVER = process.env.DEEB_SERVER ?? ''
/** The language of this build, in tests a pseudo-locale; `build.js` makes one after the other. The dev server has all of them. */
const LANGUAGE = process.env.DEEB_LANGUAGE ?? 'en'
const API = process.env.DEEB_API ?? 'http://localhost:3000'

/** Static pages. Each is rendered from the component that its placeholder names. */
const SITE_PAGES = [
  'index.html',
  'companiesLP4358.html',
  'teamsLP678.html',
  'coming-soon.html',
  'waitlist.html',
  'privacy.html',
  'terms.html',
  'imprint.html',
  'unsubscribe.html',
  'sign.html',
  'not-found.html',
]

/** What the first paint needs. */
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

/** The page of the company and its parts on other screens, for the same reason. */
const REPORT_CHUNK = {
  name: 'report',
  test: /web\/src\/(company-page|download|report\/(?!ReportStart)|ui\/(BandLine|ShareBars|charts))/,
  includeDependenciesRecursively: false,
}

export default defineConfig(({ mode, command }) => {
  const isNative = mode === 'native'
  const language = command === 'build' ? LANGUAGE : ''
  const define = {
    __APP_VERSION__: JSON.stringify(version),
    __SERVER__: JSON.stringify(isNative ? SERVER : ''),
    __LANGUAGE__: JSON.stringify(language),
  }
  return {
    appType: 'mpa',
    define,
    resolve: {
      conditions: ['deeb-source', 'module', 'browser', 'development|production'],
      // A thirtieth of its size. In tests and on the dev server it is zod itself.
      alias: command === 'build' ? { 'zod/mini': fileURLToPath(new URL('../core/src/shape.ts', import.meta.url)) } : {},
    },
    plugins: [
      react(),
      tailwindcss(),
      withoutSummaries(),
      ...(language ? [oneLanguage(language), pageLanguage(language)] : []),
      ...(isNative
        ? [nativePage(SERVER, language)]
        : [
            staticPages(language),
            devPages(API),
            firstScript(define),
            appWorker(language),
            languageFolder(language),
            precompress(),
          ]),
    ],
    publicDir: isNative || !isAtRoot(language) ? false : 'public',
    build: {
      // The builds of all languages share a folder. Files without texts are the same, with the same hash in their names.
      emptyOutDir: isAtRoot(language),
      rolldownOptions: {
        onLog(level, log, report) {
          // Shapes that use more of zod than core/src/shape.ts has.
          if (log.code === 'IMPORT_IS_UNDEFINED') throw new Error(log.message)
          report(level, log)
        },
        input: isNative ? ['app.html'] : ['app.html', ...SITE_PAGES],
        output: { codeSplitting: { groups: [FIRST_PAINT_CHUNKS, TEAM_CHUNK, CIRCLES_CHUNK, REPORT_CHUNK] } },
      },
      // A preload polyfill would be an inline script; every browser that runs the app knows modulepreload.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  }
})
