import { useBusy } from '../ui/use-busy.ts'

const THROTTLE_MS = 5000

/**
 * Requests an email, throttled: presses during the request and 5 seconds after it are ignored. Each new email revokes the link
 * of the previous one, and only a few an hour are allowed.
 */
export function useEmailRequest(send: (email: string) => Promise<boolean>) {
  const [busy, run, failure] = useBusy()
  const request = (email: string) =>
    run(async () => {
      if (await send(email)) await new Promise((resolve) => setTimeout(resolve, THROTTLE_MS))
    })

  return { request, busy, failure }
}
