import * as texts from '@deeb/texts/siteScript'

/**
 * Posts JSON to the API, also while the page is being left. Resolves to the server's error message, or to undefined on success.
 * Throws if there is no valid response.
 */
export async function post(path: string, input: object): Promise<string | undefined> {
  const response = await fetch(path, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json', 'x-client-info': `deeb-web/${__APP_VERSION__}` },
    body: JSON.stringify(input),
  })
  if (response.ok) return
  // A proxy may answer with its own HTML page.
  const refusal: { message?: string } | null = await response.json().catch(() => null)
  // The server's messages are English.
  if (refusal?.message) return document.documentElement.lang === 'en' ? refusal.message : texts.refused()
  throw new Error(response.statusText || texts.noAnswer())
}
