import type { SitePath } from '@deeb/core/paths'
import type { LeadSource } from '@deeb/core/visitors/api'

interface LeadFormProps {
  /** The page itself: without script it takes the form, and leads back to #saved, #not-saved or #not-now. */
  action: SitePath
  source: LeadSource
  submit: string
  /** What the button says meanwhile. */
  saving: string
  /** What stands in the form's place afterwards. */
  saved: string
  note?: string
}

/**
 * Asks for an address. Which of its parts is seen is decided by the address of the page (forms.css, `:target`):
 * that is how it works without script, and lead-form.ts only has to follow.
 */
export function LeadForm({ action, source, submit, saving, saved, note }: LeadFormProps) {
  return (
    <div className="lead-form">
      <form method="post" action={action} data-source={source}>
        <label htmlFor="email">Email</label>
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
        {/* The field is described by the whole, as a part that is named itself is read out even when it is not seen. */}
        <div id="failure">
          <p id="not-saved" role="alert" className="lead-form-failure">
            that didn't work. please check the address and try again.
          </p>
          <p id="not-now" role="alert" className="lead-form-failure">
            that didn't work. please try again in a moment.
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
