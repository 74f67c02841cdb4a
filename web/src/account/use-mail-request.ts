import { useBusy } from '../ui/use-busy.ts'

const REST_MS = 5000

/**
 * Asks for a mail, once: while it is asked for and some seconds after, another press does nothing. Each new mail makes
 * the link of the one before useless, and there are only a few an hour.
 */
export function useMailRequest(ask: (email: string) => Promise<boolean>) {
  const [busy, run] = useBusy()
  const request = (email: string) =>
    run(async () => {
      if (await ask(email)) await new Promise((resolve) => setTimeout(resolve, REST_MS))
    })

  return { request, busy }
}
