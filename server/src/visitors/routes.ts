import { LANGUAGES } from '@deeb/core/languages'
import { SITE_PATHS, sitePathIn } from '@deeb/core/paths'
import { saveClick as clickEndpoint, saveLead as leadEndpoint } from '@deeb/core/visitors/api'
import { comingSoonFor, purposeIn } from '@deeb/core/visitors/coming-soon'
import type { RouteDeps, ServeVisitors } from '../http/serve.ts'
import type { ServeForm } from '../http/serve-form.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { saveClick } from './save-click.ts'
import { saveLead } from './save-lead.ts'

export function visitorRoutes({ serve, db }: Pick<RouteDeps, 'db'> & { serve: ServeVisitors }): void {
  serve(leadEndpoint, LIMITS.lead, ({ input, now }) => saveLead(db, input, now))
  serve(clickEndpoint, LIMITS.click, ({ input, now }) => saveClick(db, input, now))
}

/** Form posts for browsers without script. Each page posts to itself. */
export function visitorForms({ serveForm, db }: Pick<RouteDeps, 'db'> & { serveForm: ServeForm }): void {
  const emailOf = (fields: URLSearchParams) => fields.get('email') ?? ''
  for (const language of LANGUAGES) {
    const comingSoon = sitePathIn(language, SITE_PATHS.comingSoon)
    serveForm(
      comingSoon,
      LIMITS.lead,
      ({ fields, query, now }) =>
        saveLead(db, { email: emailOf(fields), source: 'coming_soon_page', purpose: purposeIn(query) }, now),
      (query) => {
        const purpose = purposeIn(query)
        return purpose ? sitePathIn(language, comingSoonFor(purpose)) : comingSoon
      },
    )
    serveForm(sitePathIn(language, SITE_PATHS.waitlist), LIMITS.lead, ({ fields, now }) =>
      saveLead(db, { email: emailOf(fields), source: 'main_coming_soon' }, now),
    )
  }
}
