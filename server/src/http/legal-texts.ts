import { LANGUAGES } from '@deeb/core/languages'
import { LEGAL_PATHS, sitePathIn } from '@deeb/core/paths'
import { plainTextAsHtml } from './plain-text-as-html.ts'
import { readSiteFile } from './site-files.ts'

/** The names of the files in SITE_DIR. */
export const LEGAL_FILES = Object.keys(LEGAL_PATHS).map((name) => `${name}.txt`)

/**
 * The administrator's texts in SITE_DIR as HTML by the path of their page: privacy.txt for all languages, unless there is a
 * privacy.de.txt.
 */
export function readLegalTexts(siteDir: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [name, path] of Object.entries(LEGAL_PATHS)) {
    const text = readSiteFile(siteDir, `${name}.txt`)
    if (text === undefined) continue
    for (const language of LANGUAGES) {
      const own = readSiteFile(siteDir, `${name}.${language}.txt`)
      texts.set(sitePathIn(language, path), plainTextAsHtml(own ?? text))
    }
  }
  return texts
}
