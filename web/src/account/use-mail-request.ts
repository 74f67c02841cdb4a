import { useEffect, useRef, useState } from 'react'

const REST_MS = 5000

/**
 * Asks for a mail, once: while it is asked for and some seconds after, another press does nothing. Each new mail makes
 * the link of the one before useless, and there are only a few an hour.
 */
export function useMailRequest(ask: (email: string) => Promise<boolean>) {
  const isBusy = useRef(false)
  const [busy, setBusy] = useState(false)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(rest.current), [])

  function become(next: boolean): void {
    isBusy.current = next
    setBusy(next)
  }

  async function request(email: string): Promise<void> {
    if (isBusy.current) return
    become(true)
    if (await ask(email)) rest.current = setTimeout(() => become(false), REST_MS)
    else become(false)
  }

  return { request, busy }
}
