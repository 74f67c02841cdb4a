import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '@deeb/core/languages'

/**
 * Reads a built page. English is at the root of the build, other languages are in a folder each. Synchronous, like every read of the
 * built web, so that a thousand concurrent requests open one file at a time.
 */
export function readBuiltPage(webRoot: string, language: Language, name: string): string {
  const folder = language === 'en' ? webRoot : join(webRoot, language)
  return readFileSync(join(folder, `${name}.html`), 'utf8')
}
