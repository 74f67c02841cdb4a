import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LANGUAGES, type Language } from '@deeb/core/languages'
import { sitePathIn } from '@deeb/core/paths'

const ENGLISH = fileURLToPath(new URL('fixtures/web/', import.meta.url))

/** Paths of public pages in a built page: in its canonical link, its links and its form. */
const PAGE_PATH = /(?<=https:\/\/public-url\.invalid|href="|action=")\/(?!share|assets)[\w-]*/g

/** A built web in every language, like web/dist. The titles of its pages begin with the language. Deleted with the process. */
export const WEB_ROOT = makeWebRoot()

function makeWebRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'deeb-web-'))
  process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  cpSync(ENGLISH, root, { recursive: true })
  for (const language of LANGUAGES) if (language !== 'en') writePages(root, language)
  return `${root}/`
}

function writePages(root: string, language: Language): void {
  mkdirSync(join(root, language))
  for (const name of readdirSync(ENGLISH).filter((name) => name.endsWith('.html'))) {
    const html = readFileSync(join(ENGLISH, name), 'utf8')
      .replace('<title>', `<title>${language} `)
      .replaceAll(PAGE_PATH, (path) => sitePathIn(language, path))
    writeFileSync(join(root, language, name), html)
  }
}
