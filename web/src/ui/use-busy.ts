import { useRef, useState } from 'react'
import { onFailure, withdrawFailures } from './toast.ts'

/**
 * Whether a task is running, a function that runs one, and why the last one failed (for FormError). Further calls are ignored until it
 * ends. It uses a ref: two quick presses would both see the state of a mutation from before the first.
 *
 * `failure` is the text of the last failure toast of the task.
 */
export function useBusy(): [
  busy: boolean,
  run: (work: () => Promise<unknown>) => Promise<void>,
  failure: string | undefined,
] {
  const isBusy = useRef(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  function become(next: boolean): void {
    isBusy.current = next
    setBusy(next)
  }
  async function run(work: () => Promise<unknown>): Promise<void> {
    if (isBusy.current) return
    become(true)
    withdrawFailures()
    setFailure(undefined)
    const stopListening = onFailure(({ title, description }) => {
      setFailure(description ?? title)
      return undefined
    })
    try {
      await work()
    } finally {
      stopListening()
      become(false)
    }
  }
  return [busy, run, failure]
}
