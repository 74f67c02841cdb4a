import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { appWorker } from './app-worker.ts'
import { devPages } from './dev-pages.ts'
import { nativePage } from './native-page.ts'
import { precompress } from './precompress.ts'
import { staticPages } from './static-pages.ts'
import { withoutSummaries } from './without-summaries.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }
/** With `--mode native`: the origin of the server that the native copy is for. */
const SERVER = process.env.DEEB_SERVER ?? ''
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

/** Small files that most signed-in screens share, in one chunk. Otherwise each would become its own chunk. */
const STATS_CHUNK = {
  name: 'stats',
  test: /\/src\/stats\/(ring|stats-queries|status|week)\.ts$/,
  includeDependenciesRecursively: false,
}

/** React, in one chunk. Otherwise small parts that do not need all of it split it into several. */
const REACT_CHUNK = { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// }

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
  return {
    appType: 'mpa',
    define: { __APP_VERSION__: JSON.stringify(version), __SERVER__: JSON.stringify(isNative ? SERVER : '') },
    resolve: {
      conditions: ['deeb-source', 'module', 'browser', 'development|production'],
      // A thirtieth of its size. In tests and on the dev server it is zod itself.
      alias: command === 'build' ? { 'zod/mini': fileURLToPath(new URL('../core/src/shape.ts', import.meta.url)) } : {},
    },
    plugins: [
      react(),
      tailwindcss(),
      withoutSummaries(),
      ...(isNative ? [nativePage(SERVER)] : [staticPages(), devPages(API), appWorker(), precompress()]),
    ],
    publicDir: isNative ? false : 'public',
    build: {
      rolldownOptions: {
        onLog(level, log, report) {
          // Shapes that use more of zod than core/src/shape.ts has.
          if (log.code === 'IMPORT_IS_UNDEFINED') throw new Error(log.message)
          report(level, log)
        },
        input: isNative ? ['app.html'] : ['app.html', ...SITE_PAGES],
        output: { codeSplitting: { groups: [STATS_CHUNK, TEAM_CHUNK, CIRCLES_CHUNK, REPORT_CHUNK, REACT_CHUNK] } },
      },
      // A preload polyfill would be an inline script; every browser that runs the app knows modulepreload.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  }
})
