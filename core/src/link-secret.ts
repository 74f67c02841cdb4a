/** The form of the secret in the link of a sign or a case: 128 random bits in base64url. */
export const LINK_SECRET = /^[\w-]{22}$/

/** The secret in the fragment of a link, with or without `#`, or in a whole link. Null if it has another form. */
export function linkSecretOf(text: string): string | null {
  const secret = text.trim().replace(/^.*#/, '')
  return LINK_SECRET.test(secret) ? secret : null
}
