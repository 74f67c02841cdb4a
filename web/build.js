// Builds the web once for each language, into one folder: English, then what differs from it. With names of languages, only those.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { compileTexts, languages } from '../scripts/texts.js'

await compileTexts()
const root = fileURLToPath(new URL('.', import.meta.url))
const chosen = process.argv.slice(2)
for (const language of chosen.length > 0 ? chosen : languages) {
  process.env.DEEB_LANGUAGE = language
  await build({ root, configFile: `${root}vite.config.ts`, logLevel: language === 'en' ? 'info' : 'warn' })
}
