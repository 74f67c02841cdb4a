import type { SubmitEvent } from 'react'
import { withdrawFailures } from './toast.ts'
import { useBusy } from './use-busy.ts'

/**
 * A form's `onSubmit`, and whether it is being worked on; a second submit meanwhile is ignored. React's own form
 * actions would empty the fields afterwards, also when the work failed and the person wants to correct one of them.
 */
export function useSubmit(work: (form: FormData) => Promise<void>) {
  const [busy, run] = useBusy()
  async function onSubmit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    await run(() => {
      withdrawFailures()
      return work(new FormData(form))
    })
  }
  return { onSubmit, busy }
}

/** A text field's value; the empty string where the form has no such field. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
