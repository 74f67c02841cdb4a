import { fileURLToPath } from 'node:url'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type HtmlTagDescriptor, type Plugin, runnerImport } from 'vite'

const PLACEHOLDER = /<!-- page: (\S+) -->/

/** The one font file that the static pages draw with. */
const FONT = /hanken-grotesk-latin-wght-normal/

/** A module that static pages fetch late, if at all, by the name that stands in their markup. */
const LATE_MODULE = 'src/ui/toast.ts'

/**
 * Fills `<!-- page: src/marketing/XPage.tsx -->` in an HTML entry with the static markup of the component that the
 * module exports under its file's name: the same in dev and build, and no script of it reaches the browser.
 */
export function staticPages(): Plugin[] {
  return [fillPages(), nameBuiltFiles()]
}

function fillPages(): Plugin {
  return {
    name: 'deeb-static-pages',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const [placeholder, path] = PLACEHOLDER.exec(html) ?? []
        if (!placeholder || !path) return html
        const markup = await renderPage(path)
        return html.replace(placeholder, () => markup)
      },
    },
  }
}

/** What only the end of the build knows: the names of the font, which is fetched with the style sheet and not after it, and of the late module. */
function nameBuiltFiles(): Plugin {
  return {
    name: 'deeb-static-pages-built-files',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: LATE_MODULE, preserveSignature: 'strict' })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        if (!html.includes(LATE_MODULE)) return html
        const files = Object.values(bundle)
        const font = files.find(({ fileName }) => FONT.test(fileName))
        const late = files.find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(LATE_MODULE))
        if (!font || !late) throw new Error('The build has lost the font or the toasts of the static pages.')
        return { html: html.replace(LATE_MODULE, late.fileName), tags: [preload(font.fileName)] }
      },
    },
  }
}

/** The markup of the component that `path`, from this folder, exports under its file's name. */
export async function renderPage(path: string): Promise<string> {
  const file = fileURLToPath(new URL(path, import.meta.url))
  const conditions = ['deeb-source']
  const { module } = await runnerImport<Record<string, FunctionComponent>>(file, {
    configFile: false,
    resolve: { conditions },
    ssr: { resolve: { conditions } },
  })
  const name = path.replace(/^.*\/(\w+)\.tsx$/, '$1')
  const page = module[name]
  if (!page) throw new Error(`${path} must export ${name}.`)
  return renderToStaticMarkup(createElement(page))
}

function preload(file: string): HtmlTagDescriptor {
  const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' }
  return { tag: 'link', attrs, injectTo: 'head' }
}
