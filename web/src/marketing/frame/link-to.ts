import { LANGUAGE_QUERY } from '@deeb/core/languages'
import { APP_PATHS, type AppPath, type LegalPath, type SitePath, sitePathIn } from '@deeb/core/paths'
import type { ComingSoonPath } from '@deeb/core/visitors/coming-soon'
import { LANGUAGE } from '../../device/language.ts'

/** The URL of a public page in the language of this page, or of the app, which opens in that language. */
export function linkTo(path: SitePath | LegalPath | ComingSoonPath | AppPath): string {
  if (!path.startsWith(APP_PATHS.signIn)) return sitePathIn(LANGUAGE, path)
  return LANGUAGE === 'en' ? path : `${path}?${LANGUAGE_QUERY}=${LANGUAGE}`
}
