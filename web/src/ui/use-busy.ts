import { useRef, useState } from 'react'

/**
 * Runs one task at a time, and whether one is running; further calls are ignored until it ends. A ref, not a mutation's state:
 * of two quick presses, both would see the state before the first.
 */
export function useBusy(): [busy: boolean, run: (work: () => Promise<unknown>) => Promise<void>] {
  const isBusy = useRef(false)
  const [busy, setBusy] = useState(false)
  function become(next: boolean): void {
    isBusy.current = next
    setBusy(next)
  }
  async function run(work: () => Promise<unknown>): Promise<void> {
    if (isBusy.current) return
    become(true)
    try {
      await work()
    } finally {
      become(false)
    }
  }
  return [busy, run]
}
