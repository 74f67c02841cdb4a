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
import { comingSoonFor, fillPurpose } from '@deeb/core/visitors/coming-soon'
import type { Config } from '../config/config.ts'
import { printable } from '../lib/printable.ts'
import { LEGAL_FILES, readLegalTexts } from './legal-texts.ts'
import { escapeHtml } from './plain-text-as-html.ts'
import { fillQuotes, QUOTES_FILE, type Quotes, readQuotes } from './site-quotes.ts'

/** The values that the settings put into the built pages. */
interface SiteContent {
  publicUrl: string
  demoUrl: string | null
  /** HTML by the path of its page. */
  legalTexts: ReadonlyMap<string, string>
  /** Null: the page for companies keeps its examples. */
  quotes: Quotes | null
}

/** The legal pages, each with its purpose of /coming-soon, which stands in for a missing text. */
export const LEGAL_PAGES = (['privacy', 'terms', 'imprint'] as const).map((name) => [name, LEGAL_PATHS[name]] as const)

/** The link to the demo, as it is built. */
const DEMO_LINK = /(?<=<a href=")[^"]*(?=" data-page="employers" data-button="see_platform_in_action")/

/**
 * Reads the files in SITE_DIR. Throws one sentence that names the variable if they cannot be used, except for wrong quotes: those are
 * reported, and the examples stay.
 */
export function readSiteContent({ publicUrl, demoUrl, siteDir }: Config): SiteContent {
  if (siteDir === null) return { publicUrl, demoUrl, legalTexts: new Map(), quotes: null }
  const legalTexts = readLegalTexts(siteDir)
  if (legalTexts.size === 0 && !existsSync(join(siteDir, QUOTES_FILE))) {
    const names = [...LEGAL_FILES, QUOTES_FILE].join(', ')
    throw new Error(`SITE_DIR must be a folder with at least one of ${names}, not "${siteDir}".`)
  }
  return { publicUrl, demoUrl, legalTexts, quotes: quotesOrExamples(siteDir) }
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
  const { publicUrl, demoUrl, legalTexts, quotes } = content
  const linked = linkLegalPages(built.replaceAll(ORIGIN_PLACEHOLDER, publicUrl), language, legalTexts)
  const html = (quotes ? fillQuotes(linked, quotes, language) : linked)
    .replace(DEMO_LINK, (built) => (demoUrl === null ? built : escapeHtml(demoUrl)))
    .replace(LEGAL_TEXT_PLACEHOLDER, () => legalTexts.get(sitePathIn(language, path)) ?? '')
  return purpose ? fillPurpose(html, purpose) : html
}

/** Links of a page to the legal pages that exist. The built page leads to /coming-soon instead. */
function linkLegalPages(html: string, language: Language, legalTexts: ReadonlyMap<string, string>): string {
  const localized = (path: string) => `href="${sitePathIn(language, path)}"`
  const existing = LEGAL_PAGES.filter(([, path]) => legalTexts.has(sitePathIn(language, path)))
  return existing.reduce((page, [name, path]) => page.replaceAll(localized(comingSoonFor(name)), localized(path)), html)
}
