import { LANGUAGES, type Language } from '@deeb/core/languages'
import { LEGAL_PATHS, SITE_PATHS, sitePathIn } from '@deeb/core/paths'
import { comingSoonFor } from '@deeb/core/visitors/coming-soon'
import * as texts from '@deeb/texts/legal'
import * as siteTexts from '@deeb/texts/site'
import type { Config } from '../config/config.ts'
import { plainTextAsHtml } from './plain-text-as-html.ts'
import { readSiteText } from './site-files.ts'

export type LegalConfig = Pick<Config, 'publicUrl' | 'siteDir' | 'sessionsKeptMonths' | 'report'>

/** The text of each legal page as HTML, by its path: the administrator's in SITE_DIR, else deeb's own. */
export function readLegalTexts(config: LegalConfig): ReadonlyMap<string, string> {
  const pages = Object.entries(DEFAULTS).flatMap(([name, defaultText]) => {
    const own = readSiteText(config.siteDir, name)
    return LANGUAGES.map((language) => {
      const path = sitePathIn(language, LEGAL_PATHS[name as keyof typeof LEGAL_PATHS])
      return [path, plainTextAsHtml(own[language] ?? defaultText(config, language))] as const
    })
  })
  return new Map(pages)
}

/** Plain texts that are true for this server's settings. Those responsible are named by the imprint, which they link to. */
const DEFAULTS: Record<keyof typeof LEGAL_PATHS, (config: LegalConfig, language: Language) => string> = {
  privacy({ publicUrl, sessionsKeptMonths: months, report }, locale) {
    return texts.privacyText(
      {
        imprint: linkTo(publicUrl, locale, LEGAL_PATHS.imprint, siteTexts.imprint),
        sessions:
          months === null ? texts.sessionsKept({}, { locale }) : texts.sessionsKeptMonths({ months }, { locale }),
        report: report.isOn ? texts.reportShown({}, { locale }) : texts.reportOff({}, { locale }),
      },
      { locale },
    )
  },
  terms({ publicUrl }, locale) {
    return texts.termsText(
      {
        imprint: linkTo(publicUrl, locale, LEGAL_PATHS.imprint, siteTexts.imprint),
        privacy: linkTo(publicUrl, locale, LEGAL_PATHS.privacy, siteTexts.privacy),
        companies: linkTo(publicUrl, locale, `${SITE_PATHS.companies}#price`, siteTexts.forCompanies),
      },
      { locale },
    )
  },
  imprint({ publicUrl }, locale) {
    const contact = linkTo(publicUrl, locale, comingSoonFor('contact'), siteTexts.contact)
    return texts.imprintText({ host: new URL(publicUrl).host, contact }, { locale })
  },
}

/** A link for plainTextAsHtml(). */
function linkTo(publicUrl: string, locale: Language, path: string, name: typeof siteTexts.imprint): string {
  return `[${name({}, { locale })}](${publicUrl}${sitePathIn(locale, path)})`
}
