import type { SubmitEvent } from 'react'
import { useBusy } from './use-busy.ts'

/**
 * A form's `onSubmit`, whether it is running, and why it failed. Further submits are ignored until it ends. A form action of React would empty
 * the fields afterwards, also when the work failed.
 */
export function useSubmit(work: (form: FormData) => Promise<void>) {
  const [busy, run, failure] = useBusy()
  async function onSubmit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    await run(() => work(new FormData(form)))
  }
  return { onSubmit, busy, failure }
}

/** The value of a text field. Empty if the form has no such field. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
