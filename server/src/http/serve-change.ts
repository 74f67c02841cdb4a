import type { RouteDeps, Serve } from './serve.ts'

/**
 * Serves operations that change deeb mode, or what the user's days add up to. After each commit it publishes that the user's
 * presence changed, so that their other devices and their connections receive it.
 */
export function serveChangeOn({ serve, publish }: Pick<RouteDeps, 'serve' | 'publish'>): Serve {
  return (endpoint, limit, change) =>
    serve(endpoint, limit, async (call) => {
      const answer = await change(call)
      publish({ kind: 'presence', userId: call.actor.userId })
      return answer
    })
}
