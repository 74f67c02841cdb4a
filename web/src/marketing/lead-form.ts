/* Sends the form without leaving the page. Without this script the browser posts it, and the server redirects to the same views. */
import * as texts from '@deeb/texts/siteForm'
import { onFailure, showToast, withdrawFailures } from '../ui/toast.ts'
import type { Toast } from '../ui/toast-element.ts'
import { post } from './post.ts'

/** The attribute of a failure that is shown at the field. */
const SHOWN = 'data-shown'

// A reload, or a stored link with the fragment, has sent nothing. A form that the browser posted before this script was loaded
// arrives by the server's redirect.
const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
if (!arrival?.redirectCount) forgetOutcome()

for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void save(form)
  })
}

async function save(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button')
  const email = new FormData(form).get('email')
  if (!button || button.disabled || !email) return
  withdrawFailures()
  for (const note of form.querySelectorAll(`[${SHOWN}]`)) note.removeAttribute(SHOWN)
  forgetOutcome()
  const restore = setBusy(button)
  try {
    const message = await post('/api/leads', { email, source: form.dataset.source, purpose: purposeOf(form) })
    // The page has a note in its language; the server's message is English.
    const note = document.getElementById('not-saved')?.textContent
    const description = document.documentElement.lang === 'en' ? message : note
    if (message) showNotSaved(button, { title: texts.notSaved(), description: description ?? message }, 'not-saved')
    else showSaved()
  } catch (error) {
    const description = texts.error({ message: (error as Error).message })
    showNotSaved(button, { title: texts.exception(), description }, 'not-now')
  }
  restore()
}

/** Returns the offer that the visitor asked for: the server adds it to the form's action (fillPurpose). */
function purposeOf({ action }: HTMLFormElement): string | undefined {
  return new URL(action).searchParams.get('for') ?? undefined
}

/** Shows the form again. A navigation to another fragment updates `:target`, but it scrolls: the position is restored. */
function forgetOutcome(): void {
  if (!/^#(saved|not-saved|not-now)$/.test(location.hash)) return
  const { scrollX, scrollY } = window
  location.replace('#')
  history.replaceState(history.state, '', location.pathname + location.search)
  scrollTo(scrollX, scrollY)
}

/** Disables the button. Returns the function that enables it and restores the focus, which a disabled button loses. */
function setBusy(button: HTMLButtonElement): () => void {
  const { textContent } = button
  const hadFocus = button === document.activeElement
  button.disabled = true
  button.textContent = button.dataset.saving ?? textContent
  return () => {
    button.disabled = false
    button.textContent = textContent
    if (hadFocus) button.focus()
  }
}

/**
 * Shows a failure and scrolls the button into view: on a phone a toast could cover it. When the toast has disappeared, `noteId` names the
 * text at the field that stays: for a refusal that of the server.
 */
function showNotSaved(button: HTMLButtonElement, failure: Omit<Toast, 'tone'>, noteId: 'not-saved' | 'not-now'): void {
  const note = document.getElementById(noteId)
  const stopListening = onFailure(({ description = '' }) => () => {
    if (noteId === 'not-saved') note?.replaceChildren(description)
    note?.setAttribute(SHOWN, '')
  })
  showToast({ ...failure, tone: 'destructive' })
  stopListening()
  button.scrollIntoView({ block: 'nearest' })
}

/** Shows the confirmation: the style sheet displays it for the fragment `#saved`, and the navigation moves the focus to it. */
function showSaved(): void {
  showToast({ title: texts.saved(), description: texts.thanks(), tone: 'success' })
  location.replace('#saved')
}
