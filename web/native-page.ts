import type { Plugin } from 'vite'

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

/** The app's script in its page, and the files that it needs first. Each language has its own: `start.js` of the copy chooses. */
const APP_FILES = /\s*<script type="module"[^>]*><\/script>|\s*<link rel="modulepreload"[^>]*>/g

/** Makes the app's English page the only page of a native copy for `server`, as `index.html`, where Capacitor expects it. */
export function nativePage(server: string, language: string): Plugin {
  if (!server) throw new Error('Set DEEB_SERVER to the origin of the server that the native copy is for.')
  return {
    name: 'deeb-native-page',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => ({
        // Only browsers use these. The inline script reads the tokens of a browser, and this page's policy allows no inline script.
        html: html.replaceAll(/\s*<link rel="(icon|apple-touch-icon|manifest)"[^>]*>|\s*<script>.*?<\/script>/gs, ''),
        tags: [
          {
            tag: 'meta',
            attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy(server) },
            injectTo: 'head-prepend',
          },
        ],
      }),
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['app.html']
        if (page?.type !== 'asset') throw new Error('The bundle has no app.html.')
        delete bundle['app.html']
        if (language !== 'en') return
        const source = String(page.source)
          .replaceAll(APP_FILES, '')
          .replace('</head>', '  <script type="module" src="/start.js"></script>\n  </head>')
        this.emitFile({ type: 'asset', fileName: 'index.html', source })
      },
    },
  }
}
