import * as http from 'node:http'

/** Since Node.js 24.14. */
const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: (env: NodeJS.ProcessEnv) => unknown }

/**
 * Sends requests by https through HTTPS_PROXY, except those that NO_PROXY names, where this Node.js can do that. HTTP_PROXY is not used:
 * it would receive the token for a server on this computer.
 */
export function sendThroughProxy(): void {
  const { https_proxy, HTTPS_PROXY, no_proxy, NO_PROXY } = process.env
  const own = { https_proxy: https_proxy ?? HTTPS_PROXY, no_proxy: no_proxy ?? NO_PROXY }
  if (own.https_proxy) setGlobalProxyFromEnv?.(own)
}

/** Whether HTTPS_PROXY is set and this Node.js sends requests to the server without it. */
export function ignoresProxyTo(server: string): boolean {
  const { https_proxy, HTTPS_PROXY, NODE_USE_ENV_PROXY } = process.env
  if (!server.startsWith('https:') || !(https_proxy ?? HTTPS_PROXY) || setGlobalProxyFromEnv) return false
  return NODE_USE_ENV_PROXY !== '1' || !process.allowedNodeEnvironmentFlags.has('--use-env-proxy')
}
