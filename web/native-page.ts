import type { Plugin } from 'vite'

/** Its own files, by whichever name the system gives them: not every web view takes `'self'` for a scheme of its own. */
const OWN = "'self' capacitor://localhost https://localhost"

/** What the server says of its pages (server/src/http/security-headers.ts), for a page that no server sends. */
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

/** Makes the app's page the one page of a native copy for `server`: by the name under which Capacitor looks for it. */
export function nativePage(server: string): Plugin {
  if (!server) throw new Error('A native copy needs DEEB_SERVER, the origin of its server.')
  return {
    name: 'deeb-native-page',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => ({
        // What only a browser asks for.
        html: html.replaceAll(/\s*<link rel="(icon|apple-touch-icon|manifest)"[^>]*>/g, ''),
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
        if (page?.type !== 'asset') throw new Error('The build has lost app.html.')
        delete bundle['app.html']
        this.emitFile({ type: 'asset', fileName: 'index.html', source: page.source })
      },
    },
  }
}
