/** The page of a tap. The code is in the fragment, which no server receives or logs: `/t#<code>`. */
export const TAP_PATH = '/t'

/** A person has at most this many codes. */
export const MAX_CASES = 5

/** The link of a code, for a printed code or an NFC tag. Only the answer of its creation has the code. */
export function caseLink(origin: string, code: string): string {
  return `${origin}${TAP_PATH}#${code}`
}
