import { SITE_PATHS } from '../paths.ts'
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

/** The built page hides the words of all purposes: shows those of one, and adds the purpose to the action of the form. */
export function fillPurpose(html: string, purpose: LeadPurpose): string {
  return html
    .replaceAll(` hidden="" data-purpose="${purpose}"`, ` data-purpose="${purpose}"`)
    .replaceAll(/ action="([^"?]*\/coming-soon)"/g, ` action="$1?for=${purpose}"`)
}
