import type { SitePath } from '@deeb/core/paths'
import type { LeadSource } from '@deeb/core/visitors/api'
import * as texts from '@deeb/texts/site'
import { linkTo } from './link-to.ts'

interface LeadFormProps {
  /** The path of the page. Without script the form is posted there, and the server redirects to #saved, #not-saved or #not-now. */
  action: SitePath
  source: LeadSource
  submit: string
  /** The text of the button while saving. */
  saving: string
  /** The text that replaces the form afterwards. */
  saved: string
  note?: string
}

/**
 * A form for an email address. The fragment of the URL selects the visible part (forms.css, `:target`), with and without
 * script.
 */
export function LeadForm({ action, source, submit, saving, saved, note }: LeadFormProps) {
  return (
    <div className="lead-form">
      <form method="post" action={linkTo(action)} data-source={source}>
        <label htmlFor="email">{texts.email()}</label>
        <div className="lead-form-row">
          <input
            id="email"
            name="email"
            type="email"
            required
            maxLength={254}
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby="failure"
          />
          <button type="submit" className="button button-main" data-saving={saving}>
            {submit}
          </button>
        </div>
        {/* The field is described by the container: a hidden part with its own reference would be read out too. */}
        <div id="failure">
          <p id="not-saved" role="alert" className="lead-form-failure">
            {texts.notSaved()}
          </p>
          <p id="not-now" role="alert" className="lead-form-failure">
            {texts.notNow()}
          </p>
        </div>
        {note ? <p className="lead-form-note">{note}</p> : null}
      </form>
      <p id="saved" className="lead-form-saved" tabIndex={-1}>
        {saved}
      </p>
    </div>
  )
}
