import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { compileTexts, languages } from '../../scripts/texts.js'

const WEB = fileURLToPath(new URL('../../web/', import.meta.url))

/** Builds the web for native apps of `server`, an origin, into `folder`: one page, and the app in each language. */
export async function buildNativeCopy(server, folder) {
  await compileTexts()
  process.env.DEEB_SERVER = server
  const entries = {}
  for (const language of languages) {
    process.env.DEEB_LANGUAGE = language
    const { output } = await build({
      ...{ root: WEB, configFile: `${WEB}vite.config.ts`, mode: 'native', logLevel: 'warn' },
      build: { outDir: relative(WEB, folder) },
    })
    const entry = output.find((file) => file.isEntry && file.facadeModuleId?.endsWith('/app.html'))
    entries[language] = `/${entry.fileName}`
  }
  await writeFile(`${folder}/start.js`, startScript(entries))
}

/** The script of the page: starts the app in the language that the device has chosen (web/src/language/show-in.ts), else in its own. */
function startScript(entries) {
  return `const entries = ${JSON.stringify(entries)}
const wanted = [localStorage.getItem('deeb.language'), ...navigator.languages]
const language = wanted.map((tag) => tag?.split('-')[0]).find((tag) => Object.hasOwn(entries, tag)) ?? 'en'
document.documentElement.lang = language
await import(entries[language])
`
}
