import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, type Language } from '@deeb/core/languages'

const LIMIT_BYTES = 256 * 1024

/**
 * The text of a file in SITE_DIR, or undefined if it does not exist. Throws one sentence if it is too long or no text. Call it with
 * fixed names only.
 */
export function readSiteFile(siteDir: string, name: string): string | undefined {
  const file = join(siteDir, name)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return undefined
  if (!stats.isFile() || stats.size > LIMIT_BYTES) {
    throw new Error(`SITE_DIR: ${file} must be a file of at most ${LIMIT_BYTES / 1024} KiB.`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (cause) {
    throw new Error(`SITE_DIR: ${file} must be readable text in UTF-8.`, { cause })
  }
}

/** A text in SITE_DIR by language: `privacy.txt` for all, unless there is a `privacy.de.txt`. None without SITE_DIR or the first. */
export function readSiteText(siteDir: string | null, name: string): Partial<Record<Language, string>> {
  const text = siteDir === null ? undefined : readSiteFile(siteDir, `${name}.txt`)
  if (siteDir === null || text === undefined) return {}
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, readSiteFile(siteDir, `${name}.${language}.txt`) ?? text]),
  )
}
