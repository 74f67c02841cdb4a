import { appEntry, takePage } from './app-pages.ts'
import { appPageIn, type MarkedBuild } from './languages.ts'

/** The app's own files. Some web views do not match `'self'` against their custom scheme, so both origins are listed. */
const OWN = "'self' capacitor://localhost https://localhost"

/** The Content-Security-Policy as a meta tag: no server sends this page. See server/src/http/security-headers.ts. */
function contentSecurityPolicy(server: string): string {
  return [
    "default-src 'none'",
    `script-src ${OWN}`,
    `style-src ${OWN}`,
    `img-src ${OWN} data: blob:`,
    `font-src ${OWN}`,
    `connect-src ${OWN} ${server}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** Matches what the native page does not have: links and an inline script for browsers, and the files of one language. */
const OF_BROWSERS =
  /\s*<link rel="(?:icon|apple-touch-icon|manifest|modulepreload)"[^>]*>|\s*<script>.*?<\/script>|\s*<script type="module"[^>]*><\/script>/gs

/** Writes the only page of a native copy for `server`: the app's English page as `index.html`, where Capacitor expects it. */
export function nativePage(server: string) {
  if (!server) throw new Error('Set DEEB_SERVER to the origin of the server that the native copy is for.')
  return async ({ tags, bundle, nameIn, emit }: MarkedBuild): Promise<void> => {
    const entry = `/${appEntry(bundle).fileName}`
    emit('start.js', startScript(Object.fromEntries(tags.map((tag) => [tag, nameIn(tag, entry)]))))
    const policy = `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(server)}" />`
    const page = appPageIn('en', takePage(bundle))
      .replaceAll(OF_BROWSERS, '')
      .replace('<head>', `<head>\n    ${policy}`)
      .replace('</head>', '  <script type="module" src="/start.js"></script>\n  </head>')
    emit('index.html', page)
  }
}

/** The script of the page: starts the app in the language that the device has chosen (web/src/language/show-in.ts), else in its own. */
function startScript(entries: Record<string, string>): string {
  return `const entries = ${JSON.stringify(entries)}
const wanted = [localStorage.getItem('deeb.language'), ...navigator.languages]
const language = wanted.map((tag) => tag?.split('-')[0]).find((tag) => Object.hasOwn(entries, tag)) ?? 'en'
document.documentElement.lang = language
await import(entries[language])
`
}
