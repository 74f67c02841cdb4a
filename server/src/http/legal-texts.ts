import { LEGAL_PATHS, type LegalPath } from '@deeb/core/paths'
import { plainTextAsHtml } from './plain-text-as-html.ts'
import { readSiteFile } from './site-files.ts'

/** The names of the files in SITE_DIR. */
export const LEGAL_FILES = Object.keys(LEGAL_PATHS).map((name) => `${name}.txt`)

/** The administrator's texts in SITE_DIR, such as privacy.txt, as HTML by the path of their page. */
export function readLegalTexts(siteDir: string): ReadonlyMap<LegalPath, string> {
  const texts = new Map<LegalPath, string>()
  for (const [name, path] of Object.entries(LEGAL_PATHS)) {
    const text = readSiteFile(siteDir, `${name}.txt`)
    if (text !== undefined) texts.set(path, plainTextAsHtml(text))
  }
  return texts
}
