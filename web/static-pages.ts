import { fileURLToPath } from 'node:url'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Plugin, runnerImport } from 'vite'

const PLACEHOLDER = /<!-- page: (\S+) -->/

/**
 * Fills `<!-- page: src/marketing/XPage.tsx -->` in an HTML entry with the static markup of the component that the
 * module exports under its file's name: the same in dev and build, and no script of it reaches the browser.
 */
export function staticPages(): Plugin {
  return {
    name: 'deeb-static-pages',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const [placeholder, path] = PLACEHOLDER.exec(html) ?? []
        if (!placeholder || !path) return html
        return html.replace(placeholder, await render(path))
      },
    },
  }
}

async function render(path: string): Promise<string> {
  const file = fileURLToPath(new URL(path, import.meta.url))
  const { module } = await runnerImport<Record<string, FunctionComponent>>(file, { configFile: false })
  const name = path.replace(/^.*\/(\w+)\.tsx$/, '$1')
  const page = module[name]
  if (!page) throw new Error(`${path} must export ${name}.`)
  return renderToStaticMarkup(createElement(page))
}
