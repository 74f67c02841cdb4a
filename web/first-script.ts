import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const SCRIPT = fileURLToPath(new URL('src/first-script.ts', import.meta.url))

/** Builds the inline script of the app's page, which asks for the data of the first screen while the app is loaded. */
export function firstScript(define: Record<string, string>): Plugin {
  return {
    name: 'deeb-first-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(_html, { path }) {
        if (path !== '/app.html') return undefined
        return [{ tag: 'script', children: await buildScript(define), injectTo: 'head-prepend' }]
      },
    },
  }
}

async function buildScript(define: Record<string, string>): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define,
    build: { write: false, rolldownOptions: { input: SCRIPT, output: { format: 'iife' } } },
  })
  const [script] = [result].flat().flatMap((built) => ('output' in built ? built.output : []))
  if (script?.type !== 'chunk') throw new Error('The first script was not built.')
  return script.code.trim()
}
