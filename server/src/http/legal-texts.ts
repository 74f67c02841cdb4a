import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LEGAL_PATHS, type LegalPath } from '@deeb/core/paths'
import { plainTextAsHtml } from './plain-text-as-html.ts'

const LIMIT_BYTES = 256 * 1024

/**
 * The administrator's texts in SITE_DIR, such as privacy.txt, as HTML by the path of their page. Only these fixed names are
 * read. Throws one sentence that names the variable.
 */
export function readLegalTexts(siteDir: string | null): ReadonlyMap<LegalPath, string> {
  const texts = new Map<LegalPath, string>()
  if (siteDir === null) return texts
  for (const [name, path] of Object.entries(LEGAL_PATHS)) {
    const file = join(siteDir, `${name}.txt`)
    if (statSync(file, { throwIfNoEntry: false })) texts.set(path, plainTextAsHtml(readText(file)))
  }
  if (texts.size > 0) return texts
  const names = Object.keys(LEGAL_PATHS).map((name) => `${name}.txt`)
  throw new Error(`SITE_DIR must be a folder with at least one of ${names.join(', ')}, not "${siteDir}".`)
}

function readText(file: string): string {
  const stats = statSync(file)
  if (!stats.isFile() || stats.size > LIMIT_BYTES) {
    throw new Error(`SITE_DIR: ${file} must be a file of at most ${LIMIT_BYTES / 1024} KiB.`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (cause) {
    throw new Error(`SITE_DIR: ${file} must be readable text in UTF-8.`, { cause })
  }
}
