/* Sends the form of a page without leaving it. Without this script the browser sends it, and comes back to the same views. */
import { showToast, withdrawFailures } from '../ui/toast.ts'
import { post } from './post.ts'

// Whoever comes by a kept link or reloads has sent nothing. A form that the browser sent before this script was there
// comes back through the server's redirect.
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
  forgetOutcome()
  const giveBack = setBusy(button)
  try {
    const message = await post('/api/leads', { email, source: form.dataset.source })
    if (message) showNotSaved(button, 'Email Save Failed', message)
    else showSaved()
  } catch (error) {
    showNotSaved(button, 'Email Exception', `Error: ${(error as Error).message}`)
  }
  giveBack()
}

/** Back to the mere form, without a jump: only going to another fragment tells the style sheet, and only that scrolls. */
function forgetOutcome(): void {
  if (!/^#(saved|not-saved|not-now)$/.test(location.hash)) return
  const { scrollX, scrollY } = window
  location.replace('#')
  history.replaceState(history.state, '', location.pathname + location.search)
  scrollTo(scrollX, scrollY)
}

/** A disabled button loses the focus: who came by keyboard gets it back. */
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

/** At the foot of a phone a toast would cover the button that is to be pressed again: the page moves it out of there. */
function showNotSaved(button: HTMLButtonElement, title: string, description: string): void {
  showToast({ title, description, tone: 'destructive' })
  button.scrollIntoView({ block: 'nearest' })
}

/** The style sheet shows the confirmation in the form's place when the address names it; going there gives it the focus. */
function showSaved(): void {
  showToast({ title: 'Email Saved!', description: 'Thank you for your interest!', tone: 'success' })
  location.replace('#saved')
}
