/**
 * Sends JSON to the API, also while the page is being left. Gives what the server says against it, or undefined when all
 * went well; throws when no sensible answer came.
 */
export async function post(path: string, input: object): Promise<string | undefined> {
  const response = await fetch(path, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json', 'x-client-info': `deeb-web/${__APP_VERSION__}` },
    body: JSON.stringify(input),
  })
  if (response.ok) return
  // What stands before the server, and answers for it, has pages of its own.
  const refusal: { message?: string } | null = await response.json().catch(() => null)
  if (refusal?.message) return refusal.message
  throw new Error(response.statusText || 'no answer')
}
