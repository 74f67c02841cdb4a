import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '@deeb/core/languages'
import {
  LEGAL_PATHS,
  LEGAL_TEXT_PLACEHOLDER,
  type LegalPath,
  ORIGIN_PLACEHOLDER,
  type SitePath,
  sitePathIn,
} from '@deeb/core/paths'
import type { LeadPurpose } from '@deeb/core/visitors/api'
import { fillPurpose } from '@deeb/core/visitors/coming-soon'
import * as siteTexts from '@deeb/texts/site'
import type { Config } from '../config/config.ts'
import { printable } from '../lib/printable.ts'
import { type LegalConfig, readLegalTexts } from './legal-texts.ts'
import { escapeHtml, plainTextAsHtml } from './plain-text-as-html.ts'
import { readSiteText } from './site-files.ts'
import { fillQuotes, QUOTES_FILE, type Quotes, readQuotes } from './site-quotes.ts'

/** The values that the settings put into the built pages. */
interface SiteContent {
  publicUrl: string
  demoUrl: string | null
  /** HTML by the path of its page. */
  legalTexts: ReadonlyMap<string, string>
  /** HTML of the conditions below the price. Undefined: the page for companies leads to a question. */
  conditions: Partial<Record<Language, string>>
  /** Null: the page for companies keeps its examples. */
  quotes: Quotes | null
}

const TITLE = /(?<=<title>)[^<]*/

/** The titles of the coming-soon page for visitors who want to reach somebody. */
const CONTACT_TITLES: Partial<Record<LeadPurpose, typeof siteTexts.contact>> = {
  contact: siteTexts.contact,
  sales: siteTexts.footerSales,
  support: siteTexts.support,
}

/** The names of the files in SITE_DIR. */
const FILES = [...Object.keys(LEGAL_PATHS), 'price'].map((name) => `${name}.txt`).concat(QUOTES_FILE)

/** The links to the demo, as they are built. */
const DEMO_LINK = /(?<=<a href=")[^"]*(?=" (?:data-page="employers" data-button="see_platform_in_action"|data-demo=""))/

const CONDITIONS = /(?<=<dd data-price="">).*?(?=<\/dd>)/s

/**
 * Reads the files in SITE_DIR. Throws one sentence that names the variable if they cannot be used, except for wrong quotes: those are
 * reported, and the examples stay.
 */
export function readSiteContent(config: LegalConfig & Pick<Config, 'demoUrl'>): SiteContent {
  const { publicUrl, demoUrl, siteDir } = config
  if (siteDir !== null && !FILES.some((name) => existsSync(join(siteDir, name)))) {
    throw new Error(`SITE_DIR must be a folder with at least one of ${FILES.join(', ')}, not "${siteDir}".`)
  }
  const prices = Object.entries(readSiteText(siteDir, 'price'))
  const conditions = Object.fromEntries(prices.map(([language, text]) => [language, plainTextAsHtml(text)]))
  const quotes = siteDir === null ? null : quotesOrExamples(siteDir)
  return { publicUrl, demoUrl, legalTexts: readLegalTexts(config), conditions, quotes }
}

function quotesOrExamples(siteDir: string): Quotes | null {
  try {
    return readQuotes(siteDir)
  } catch (error) {
    console.error(printable(`${(error as Error).message} The page for companies shows its examples until then.`))
    return null
  }
}

interface Filling {
  language: Language
  path: SitePath | LegalPath
  /** The offer that a visitor of /coming-soon asked for. */
  purpose: LeadPurpose | undefined
  content: SiteContent
}

/** A built page with the settings filled in. Texts are inserted by functions: they may contain the patterns of replace. */
export function fillPage(built: string, { language, path, purpose, content }: Filling): string {
  const { publicUrl, demoUrl, legalTexts, conditions, quotes } = content
  const linked = built.replaceAll(ORIGIN_PLACEHOLDER, publicUrl)
  const html = (quotes ? fillQuotes(linked, quotes, language) : linked)
    .replace(DEMO_LINK, (built) => (demoUrl === null ? built : escapeHtml(demoUrl)))
    .replace(CONDITIONS, (built) => conditions[language] ?? built)
    .replace(LEGAL_TEXT_PLACEHOLDER, () => legalTexts.get(sitePathIn(language, path)) ?? '')
  if (!purpose) return html
  const title = CONTACT_TITLES[purpose]?.({}, { locale: language })
  return fillPurpose(
    title ? html.replace(TITLE, () => `deeb: ${escapeHtml(title)}`) : html,
    purpose,
    purpose !== 'demo' || demoUrl !== null,
  )
}
