import { type SubmitEvent, useRef, useState } from 'react'
import { withdrawFailures } from './toast.ts'

/**
 * A form's `onSubmit`, and whether it is being worked on; a second submit meanwhile is ignored. React's own form
 * actions would empty the fields afterwards, also when the work failed and the person wants to correct one of them.
 */
export function useSubmit(work: (form: FormData) => Promise<void>) {
  const isBusy = useRef(false)
  const [busy, setBusy] = useState(false)
  function become(next: boolean): void {
    isBusy.current = next
    setBusy(next)
  }
  async function onSubmit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    // Not the state: of two presses in one moment, both were drawn before it changed.
    if (isBusy.current) return
    become(true)
    withdrawFailures()
    try {
      await work(new FormData(event.currentTarget))
    } finally {
      become(false)
    }
  }
  return { onSubmit, busy }
}

/** A text field's value; the empty string where the form has no such field. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
