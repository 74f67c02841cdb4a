import { LANGUAGES, type Language } from '@deeb/core/languages'
import { LEGAL_PATHS, SITE_PATHS, sitePathIn } from '@deeb/core/paths'
import { comingSoonFor } from '@deeb/core/visitors/coming-soon'
import * as texts from '@deeb/texts/legal'
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
        imprint: publicUrl + sitePathIn(locale, LEGAL_PATHS.imprint),
        sessions:
          months === null ? texts.sessionsKept({}, { locale }) : texts.sessionsKeptMonths({ months }, { locale }),
        report: report.isOn ? texts.reportShown({}, { locale }) : texts.reportOff({}, { locale }),
      },
      { locale },
    )
  },
  terms({ publicUrl }, locale) {
    const urlOf = (path: string) => publicUrl + sitePathIn(locale, path)
    return texts.termsText(
      {
        imprint: urlOf(LEGAL_PATHS.imprint),
        privacy: urlOf(LEGAL_PATHS.privacy),
        companies: urlOf(`${SITE_PATHS.companies}#price`),
      },
      { locale },
    )
  },
  imprint({ publicUrl }, locale) {
    const contact = publicUrl + sitePathIn(locale, comingSoonFor('contact'))
    return texts.imprintText({ host: new URL(publicUrl).host, contact }, { locale })
  },
}
