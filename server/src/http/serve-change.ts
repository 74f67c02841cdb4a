import type { RouteDeps, Serve } from './serve.ts'

/**
 * Serves operations that change deeb mode, or the user's history only. After each commit it publishes that, so that the other
 * devices of the user receive it, and of deeb mode their colleagues too.
 */
export function serveChangeOn(
  { serve, publish }: Pick<RouteDeps, 'serve' | 'publish'>,
  kind: 'presence' | 'history' = 'presence',
): Serve {
  return (endpoint, limit, change) =>
    serve(endpoint, limit, async (call) => {
      const answer = await change(call)
      publish({ kind, id: call.actor.userId })
      return answer
    })
}
