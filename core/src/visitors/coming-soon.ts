import type { Language } from '../languages.ts'
import { LEGAL_PATHS, SITE_PATHS, sitePathIn } from '../paths.ts'
import { LEAD_PURPOSES, type LeadPurpose } from './api.ts'

export type ComingSoonPath = ReturnType<typeof comingSoonFor>

/** The coming-soon page that names what the visitor asked for. */
export function comingSoonFor<Purpose extends LeadPurpose>(purpose: Purpose) {
  return `${SITE_PATHS.comingSoon}?for=${purpose}` as const
}

/** The purpose in a parsed query. Undefined if there is none, or an unknown one. */
export function purposeIn(query: unknown): LeadPurpose | undefined {
  const { for: name } = (query ?? {}) as { for?: unknown }
  return LEAD_PURPOSES.find((purpose) => purpose === name)
}

/** The path of the legal page that a purpose asks for, in a language. Undefined for the other purposes. */
export function legalPathOf(language: Language, purpose?: LeadPurpose): string | undefined {
  const [, path] = Object.entries(LEGAL_PATHS).find(([name]) => name === purpose) ?? []
  return path && sitePathIn(language, path)
}

/** The purposes that the page can answer. For `demo` only on a server with DEMO_URL. */
export type ReadyPurpose = Extract<LeadPurpose, 'info_sheet' | 'demo'>

/** The built page hides the words of all purposes: shows those of one, and adds the purpose to the action of the form. */
export function fillPurpose(html: string, purpose: LeadPurpose, isReady: boolean): string {
  const shown = isReady ? html.replaceAll(` hidden="" data-ready="${purpose}"`, ` data-ready="${purpose}"`) : html
  return shown
    .replaceAll(` hidden="" data-purpose="${purpose}"`, ` data-purpose="${purpose}"`)
    .replaceAll(/ action="([^"?]*\/coming-soon)"/g, ` action="$1?for=${purpose}"`)
}
