import { join } from 'node:path'
import type { Language } from '@deeb/core/languages'

/** The file of a built page. English is at the root of the build, other languages are in a folder each. */
export function builtPage(webRoot: string, language: Language, name: string): string {
  return language === 'en' ? join(webRoot, `${name}.html`) : join(webRoot, language, `${name}.html`)
}
