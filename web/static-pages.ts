import { fileURLToPath } from 'node:url'
import { createRunnableDevEnvironment, type InlineConfig, type Rolldown, resolveConfig, runnerImport } from 'vite'
import type { MarkedBuild } from './languages.ts'
import type { BuiltFiles } from './src/ui/built-files.ts'

const PAGES = fileURLToPath(new URL('src/static-pages.tsx', import.meta.url))

/** The scripts and style sheets of the static pages. */
export const STATIC_PAGE_SOURCES = [
  'src/marketing/styles/site.css',
  'src/marketing/enhance.ts',
  'src/marketing/lead-form.ts',
  'src/signs/sign.css',
  'src/signs/sign-page.ts',
  'src/ui/toast.ts',
]

/** Their one font file. */
const FONT = /hanken-grotesk-latin-wght-normal/

/** Core and texts from their sources: Node itself would import them as they were built. */
const CONFIG: InlineConfig = {
  configFile: false,
  define: { __LANGUAGE__: '""' },
  environments: {
    inline: {
      consumer: 'server',
      dev: { moduleRunnerTransform: true },
      resolve: { noExternal: [/^@deeb\//] },
    },
  },
}

/** The exports of src/static-pages.tsx. */
interface Pages {
  BUILT_PAGES: string[]
  htmlOf(name: string, files?: BuiltFiles): string
}

/** Writes the static pages in each language. */
export async function staticPages({ tags, bundle, nameIn, pagesOf, emit }: MarkedBuild): Promise<void> {
  const files = Object.values(bundle)
  const font = files.find(({ fileName }) => FONT.test(fileName))
  if (!font) throw new Error('The bundle has no font for the static pages.')
  await withPages(tags, ({ BUILT_PAGES, htmlOf }, tag) => {
    const built: BuiltFiles = {
      urlOf: (source) => `/${nameIn(tag, builtFrom(files, source))}`,
      font: `/${font.fileName}`,
    }
    for (const name of BUILT_PAGES) emit(`${pagesOf(tag)}${name}.html`, htmlOf(name, built))
  })
}

/** The name of the file that the build has made from a source. */
function builtFrom(files: (Rolldown.OutputChunk | Rolldown.OutputAsset)[], source: string): string {
  const file = files.find((one) =>
    one.type === 'chunk' ? one.facadeModuleId?.endsWith(`/web/${source}`) : one.originalFileNames.includes(source),
  )
  if (!file) throw new Error(`The bundle has no file of ${source}.`)
  return file.fileName
}

/** Calls `use` with the module of the static pages in one language after the other. */
async function withPages(tags: readonly string[], use: (pages: Pages, tag: string) => void): Promise<void> {
  const environment = createRunnableDevEnvironment('inline', await resolveConfig(CONFIG, 'serve'), {
    hot: false,
    runnerOptions: { hmr: { logger: false } },
  })
  await environment.init()
  try {
    for (const tag of tags) {
      // Modules read the language when they are loaded.
      environment.runner.clearCache()
      const { setLanguage } =
        await environment.runner.import<typeof import('@deeb/texts/runtime')>('@deeb/texts/runtime')
      setLanguage(tag)
      use(await environment.runner.import<Pages>(PAGES), tag)
    }
  } finally {
    await environment.close()
  }
}

/** The HTML of a static page from its sources, with the scripts and styles of the dev server. */
export async function renderPage(name: string, tag: string): Promise<string> {
  let html = ''
  await withPages([tag], (pages) => {
    html = pages.htmlOf(name)
  })
  return html
}

/** Imports a module of the server from its source. `path` is relative to this folder. */
export async function importModule<Module>(path: string): Promise<Module> {
  const { module } = await runnerImport<Module>(fileURLToPath(new URL(path, import.meta.url)), CONFIG)
  return module
}
